from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from tests.engines.conftest import Books
from veridical.contracts.call import AggregateCall, BrowseCall, Filter, OrderBy, QueryCall
from veridical.contracts.caller import Scope
from veridical.contracts.result import Emptiness
from veridical.engines import Engine, EngineError, Freshness, Limits, Problem

pytestmark = pytest.mark.slow


def query(*filters: Filter, **more: Any) -> QueryCall:
    return QueryCall(table_name="Line", fields=("id",), filters=filters, **more)


def ids(books: Books, *filters: Filter) -> set[int]:
    return {row[0] for row in books.engine.run(books.checked(query(*filters))).rows}


def test_browse_shows_visible_columns_of_the_callers_rows(books: Books) -> None:
    outcome = books.engine.run(books.checked(BrowseCall(table_name="Line", limit=5)))
    assert outcome.columns == ("id", "accountId", "year", "booked", "at", "amount", "note")
    assert len(outcome.rows) == 5
    assert outcome.receipt.truncated
    assert outcome.receipt.emptiness is Emptiness.TRUNCATED
    assert all(row[0] < 1000 for row in outcome.rows)


@pytest.mark.parametrize(
    ("op", "value", "expected"),
    [
        ("=", 3, {3}),
        ("!=", 3, set(range(50)) - {3}),
        ("<", 2, {0, 1}),
        ("<=", 2, {0, 1, 2}),
        (">", 48, {49}),
        (">=", 48, {48, 49}),
        ("in", (1, 2, 999), {1, 2}),
        ("in", (), set()),
        ("not in", tuple(range(48)), {48, 49}),
        ("between", (4, 6), {4, 5, 6}),
    ],
)
def test_operators_on_numbers(books: Books, op: str, value: Any, expected: set[int]) -> None:
    assert ids(books, Filter(field="id", op=op, value=value)) == expected


@pytest.mark.parametrize(
    ("op", "value", "expected"),
    [
        ("like", "%note 1_", set(range(10, 20))),
        ("not like", "%note%", set()),
        ("ilike", "%NOTE 1_", set(range(10, 20))),
        ("is null", None, {7}),
        ("=", None, {7}),
        ("is not null", None, set(range(50)) - {7}),
        ("!=", None, set(range(50)) - {7}),
        ("in", ("alpha note 3", None), {3, 7}),
        ("not in", ("alpha note 3", None), set(range(50)) - {3, 7}),
        ("=", "x' OR '1'='1", set()),
    ],
)
def test_operators_on_text(books: Books, op: str, value: Any, expected: set[int]) -> None:
    assert ids(books, Filter(field="note", op=op, value=value)) == expected


def test_like_minds_the_case(typed_books: Books) -> None:
    assert ids(typed_books, Filter(field="note", op="like", value="%NOTE 1_")) == set()


def test_dates_and_fractions_compare_by_value(books: Books) -> None:
    assert len(ids(books, Filter(field="booked", op=">=", value="2024-01-01"))) == 25
    assert ids(books, Filter(field="amount", op="=", value=3.25)) == {3}


def test_aggregate_by_group_in_order(books: Books) -> None:
    call = AggregateCall(
        table_name="Line",
        aggregate="sum",
        field="amount",
        group_by=("year",),
        order_by=(OrderBy(field="amount", direction="desc"),),
    )
    outcome = books.engine.run(books.checked(call))
    assert outcome.columns == ("year", "sum_amount")
    assert outcome.rows == ((2024, 631.25), (2023, 606.25))


@pytest.mark.parametrize(
    ("aggregate", "field", "expected"),
    [
        ("count", None, 50),
        ("COUNT", "*", 50),
        ("count", "note", 49),
        ("median", "amount", 24.75),
        ("count_distinct", "year", 2),
        ("min", "booked", "2023-03-01"),
        ("avg", "amount", 24.75),
    ],
)
def test_aggregates(books: Books, aggregate: str, field: str | None, expected: object) -> None:
    call = AggregateCall(table_name="Line", aggregate=aggregate, field=field)
    assert books.engine.run(books.checked(call)).rows == ((expected,),)


