"""A measure hidden in an expression, a filter that filters nothing, a cast past a type guard."""

import pytest

from tests.defects.shop import STATUSES, checker, codes
from veridical.contracts.call import AggregateCall, Filter, QueryCall
from veridical.contracts.violation import Code
from veridical.ontology.model import Constraint, ConstraintRule

STOCK = checker()
REQUIRED = Constraint(
    applies_to="Sales", rule=ConstraintRule.REQUIRES_FILTER_ON, fields=("status",)
)
LISTED = Constraint(applies_to="Sales.status", rule=ConstraintRule.ALLOWED_VALUES, values=STATUSES)
OPEN = checker(REQUIRED)
CLOSED = checker(REQUIRED, LISTED)
ONLY_COMPLETED = checker(REQUIRED.model_copy(update={"values": ("completed",)}), LISTED)
BY_DAY = checker(
    Constraint(applies_to="Sales", rule=ConstraintRule.REQUIRES_FILTER_ON, fields=("sold_on",))
)

SUMMED = [
    "SUM(on_hand - reserved)", "SUM(on_hand + reserved)", "SUM(reserved - on_hand)",
    "SUM(-on_hand)",
    "SUM(on_hand * 1)", "SUM(on_hand / 1)", "SUM(0 - on_hand)", "SUM(COALESCE(on_hand, 0))",
    "SUM(COALESCE(on_hand, 0) - COALESCE(reserved, 0))",
    "SUM(CASE WHEN on_hand > 0 THEN on_hand END)",
    "SUM(DISTINCT on_hand)", "SUM(ABS(on_hand))", "SUM(GREATEST(on_hand - reserved, 0))",
    "SUM(CAST(on_hand AS numeric))", "SUM((on_hand || '')::int)", "SUM(on_hand) - SUM(reserved)",
    "SUM(on_hand - 0)", "SUM(on_hand) FILTER (WHERE on_hand > 5)", "ROUND(SUM(on_hand), 2)",
    "AVG(on_hand) * COUNT(*)", "COUNT(*) * AVG(on_hand)", "COUNT(on_hand) * AVG(on_hand)",
    "AVG(on_hand) * SUM(1)", "AVG(on_hand) * (SELECT COUNT(*) FROM stock)",
    "ROUND(AVG(on_hand) * COUNT(*), 0)", "AVG(on_hand - reserved) * COUNT(*)",
    "CAST(AVG(on_hand) AS numeric) * CAST(COUNT(*) AS numeric)",
    "SUM(on_hand) / COUNT(DISTINCT warehouse)", "SUM(on_hand) / COUNT(*) * COUNT(*)",
    "SUM(on_hand) / COUNT(DISTINCT day) * COUNT(DISTINCT day)",
]  # fmt: skip
STATEMENTS = [
    *(f"SELECT {each} FROM stock" for each in SUMMED),
    "SELECT SUM(on_hand) OVER () FROM stock",
    "SELECT SUM(on_hand - reserved) OVER (PARTITION BY product_id) FROM stock",
    "SELECT product_id, SUM(on_hand - reserved) FROM stock GROUP BY product_id",
    "WITH s AS (SELECT on_hand - reserved AS free FROM stock) SELECT SUM(free) FROM s",
    "WITH s AS (SELECT AVG(on_hand) AS a, COUNT(*) AS n FROM stock) SELECT a * n FROM s",
    "WITH s (v) AS (SELECT on_hand FROM stock) SELECT SUM(v) FROM s",
    "SELECT SUM(v) FROM (SELECT unnest(array_agg(on_hand)) AS v FROM stock) t",
    "SELECT SUM(v) FROM (SELECT array_agg(on_hand) AS l FROM stock) t, unnest(t.l) AS u(v)",
    "SELECT SUM(u.v) FROM stock s, unnest(ARRAY[s.on_hand, s.reserved]) AS u(v)",
    "SELECT SUM(u.v) FROM stock s, LATERAL (SELECT s.on_hand - s.reserved) AS u(v)",
    "SELECT SUM(u.v) FROM stock s, LATERAL (VALUES (s.on_hand)) AS u(v)",
    "SELECT SUM(p) FROM (SELECT LAG(on_hand) OVER (ORDER BY day) AS p FROM stock) t",
]


