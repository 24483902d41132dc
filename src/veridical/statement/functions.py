"""The functions a query may call, by engine. What is not listed is refused.

Every one of them computes from its arguments alone: none reads files, settings, catalogs or other
sessions, none sleeps, none runs text as SQL.
"""

_AGGREGATES = """
    avg count max min sum stddev stddev_pop stddev_samp variance var_pop var_samp median mode
    string_agg array_agg bool_and bool_or percentile_cont percentile_disc corr covar_pop covar_samp
    any_value every
"""
_WINDOWS = """
    row_number rank dense_rank ntile percent_rank cume_dist lag lead first_value last_value
    nth_value
"""
_SCALARS = """
    abs ceil ceiling floor round trunc mod power sqrt exp ln log log10 sign greatest least coalesce
    nullif cast try_cast lower upper trim ltrim rtrim length char_length substr substring replace
    left right lpad rpad concat concat_ws position strpos split_part initcap reverse repeat
    translate ascii chr regexp_replace regexp_matches starts_with md5 if
"""
_TIMES = """
    extract date_part date_trunc age to_char to_date to_timestamp to_number now current_date
    current_timestamp current_time localtimestamp date time timestamp make_date make_timestamp
    make_interval justify_days year month day
"""
_CALENDAR = "quarter week dayofweek epoch"
"""Functions that PostgreSQL has only as EXTRACT."""
_POSTGRES = "unnest generate_series array_length cardinality array_to_string json_build_object"
_DUCKDB = """
    unnest range generate_series list list_value strftime strptime datediff date_diff dateadd
    date_add date_sub datesub epoch_ms last_day dayname monthname quantile quantile_cont
    quantile_disc approx_count_distinct arg_max arg_min contains printf format hash
    regexp_extract regexp_full_match string_split ifnull isnan count_if list_sum ucase lcase
    weekday monthname first last product kurtosis skewness
"""
_SNOWFLAKE = """
    datediff dateadd timestampdiff timestampadd date_from_parts last_day to_decimal to_numeric
    to_varchar to_double iff nvl nvl2 zeroifnull nullifzero div0 div0null decode listagg
    count_if ratio_to_report try_to_date try_to_number try_to_timestamp months_between
    add_months dayname monthname weekofyear contains endswith startswith
    array_size object_construct equal_null ifnull charindex len hash
    approx_count_distinct to_timestamp_ntz booland_agg boolor_agg uniform square
    regexp_substr regexp_like to_time try_to_decimal max_by min_by
"""
_MYSQL = """
    year month day quarter week weekday dayofweek dayofmonth dayofyear hour minute second date_add
    date_sub adddate subdate datediff timestampdiff timestampadd date_format str_to_date last_day
    from_unixtime unix_timestamp makedate curdate current_date ifnull group_concat pow
    truncate std stddev_pop stddev_samp var_pop var_samp instr locate lcase ucase mid char_length
    format find_in_set field elt hex json_extract json_value json_unquote regexp_substr regexp_like
    dayname monthname bit_count percentile_cont
"""
_CLICKHOUSE = """
    tostartofmonth tostartofyear tostartofquarter tostartofweek tostartofday tostartofhour toyear
    tomonth todayofmonth todayofweek toquarter toweek toyyyymm toyyyymmdd todate todatetime
    datediff date_diff dateadd adddays addmonths addyears subtractdays subtractmonths
    subtractyears formatdatetime toint32 toint64 tofloat64 todecimal64 tostring ifnull assumenotnull
    multiif countif sumif avgif minif maxif uniq uniqexact argmax argmin any anylast quantile
    quantileexact median stddevpop stddevsamp varpop varsamp grouparray arrayjoin has length empty
    notempty lowerutf8 upperutf8 substringutf8 startswith endswith replaceall replaceone match
    extract splitbychar toyearweek intdiv modulo plus minus multiply divide
    numbers tolowercardinality percentile_cont lagInFrame leadInFrame totimezone now today yesterday
"""
_BIGQUERY = """
    safe_divide safe_cast date_diff date_add date_sub date_trunc timestamp_diff timestamp_add
    timestamp_sub timestamp_trunc datetime_diff datetime_add datetime_sub datetime_trunc
    format_date format_timestamp parse_date parse_timestamp unix_seconds unix_millis
    timestamp_seconds timestamp_millis last_day ifnull countif approx_count_distinct
    approx_quantiles logical_and logical_or array_length unnest generate_array generate_date_array
    regexp_contains regexp_extract contains_substr json_value json_extract_scalar farm_fingerprint
    ieee_divide div safe_multiply isoweek dayofyear datetime
"""
_SPARK = """
    year month day quarter week weekday weekofyear dayofweek dayofmonth dayofyear hour minute second
    date_add date_sub dateadd datediff date_diff date_format add_months months_between last_day
    next_day to_date to_timestamp unix_timestamp from_unixtime make_date timestampdiff timestampadd
    nvl nvl2 ifnull concat_ws instr locate lcase ucase char_length element_at size array_contains
    collect_list collect_set approx_count_distinct count_if bool_and bool_or max_by min_by
    regexp_extract regexp_like rlike contains startswith endswith format_number pow try_divide
    get_json_object isnan bround rint pmod std skewness kurtosis dayname monthname time_str_to_time
"""
_APPROXIMATE = frozenset({"percentile_cont", "percentile_disc"})
"""Functions that sqlglot writes for Spark as approximate ones."""
_SQLITE = """
    abs avg ceil ceiling changes char coalesce count cast cume_dist date datetime
    dense_rank exp first_value floor format glob group_concat hex ifnull iif instr julianday lag
    last_value lead length like ln log log10 log2 lower ltrim max min mod nth_value ntile nullif
    percent_rank pi pow power printf quote radians random rank replace round row_number rtrim sign
    sqrt strftime substr substring sum time total trim trunc typeof unicode
    unixepoch upper acos asin atan atan2 cos sin tan degrees json json_extract json_each
    json_array_length
"""