def test_times_are_told_in_iso_form(typed_books: Books) -> None:
    call = AggregateCall(table_name="Line", aggregate="max", field="at")
    run = typed_books.engine.run(typed_books.checked(call))
    assert run.rows == (("2024-03-01T10:00:00",),)


def test_raw_sql_sees_the_callers_rows_only(books: Books) -> None:
    outcome = books.engine.run(
        books.checked(
            'WITH "Account" AS (SELECT * FROM "Account") SELECT a."label", count(*) AS n'
            ' FROM "Line" l JOIN "Account" a ON a."id" = l."accountId" GROUP BY 1 ORDER BY 1'
        )
    )
    assert outcome.rows == (("alpha account 0", 25), ("alpha account 1", 25))


def test_hidden_columns_are_out_of_reach(typed_books: Books) -> None:
    with pytest.raises(EngineError) as caught:
        typed_books.engine.run(typed_books.checked('SELECT "secret" FROM "Line"'))
    assert caught.value.problem is Problem.FAILED
    shown = typed_books.engine.run(typed_books.checked('SELECT * FROM "Line"'))
    assert "secret" not in shown.columns


def test_several_tenants_and_none(books: Books) -> None:
    both = Scope({"mandateId": ("alpha", "gamma")})
    count = AggregateCall(table_name="Line", aggregate="count")
    assert books.engine.run(books.checked(count, scope=both)).rows == ((100,),)
    nobody = books.engine.run(books.checked(count, scope=Scope({"mandateId": ()})))
    assert nobody.rows == ((0,),)
    assert nobody.receipt.emptiness is Emptiness.NOT_PERMITTED


def test_a_table_without_tenant_is_refused_unless_shared(books: Books) -> None:
    assert len(books.engine.run(books.checked('SELECT * FROM "Currency"')).rows) == 2
    with pytest.raises(EngineError) as caught:
        books.engine.run(books.checked('SELECT * FROM "Orphan"'))
    assert caught.value.problem is Problem.NO_SCOPE
    assert caught.value.actor == "host"
    assert "Orphan" in caught.value.message("de")


def test_a_caller_without_scope_sees_nothing_but_shared_tables(books: Books) -> None:
    with pytest.raises(EngineError, match="NO_SCOPE"):
        books.engine.run(books.checked('SELECT * FROM "Line"', scope=Scope()))


def test_the_engine_takes_nothing_but_checked_queries(books: Books) -> None:
    with pytest.raises(TypeError):
        books.engine.run(cast("Any", "SELECT 1"))


def test_the_text_is_kept_by_shape_and_values_stay_out_of_it(books: Books) -> None:
    first = books.engine.run(books.checked(query(Filter(field="id", value=1))))
    second = books.engine.run(books.checked(query(Filter(field="id", value=2))))
    assert first.receipt.sql == second.receipt.sql
    assert "alpha" not in first.receipt.sql
    assert (first.rows, second.rows) == (((1,),), ((2,),))
    assert first.receipt.call_id != second.receipt.call_id


def test_row_limit_is_probed_with_one_more(books: Books) -> None:
    assert not books.engine.run(books.checked(query(limit=50))).receipt.truncated
    cut = books.engine.run(books.checked(query(limit=49)))
    assert (cut.receipt.truncated, cut.receipt.row_count) == (True, 49)
    own = books.engine.run(books.checked('SELECT "id" FROM "Line" LIMIT 3'))
    assert (own.receipt.truncated, own.receipt.row_count) == (False, 3)