@pytest.mark.parametrize("sql", STATEMENTS)
def test_a6_a_snapshot_is_not_summed_over_days_in_any_disguise(sql: str) -> None:
    assert Code.INVALID_AGGREGATE_TARGET in codes(STOCK, sql)


@pytest.mark.parametrize(
    "sql",
    [
        *(
            f"SELECT {each} FROM stock WHERE day = '2026-01-05'"
            for each in SUMMED
            if "SELECT COUNT" not in each
        ),
        "SELECT SUM(on_hand - reserved) FROM stock WHERE day = (SELECT MAX(day) FROM stock)",
        "SELECT day, SUM(on_hand - reserved) FROM stock GROUP BY day",
        "SELECT SUM(on_hand - reserved) OVER (PARTITION BY day) FROM stock",
        "SELECT AVG(on_hand) FROM stock",
        "SELECT AVG(on_hand - reserved) FROM stock",
        "SELECT AVG(on_hand) * 100 / MAX(on_hand) FROM stock",
        "SELECT SUM(on_hand) / COUNT(DISTINCT day) FROM stock",
        "SELECT SUM(on_hand) * 1.0 / NULLIF(COUNT(DISTINCT day), 0) FROM stock",
        "SELECT SUM(on_hand) / COUNT(*) FROM stock",
        "SELECT MAX(on_hand - reserved) FROM stock",
        "SELECT SUM(closing - opening) FROM stock",
        "SELECT SUM(c) FROM (SELECT on_hand - LAG(on_hand) OVER (ORDER BY day) AS c FROM stock) t",
        "SELECT on_hand - reserved FROM stock",
        "SELECT product_id, array_agg(on_hand) FROM stock GROUP BY product_id",
        "WITH d AS (SELECT day, SUM(on_hand - reserved) AS s FROM stock GROUP BY day)"
        " SELECT AVG(s) FROM d",
    ],
)
def test_a6_the_right_twin_passes(sql: str) -> None:
    assert codes(STOCK, sql) == set()


@pytest.mark.parametrize("expression", ["unnest(array_agg(price))", "LAG(price) OVER ()"])
def test_a6_rates_stay_rates(expression: str) -> None:
    sql = f"SELECT SUM(v) FROM (SELECT {expression} AS v FROM stock) t"
    assert Code.INVALID_AGGREGATE_TARGET in codes(STOCK, sql)


VACUOUS = [
    "LOWER(status) = 'completed'", "UPPER(status) = 'COMPLETED'", "TRIM(status) = 'completed'",
    "status LIKE '%'", "status LIKE '%%'", "status LIKE '_%'", "status ILIKE '%'",
    "status SIMILAR TO '%'", "status ~ '.*'", "status <> 'zzz'", "status != 'zzz'",
    "status IS NOT NULL", "NOT status IS NULL", "1 = 1", "1 = 1 OR status = 'completed'",
    "status = 'completed' OR status <> 'completed'", "status = 'completed' OR 1 = 1",
    "status BETWEEN '' AND 'zzz'", "status >= ''", "status < 'zzz'", "status = status",
    "COALESCE(status, 'completed') LIKE '%'", "LENGTH(status) > 0", "status || '' LIKE '%'",
    "CASE WHEN status = 'completed' THEN 1 ELSE 1 END = 1", "status NOT IN ('zzz')",
    "status IN (SELECT status FROM sales)", "status = ANY(SELECT status FROM sales)",
    "NOT (status = 'zzz')", "NOT (status = 'zzz' AND 1 = 0)", "status >= channel",
    "status = 'completed' OR channel = 'web'", "LEFT(status, 0) = ''",
    "EXISTS (SELECT 1 FROM sales x WHERE x.status = 'completed')",
]  # fmt: skip
CHOOSING = [
    "status = 'completed'", "'completed' = status", "status IN ('completed', 'pending')",
    "NOT (status <> 'completed')", "NOT status NOT IN ('completed')", "status LIKE 'compl%'",
    "status = 'completed' OR status = 'pending'", "status::text = 'completed'",
    "status = ANY(ARRAY['completed'])", "status IN ('completed') AND status IS NOT NULL",
    "NOT (status <> 'completed' OR channel = 'web')", "status IS NULL",
    "(status = 'completed' AND channel = 'web') OR (status = 'pending' AND channel = 'shop')",
]  # fmt: skip


