"""Functions by the role of their literal arguments: formats of data, or content of their own."""

from sqlglot import exp

SHAPING: tuple[type[exp.Expr], ...] = (
    exp.Round, exp.Trunc, exp.Floor, exp.Ceil, exp.Abs, exp.Sign, exp.DateTrunc,
    exp.TimestampTrunc, exp.DatetimeTrunc, exp.TimeTrunc, exp.Extract, exp.Substring, exp.Left,
    exp.Right, exp.Trim, exp.Upper, exp.Lower, exp.Initcap, exp.Length, exp.SplitPart,
    exp.JSONExtract, exp.JSONExtractScalar, exp.JSONBExtract, exp.JSONBExtractScalar, exp.Bracket,
    exp.AtTimeZone, exp.Collate, exp.DateAdd, exp.DateSub, exp.DatetimeAdd, exp.DatetimeSub,
    exp.TimestampAdd, exp.TimestampSub, exp.TsOrDsAdd, exp.DateDiff, exp.DatetimeDiff,
    exp.TimestampDiff, exp.TsOrDsDiff, exp.StrToTime, exp.StrToDate, exp.StrToUnix, exp.UnixToTime,
    exp.TsOrDsToDate, exp.TsOrDsToTimestamp, exp.TsOrDsToTime, exp.TimeStrToTime, exp.LastDay,
    exp.Year, exp.Month, exp.Day, exp.Quarter, exp.Week, exp.DayOfWeek, exp.DayOfYear, exp.Nullif,
    exp.Date, exp.Timestamp, exp.Dot, exp.ToNumber, exp.RegexpExtract, exp.StrPosition,
    exp.ConvertTimezone, exp.FromTimeZone, exp.WeekOfYear, exp.Unicode,
)  # fmt: skip
"""Functions whose other arguments only choose a part of the data, or its precision."""

SHAPING_NAMES = frozenset(
    {
        "age", "date", "date_part", "datediff", "datepart", "datetime", "julianday", "make_date",
        "month", "monthname", "dayname", "quarter", "substr", "time", "timediff", "unixepoch",
        "year", "isoyear", "to_date", "to_timestamp", "timezone", "weekofyear", "datename",
    }
)  # fmt: skip
"""The same, of functions that have no class of their own."""

FORMATTING: tuple[type[exp.Expr], ...] = (
    exp.TimeToStr, exp.ToChar, exp.DateToDateStr, exp.TimeToTimeStr, exp.NumberToStr, exp.Format,
)  # fmt: skip
FORMATTING_NAMES = frozenset({"to_char", "strftime", "date_format", "format_date", "printf"})

JOINING: tuple[type[exp.Expr], ...] = (exp.Concat, exp.ConcatWs, exp.DPipe)

CLOCKS: tuple[type[exp.Expr], ...] = (
    exp.CurrentDate, exp.CurrentDatetime, exp.CurrentTime, exp.CurrentTimestamp,
    exp.Localtime, exp.Localtimestamp, exp.CurrentTimestampLTZ,
)  # fmt: skip
"""The engine's clock: no statement decides it."""

RANKS: tuple[type[exp.Expr], ...] = (
    exp.RowNumber, exp.Rank, exp.DenseRank, exp.PercentRank, exp.CumeDist, exp.Ntile,
)  # fmt: skip

SHIFTS: tuple[type[exp.Expr], ...] = (exp.Lag, exp.Lead)

COUNTS: tuple[type[exp.Expr], ...] = (
    exp.Count, exp.CountIf, exp.ApproxDistinct, exp.RegrCount,
)  # fmt: skip

EXTREMES: tuple[type[exp.Expr], ...] = (
    exp.Min, exp.Max, exp.AnyValue, exp.First, exp.Last, exp.FirstValue, exp.LastValue,
    exp.NthValue, exp.ArgMax, exp.ArgMin, exp.Mode,
)  # fmt: skip
"""One of the values, as it is."""

FILES: tuple[type[exp.Expr], ...] = (exp.ReadCSV, exp.ReadParquet)
FILE_NAMES = frozenset(
    {"read_csv_auto", "read_json", "read_json_auto", "parquet_scan", "sqlite_scan", "read_xlsx",
     "postgres_scan", "delta_scan", "iceberg_scan", "openrowset"}
)  # fmt: skip
"""Table functions that read what is kept elsewhere."""