@pytest.mark.parametrize(
    ("sql", "rows", "truncated"),
    [
        ('(SELECT "id" FROM "Line" ORDER BY 1 LIMIT 3 OFFSET 2)', 3, False),
        ('((SELECT "id" FROM "Line" LIMIT 30))', 20, True),
        ('SELECT "id" FROM "Line" UNION ALL SELECT "id" FROM "Line"', 20, True),
        ('SELECT "id" FROM "Line" LIMIT 10 + 15', 20, True),
        ('SELECT "id" FROM "Line" LIMIT 2 + 3', 5, False),
        ('SELECT "id" FROM "Line" LIMIT 25', 20, True),
        ('SELECT "id" FROM "Line" ORDER BY 1 FETCH FIRST 25 ROWS ONLY', 20, True),
        ('WITH a AS (SELECT "id" FROM "Line" LIMIT 21) SELECT * FROM a', 20, True),
    ],
)
def test_limits_of_a_query_s_own(books: Books, sql: str, rows: int, truncated: bool) -> None:
    few = books.with_limits(Limits(rows=20))
    receipt = few.engine.run(books.checked(sql)).receipt
    assert (receipt.row_count, receipt.truncated) == (rows, truncated)


def test_byte_limit_stops_the_fetch(typed_books: Books) -> None:
    small = typed_books.with_limits(Limits(bytes=1000))
    cut = small.engine.run(typed_books.checked("SELECT repeat('x', 300) AS wide FROM \"Line\""))
    assert (cut.receipt.row_count, cut.receipt.truncated) == (3, True)
    assert len(small.engine.run(typed_books.checked('SELECT "id" FROM "Line"')).rows) == 50


def test_a_giant_result_is_not_pulled(typed_books: Books) -> None:
    small = typed_books.with_limits(Limits(rows=1_000_000_000, bytes=100_000))
    sql = "SELECT x AS n, repeat('y', 100) AS y FROM generate_series(1, 2000000) AS g(x)"
    call = typed_books.checked(sql)
    cut = small.engine.run(call)
    assert cut.receipt.truncated
    assert cut.receipt.row_count < 1000


def test_statements_are_stopped_in_time(typed_books: Books) -> None:
    hurried = typed_books.with_limits(Limits(statement_ms=100))
    sql = (
        "SELECT count(*) AS n FROM generate_series(1, 100000) AS a(x)"
        " JOIN generate_series(1, 100000) AS b(y) ON a.x + b.y = -1"
    )
    with pytest.raises(EngineError) as caught:
        hurried.engine.run(typed_books.checked(sql))
    assert caught.value.problem is Problem.TIMEOUT
    assert hurried.engine.run(typed_books.checked("SELECT 1 AS one")).rows == ((1,),)


@pytest.mark.parametrize("language", ["de", "en", "zh"])
def test_errors_never_quote_the_data(typed_books: Books, language: str) -> None:
    with pytest.raises(EngineError) as caught:
        typed_books.engine.run(typed_books.checked('SELECT CAST("note" AS int) FROM "Line"'))
    assert caught.value.problem is Problem.BAD_VALUE
    assert "note" not in caught.value.message(language)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    "sql",
    [
        'SELECT * FROM "Line" FOR UPDATE',
        'WITH gone AS (DELETE FROM "Line" RETURNING *) SELECT * FROM gone',
        'SELECT $1 FROM "Line"',
        'SELECT * INTO "Copy" FROM "Line"',
    ],
)
def test_what_is_no_plain_read_is_refused(books: Books, sql: str) -> None:
    with pytest.raises(EngineError) as caught:
        books.engine.run(books.checked(sql))
    assert caught.value.problem in (Problem.NOT_ALLOWED, Problem.FAILED)