@pytest.mark.parametrize("condition", VACUOUS)
def test_a6_a_required_filter_must_choose(condition: str) -> None:
    sql = f"SELECT SUM(amount) FROM sales WHERE {condition}"
    assert Code.MISSING_REQUIRED_FILTER in codes(OPEN, sql)
    assert codes(CLOSED, sql) != set()


@pytest.mark.parametrize("condition", CHOOSING)
def test_a6_a_filter_that_chooses_passes(condition: str) -> None:
    sql = f"SELECT SUM(amount) FROM sales WHERE {condition}"
    assert codes(OPEN, sql) == set()
    assert codes(CLOSED, sql) == set()


def test_a6_all_values_of_a_closed_list_are_no_choice() -> None:
    every = ", ".join(f"'{status}'" for status in STATUSES)
    for condition in (
        f"status IN ({every})",
        "status LIKE '%e%'",
        "status <> 'completed' OR status = 'completed'",
    ):
        sql = f"SELECT SUM(amount) FROM sales WHERE {condition}"
        assert Code.MISSING_REQUIRED_FILTER in codes(CLOSED, sql), condition
    for condition in ("status <> 'cancelled'", "status NOT IN ('cancelled')", "status LIKE 'c%'"):
        assert codes(CLOSED, f"SELECT SUM(amount) FROM sales WHERE {condition}") == set(), condition


@pytest.mark.parametrize(
    ("condition", "passes"),
    [
        ("status = 'completed'", True),
        ("status IN ('completed')", True),
        ("status <> 'pending' AND status <> 'cancelled'", True),
        ("status LIKE 'compl%'", True),
        ("status = 'pending'", False),
        ("status IN ('completed', 'pending')", False),
        ("status <> 'pending'", False),
        ("LOWER(status) = 'completed'", False),
        ("status LIKE 'c%'", False),
        ("channel = 'completed'", False),
    ],
)
def test_a6_a_required_value_must_be_the_one(condition: str, passes: bool) -> None:
    found = codes(ONLY_COMPLETED, f"SELECT SUM(amount) FROM sales WHERE {condition}")
    assert (found == set()) is passes


@pytest.mark.parametrize(
    ("condition", "passes"),
    [
        ("sold_on = '2026-01-05'", True),
        ("sold_on >= '2026-01-01'", True),
        ("sold_on BETWEEN '2026-01-01' AND '2026-01-31'", True),
        ("EXTRACT(YEAR FROM sold_on) = 2026", True),
        ("date_trunc('month', sold_on) = '2026-01-01'", True),
        ("CAST(sold_on AS date) = '2026-01-05'", True),
        ("sold_on IN (SELECT day FROM days WHERE is_month_end)", True),
        ("sold_on >= '1900-01-01'", False),
        ("sold_on < '9999-12-31'", False),
        ("sold_on BETWEEN '0001-01-01' AND '9999-12-31'", False),
        ("sold_on < '2026-01-01' OR sold_on >= '2026-01-01'", False),
        ("EXTRACT(YEAR FROM sold_on) > 0", False),
        ("EXTRACT(YEAR FROM sold_on) * 0 = 0", False),
        ("COALESCE(sold_on, '2026-01-05') = '2026-01-05'", False),
    ],
)
def test_a6_a_required_period_must_be_one(condition: str, passes: bool) -> None:
    found = codes(BY_DAY, f"SELECT SUM(amount) FROM sales WHERE {condition}")
    assert (found == set()) is passes