_COMMON = frozenset(" ".join((_AGGREGATES, _WINDOWS, _SCALARS, _TIMES)).split())
_GENERAL = _COMMON | frozenset(_CALENDAR.split())
ALLOWED: dict[str, frozenset[str]] = {
    "postgres": _COMMON | frozenset(_POSTGRES.split()),
    "duckdb": _GENERAL | frozenset(_DUCKDB.split()),
    "snowflake": _GENERAL | frozenset(_SNOWFLAKE.split()),
    "bigquery": _GENERAL | frozenset(_BIGQUERY.split()),
    "clickhouse": _GENERAL | frozenset(_CLICKHOUSE.lower().split()),
    "mysql": _GENERAL | frozenset(_MYSQL.split()),
    "spark": (_GENERAL - _APPROXIMATE) | frozenset(_SPARK.split()),
    "sqlite": frozenset(_SQLITE.split()),
}


def allowed_functions(dialect: str) -> frozenset[str]:
    """The allow-list of this engine; the general one for an engine that is not listed."""
    return ALLOWED.get(dialect, _GENERAL)


_WRITTEN: dict[str, frozenset[str]] = {"sqlite": frozenset({"percentile_cont", "stddev"})}
"""Functions that the host writes for structured calls, and provides itself."""


def written_functions(dialect: str) -> frozenset[str]:
    """The functions that a statement of this engine may hold when it is run."""
    return allowed_functions(dialect) | _WRITTEN.get(dialect, frozenset())


_TABLE_FUNCTIONS: dict[str, tuple[str, ...]] = {
    "explodinggenerateseries": ("generate_series",),
    "generateseries": ("generate_series", "range"),
    "generate_series": ("generate_series",),
    "unnest": ("unnest",),
    "explode": ("unnest",),
    "json_each": ("key", "value", "type", "atom", "id", "parent", "fullkey", "path"),
}
"""The functions that may stand in FROM, by their node or their name, with their output columns.
They only make rows out of their arguments."""


def table_function_columns(name: str) -> tuple[str, ...] | None:
    """The columns of a function in FROM; none for one that may not stand there."""
    return _TABLE_FUNCTIONS.get(name.casefold())