def test_emptiness_tells_unknown_values_from_no_match(books: Books) -> None:
    def why(*filters: Filter) -> Emptiness | None:
        return books.engine.run(books.checked(query(*filters))).receipt.emptiness

    assert why(Filter(field="note", value="nobody wrote this")) is Emptiness.VALUE_UNKNOWN
    assert why(Filter(field="note", value="beta note 3")) is Emptiness.VALUE_UNKNOWN
    known = (Filter(field="note", value="alpha note 3"), Filter(field="id", value=4))
    assert why(*known) is Emptiness.NO_MATCH
    assert why(Filter(field="year", value=1999)) is Emptiness.NO_MATCH
    assert why(Filter(field="id", value=4)) is None


@pytest.mark.parametrize(
    "call",
    [
        query(Filter(field="mandateId", value="beta")),
        query(Filter(field="mandateId", op="in", value=("beta", "nobody"))),
        'SELECT sum("amount") AS total FROM "Line" WHERE "mandateId" = \'beta\'',
    ],
)
def test_forbidden_is_never_shown_as_none(books: Books, call: QueryCall | str) -> None:
    outcome = books.engine.run(books.checked(call, hidden=("secret",)))
    assert outcome.receipt.emptiness is Emptiness.NOT_PERMITTED


def test_emptiness_of_aggregates(books: Books) -> None:
    for aggregate, field in (("sum", "amount"), ("count", None)):
        call = AggregateCall(
            table_name="Line",
            aggregate=aggregate,
            field=field,
            filters=(Filter(field="year", value=1999),),
        )
        assert books.engine.run(books.checked(call)).receipt.emptiness is Emptiness.NO_MATCH
    sql = 'SELECT sum("amount") AS total FROM "Line" WHERE "year" = 1999'
    assert books.engine.run(books.checked(sql)).receipt.emptiness is Emptiness.NO_MATCH


def test_time_range_as_written(books: Books) -> None:
    filters = (
        Filter(field="booked", op=">=", value="2024-01-01"),
        Filter(field="booked", op="<", value="2025-01-01"),
        Filter(field="year", value=2024),
    )
    found = books.engine.run(books.checked(query(*filters))).receipt.time_range
    assert {(each.field, each.start, each.end) for each in found} == {
        ("Line.booked", "2024-01-01", "2025-01-01"),
        ("Line.year", "2024", "2024"),
    }


def test_time_range_of_raw_sql(books: Books) -> None:
    sql = """
        SELECT sum(l."amount") AS total FROM "Line" AS l
        WHERE l."booked" BETWEEN DATE '2023-01-01' AND '2023-12-31'
          AND l."id" > -1 AND 2022 < "year"
        UNION ALL SELECT 1 FROM "Line" WHERE "year" IN (2024, 2023)
    """
    found = books.engine.run(books.checked(sql)).receipt.time_range
    assert {(each.field, each.start, each.end) for each in found} == {
        ("Line.booked", "2023-01-01", "2023-12-31"),
        ("Line.year", "2022", None),
        ("Line.year", "2023", "2024"),
    }


def test_unknown_values_in_raw_sql(books: Books) -> None:
    sql = 'SELECT * FROM "Line" WHERE "note" = \'{}\' AND "id" = 4'
    unknown = books.engine.run(books.checked(sql.format("beta note 4")))
    assert unknown.receipt.emptiness is Emptiness.VALUE_UNKNOWN
    known = books.engine.run(books.checked(sql.format("alpha note 3")))
    assert known.receipt.emptiness is Emptiness.NO_MATCH


def test_stale_data_says_so(books: Books) -> None:
    def engine(age: timedelta | None) -> Engine:
        def updated_at(_: str) -> datetime | None:
            return None if age is None else datetime.now(UTC) - age

        freshness = Freshness(timedelta(days=1), updated_at)
        return Engine(books.engine.database, books.catalog, freshness=freshness)

    call = books.checked(query())
    assert engine(timedelta(hours=1)).run(call).receipt.emptiness is None
    assert engine(timedelta(days=2)).run(call).receipt.emptiness is Emptiness.STALE
    assert engine(None).run(call).receipt.emptiness is Emptiness.STALE