@pytest.mark.parametrize(
    ("filters", "passes"),
    [
        ((Filter(field="status", value="completed"),), True),
        ((Filter(field="status", op="like", value="compl%"),), True),
        ((Filter(field="status", op="like", value="%"),), False),
        ((Filter(field="status", op="ilike", value="%"),), False),
        ((Filter(field="status", op="!=", value="zzz"),), False),
        ((Filter(field="status", op="is not null"),), False),
        ((Filter(field="status", op=">=", value=""),), False),
    ],
)
def test_a6_structured_calls_are_judged_alike(filters: tuple[Filter, ...], passes: bool) -> None:
    asked = checker(REQUIRED)
    warm = (Filter(field="status", op="like", value="compl%"),)
    assert codes(asked, QueryCall(table_name="sales", filters=warm)) == set()
    for call in (
        AggregateCall(table_name="sales", aggregate="sum", field="amount", filters=filters),
        QueryCall(table_name="sales", filters=filters),
    ):
        assert (codes(asked, call) == set()) is passes


@pytest.mark.parametrize("side", ["RIGHT JOIN", "FULL JOIN"])
def test_a6_the_on_of_an_outer_join_keeps_every_row(side: str) -> None:
    on = "s.sold_on = d.day AND s.status = 'completed'"
    sql = f"SELECT SUM(s.amount) FROM days d {side} sales s ON {on}"
    assert Code.MISSING_REQUIRED_FILTER in codes(OPEN, sql)


@pytest.mark.parametrize(
    "condition",
    [
        "moved_at::text >= '2026-01-01'", "CAST(moved_at AS text) LIKE '2026%'",
        "CAST(moved_at AS varchar) = '2026-01-05'", "moved_at || '' >= '2026-01-01'",
        "CONCAT(moved_at) >= '2026'", "LEFT(moved_at::text, 4) = '2026'",
        "to_char(moved_at, '9999') = '2026'", "moved_at::date = '2026-01-05'",
        "SUBSTRING(moved_at::text FROM 1 FOR 4) = '2026'", "UPPER(moved_at::text) > '2026'",
        "REPLACE(moved_at::text, '-', '') > '20260101'", "moved_at LIKE '2026%'",
    ],
)  # fmt: skip
def test_a6_a_cast_does_not_evade_the_type_guard(condition: str) -> None:
    assert codes(STOCK, f"SELECT COUNT(*) FROM moves WHERE {condition}") & {
        Code.TYPE_MISMATCH,
        Code.OPERATOR_INCOMPATIBLE,
    }
    renamed = condition.replace("moved_at", "m")
    sql = f"WITH t AS (SELECT moved_at AS m FROM moves) SELECT COUNT(*) FROM t WHERE {renamed}"
    assert codes(STOCK, sql) & {Code.TYPE_MISMATCH, Code.OPERATOR_INCOMPATIBLE}


@pytest.mark.parametrize(
    "condition",
    [
        "moved_at >= 1767225600", "to_timestamp(moved_at) >= '2026-01-01'",
        "to_timestamp(moved_at)::date = '2026-01-05'", "moved_at::bigint > 1767225600",
        "to_char(to_timestamp(moved_at), 'YYYY') = '2026'",
        "EXTRACT(YEAR FROM to_timestamp(moved_at)) = 2026", "moved_at / 86400 > 20000",
    ],
)  # fmt: skip
def test_a6_seconds_read_as_seconds_pass(condition: str) -> None:
    assert codes(STOCK, f"SELECT COUNT(*) FROM moves WHERE {condition}") == set()


def test_a6_a_time_made_of_seconds_is_a_time_in_what_follows() -> None:
    sql = (
        "WITH t AS (SELECT to_timestamp(moved_at) AS at FROM moves)"
        " SELECT at::date, COUNT(*) FROM t GROUP BY at::date"
    )
    assert codes(STOCK, sql) == set()
