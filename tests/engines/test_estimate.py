"""What a statement would read: each engine's own estimate, and the budget that it is held to."""

import logging
from collections.abc import Iterator
from typing import Any

import duckdb
import psycopg
import pytest

from tests.engines.conftest import Books
from veridical.contracts.call import AggregateCall, Filter
from veridical.contracts.caller import Scope
from veridical.contracts.cost import CostBudget, CostSettings
from veridical.contracts.statement import Statement
from veridical.engines import DuckDb, Engine, EngineError, Limits, Postgres, Problem, open_duckdb
from veridical.engines.cost_guard import OverBudgetError, excess_of
from veridical.engines.estimate import (
    CostEstimate,
    Estimates,
    clickhouse_estimate,
    mysql_estimate,
)
from veridical.engines.postgres_explain import TableSizes
from veridical.ontology.compile import compile_catalog

ROWS = 20_000
LARGE = f"""
    CREATE TABLE visit (
        id int PRIMARY KEY, place int, day date, note text, tenant text
    );
    INSERT INTO visit
        SELECT n, n % 50, date '2020-01-01' + (n / 20), repeat('x', 20), 't' || n % 10
        FROM generate_series(1, {ROWS}) AS s(n);
    CREATE INDEX visit_day ON visit (day);
    CREATE TABLE place (id int PRIMARY KEY, name text);
    INSERT INTO place SELECT n, 'place ' || n FROM generate_series(0, 49) AS s(n);
    ANALYZE;
"""
NOBODY = Scope()


@pytest.fixture(scope="module")
def visits(postgres_url: str) -> Iterator[Postgres]:
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute(LARGE.encode())
    database = Postgres(postgres_url)
    yield database
    database.close()


def estimated(database: Any, sql: str, *values: str | int) -> CostEstimate:
    found = database.estimate(Statement(sql, values), NOBODY, Limits())
    assert found is not None
    return found


def truly_read(url: str, sql: str, *values: str | int) -> float:
    """The rows that PostgreSQL read when it ran the statement."""
    with psycopg.connect(url) as connection, psycopg.RawCursor(connection) as cursor:
        explain = f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}".encode()
        plan = cursor.execute(explain, values).fetchone()[0][0]["Plan"]  # type: ignore[index]
    waiting, rows = [plan], 0.0
    while waiting:
        node = waiting.pop()
        waiting += node.get("Plans", [])
        if "Relation Name" in node:
            dropped = node.get("Rows Removed by Filter", 0)
            rows += (node["Actual Rows"] + dropped) * node["Actual Loops"]
    return rows


STATEMENTS: tuple[tuple[str, tuple[str | int, ...]], ...] = (
    ("SELECT count(*) FROM public.visit", ()),
    ("SELECT count(*) FROM public.visit WHERE place = $1", (7,)),
    ("SELECT * FROM public.visit WHERE id = $1", (77,)),
    ("SELECT * FROM public.visit WHERE day BETWEEN $1 AND $2", ("2020-03-01", "2020-03-31")),
    ("SELECT * FROM public.visit WHERE day = $1 AND tenant = 't3'", ("2020-03-01",)),
    ("SELECT * FROM public.visit LIMIT 100", ()),
    ("SELECT * FROM public.visit ORDER BY day DESC LIMIT 10", ()),
    ("SELECT * FROM public.visit ORDER BY note LIMIT 10", ()),
    (
        "SELECT p.name, count(*) FROM public.visit v JOIN public.place p ON p.id = v.place"
        " GROUP BY 1",
        (),
    ),
    (
        "WITH a AS (SELECT place, count(*) AS n FROM public.visit GROUP BY 1) SELECT max(n) FROM a",
        (),
    ),
    ("SELECT name FROM public.place WHERE id IN (SELECT place FROM public.visit)", ()),
    ("SELECT 1", ()),
)


@pytest.mark.parametrize(("sql", "values"), STATEMENTS)
def test_postgres_estimates_what_it_then_reads(
    visits: Postgres, postgres_url: str, sql: str, values: tuple[str | int, ...]
) -> None:
    found = estimated(visits, sql, *values).rows_read
    truth = truly_read(postgres_url, sql, *values)
    assert abs(found - truth) <= 0.3 * truth + 30


def test_a_join_of_two_orders_ends_with_the_shorter_one(visits: Postgres) -> None:
    joined = "SELECT p.name FROM public.place p JOIN public.visit v ON v.id = p.id"
    assert estimated(visits, joined).rows_read < ROWS / 10


def test_a_table_that_was_never_counted_is_estimated_by_its_pages(
    visits: Postgres, postgres_url: str
) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute("CREATE TABLE fresh AS SELECT * FROM visit")
    found = estimated(visits, "SELECT id, note FROM public.fresh WHERE place = 3").rows_read
    assert ROWS / 2 < found < ROWS * 2


def test_postgres_counts_bytes_of_what_it_reads(visits: Postgres) -> None:
    whole = estimated(visits, "SELECT count(*) FROM public.visit").bytes_read
    one = estimated(visits, "SELECT * FROM public.visit WHERE id = 5").bytes_read
    assert whole is not None
    assert one is not None
    assert whole > 1_000_000 > 1_000 > one


def test_the_largest_reading_comes_first(visits: Postgres) -> None:
    joined = "SELECT count(*) FROM public.place p JOIN public.visit v ON v.place = p.id"
    assert estimated(visits, joined).tables == ("visit", "place")


@pytest.fixture(scope="module")
def in_duckdb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDb]:
    path = tmp_path_factory.mktemp("visits") / "visits.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE TABLE visit AS SELECT range AS id, range % 50 AS place,"
            f" DATE '2020-01-01' + (range // 20)::INT AS day FROM range({ROWS})"
        )
        connection.execute("CREATE TABLE place AS SELECT range AS id FROM range(50)")
    database = open_duckdb(path)
    yield database
    database.close()


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT sum(id) FROM data.main.visit", ROWS),
        ("SELECT sum(id) FROM data.main.visit WHERE place = 7", ROWS),
        ("SELECT * FROM data.main.visit LIMIT 100", 100),
        ("SELECT * FROM data.main.visit ORDER BY day LIMIT 3", ROWS),
        ("SELECT v.id FROM data.main.visit v JOIN data.main.place p ON v.place = p.id", ROWS + 50),
        ("SELECT 1", 0),
    ],
)
def test_duckdb_estimates_what_it_scans(in_duckdb: DuckDb, sql: str, rows: int) -> None:
    assert estimated(in_duckdb, sql).rows_read == rows


def test_clickhouse_reads_the_parts_that_its_key_leaves() -> None:
    rows = [["b", "visit", 1, 8192, 1], ["b", "place", 1, 50, 1], ["b", "visit", 2, 100, 1]]
    assert clickhouse_estimate(rows) == CostEstimate(8342, None, ("visit", "place"))


def test_mysql_reads_the_second_table_for_each_row_of_the_first() -> None:
    plan = {
        "query_block": {
            "select_id": 1,
            "nested_loop": [
                {"table": {"table_name": "v", "access_type": "ALL", "rows": 1000, "filtered": 10}},
                {"table": {"table_name": "p", "access_type": "eq_ref", "rows": 1, "filtered": 100}},
            ],
        }
    }
    assert mysql_estimate(plan) == CostEstimate(1100, None, ("v", "p"))


def test_a_tenants_budget_can_only_be_lower() -> None:
    cost = CostSettings(
        most_rows_read=1000,
        tenants={"a": CostBudget(most_rows_read=10), "b": CostBudget(most_rows_read=10_000)},
    )
    assert [cost.of(name).most_rows_read for name in ("a", "b", "c", "")] == [10, 1000, 1000, 1000]


def test_money_needs_a_price() -> None:
    with pytest.raises(ValueError, match="price_per_terabyte"):
        CostSettings(most_money=1)
    with pytest.raises(ValueError, match="price_per_terabyte"):
        CostSettings(tenants={"a": CostBudget(most_money=1)})
    assert CostSettings(price_per_terabyte=5, tenants={"a": CostBudget(most_money=1)})


def test_each_limit_counts_by_itself() -> None:
    estimate = CostEstimate(100, 2 * 10**12)
    units = [
        excess.unit if excess else ""
        for excess in (
            excess_of(estimate, CostBudget(most_rows_read=99)),
            excess_of(estimate, CostBudget(most_rows_read=100)),
            excess_of(estimate, CostBudget(most_bytes_read=10**12)),
            excess_of(estimate, CostBudget(most_money=9, price_per_terabyte=5)),
            excess_of(estimate, CostBudget(most_money=10, price_per_terabyte=5)),
            excess_of(CostEstimate(100), CostBudget(most_bytes_read=1)),
        )
    ]
    assert units == ["rows", "", "bytes", "money", "", ""]


class Spied:
    """A database that keeps what it was asked."""

    def __init__(self, database: Any, *, failure: Exception | None = None) -> None:
        self.database = database
        self.dialect, self.namespace = database.dialect, database.namespace
        self.reflect, self.close = database.reflect, database.close
        self.failure = failure
        self.asked: list[str] = []

    def fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Any:
        self.asked.append("run")
        return self.database.fetch(statement, scope, rows, limits)

    def estimate(self, statement: Statement, scope: Scope, limits: Limits) -> Any:
        self.asked.append("estimate")
        if self.failure is not None:
            raise self.failure
        return self.database.estimate(statement, scope, limits)


@pytest.fixture(scope="module", params=["postgres", "duckdb"])
def priced_books(request: pytest.FixtureRequest) -> Books:
    return request.getfixturevalue(f"on_{request.param}")


def under(books: Books, spied: Spied, **budget: Any) -> Engine:
    return Engine(spied, books.catalog).under(CostSettings(**budget))


WHOLE = Scope({}, frozenset({"*"}))


def test_a_statement_over_its_budget_is_not_run(priced_books: Books) -> None:
    spied = Spied(priced_books.engine.database)
    engine = under(priced_books, spied, most_rows_read=10)
    call = AggregateCall(table_name="Line", aggregate="SUM", field="amount")
    with pytest.raises(EngineError) as refused:
        engine.run(priced_books.checked(call))
    assert refused.value.problem is Problem.OVER_COST_BUDGET
    assert spied.asked == ["estimate"]
    assert str(refused.value) == (
        "OVER_COST_BUDGET: Not run: it would read more than the budget of 10 rows."
        " Choose a period of Line.year."
    )


def test_a_member_of_a_tenant_never_learns_how_many_rows_all_have(priced_books: Books) -> None:
    engine = under(priced_books, Spied(priced_books.engine.database), most_rows_read=10)
    call = AggregateCall(table_name="Line", aggregate="COUNT")
    with pytest.raises(EngineError) as refused:
        engine.run(priced_books.checked(call))
    assert "150" not in str(refused.value)
    generous = under(priced_books, Spied(priced_books.engine.database), most_rows_read=10_000)
    assert generous.run(priced_books.checked(call)).receipt.cost is None


def test_without_tenants_the_estimate_is_told_and_kept(in_duckdb: DuckDb) -> None:
    catalog = compile_catalog(in_duckdb.reflect())
    books = Books(Engine(in_duckdb, catalog), catalog)
    call = AggregateCall(table_name="visit", aggregate="SUM", field="id")
    checked = books.checked(call, scope=WHOLE)
    with pytest.raises(EngineError, match=r"read about 20.000 rows; the budget is 500 rows"):
        books.engine.under(CostSettings(most_rows_read=500)).run(checked)
    cost = books.engine.under(CostSettings(most_rows_read=50_000)).run(checked).receipt.cost
    assert cost is not None
    assert cost.rows_estimated == ROWS


def test_a_period_that_is_there_is_to_be_shorter(priced_books: Books) -> None:
    engine = under(priced_books, Spied(priced_books.engine.database), most_rows_read=10)
    call = AggregateCall(
        table_name="Line",
        aggregate="COUNT",
        filters=(Filter(field="year", op=">=", value=2023),),
    )
    with pytest.raises(OverBudgetError, match=r"Choose a shorter period of Line\.year"):
        engine.run(priced_books.checked(call))


def test_without_a_budget_nothing_is_estimated(priced_books: Books) -> None:
    spied = Spied(priced_books.engine.database)
    call = AggregateCall(table_name="Line", aggregate="COUNT")
    outcome = under(priced_books, spied).run(priced_books.checked(call))
    assert "estimate" not in spied.asked
    assert "cost" not in outcome.receipt.model_dump(mode="json", by_alias=True)


@pytest.mark.parametrize(
    ("failure", "noted"),
    [
        (EngineError(Problem.TIMEOUT), "no estimate of the cost: TIMEOUT"),
        (KeyError("Plan Rows"), "a plan can't be read"),
    ],
)
def test_a_failed_estimate_stops_nothing(
    priced_books: Books, caplog: pytest.LogCaptureFixture, failure: Exception, noted: str
) -> None:
    spied = Spied(priced_books.engine.database, failure=failure)
    engine = under(priced_books, spied, most_rows_read=1)
    call = AggregateCall(table_name="Line", aggregate="COUNT")
    with caplog.at_level(logging.WARNING, "veridical.engines"):
        assert engine.run(priced_books.checked(call)).rows == ((50,),)
    assert noted in caplog.text


def test_the_tenants_own_budget_counts(priced_books: Books) -> None:
    tenants = {"alpha": CostBudget(most_rows_read=5)}
    engine = under(priced_books, Spied(priced_books.engine.database), tenants=tenants)
    call = AggregateCall(table_name="Line", aggregate="COUNT")
    with pytest.raises(OverBudgetError):
        engine.run(priced_books.checked(call))
    shared = frozenset({"Currency"})
    assert engine.run(priced_books.checked(call, scope=Scope({"mandateId": ("beta",)}, shared)))


def test_the_plan_is_of_the_callers_rows(on_postgres: Books) -> None:
    """The statement that is explained is the scoped one, under the reader's role."""
    seen: list[Statement] = []

    class Watched(Spied):
        def estimate(self, statement: Statement, scope: Scope, limits: Limits) -> Any:
            seen.append(statement)
            return super().estimate(statement, scope, limits)

    engine = under(on_postgres, Watched(on_postgres.engine.database), most_rows_read=10_000)
    engine.run(on_postgres.checked('SELECT count(*) FROM "Line"'))
    assert '"mandateId"' in seen[0].sql
    assert seen[0].parameters == ("alpha",)


def test_sqlite_has_no_estimate_and_so_no_guard(on_sqlite: Books) -> None:
    assert not isinstance(on_sqlite.engine.database, Estimates)
    engine = on_sqlite.engine.under(CostSettings(most_rows_read=1))
    call = AggregateCall(table_name="Line", aggregate="COUNT")
    assert engine.run(on_sqlite.checked(call)).rows == ((50,),)


def test_the_size_of_a_table_is_read_again_after_its_time() -> None:
    sale, place = ("public", "sale"), ("public", "place")
    lasting, short = TableSizes(60), TableSizes(-1)
    for sizes in (lasting, short):
        assert sizes.unknown([sale, place]) == [sale, place]
        sizes.keep([sale, place], [("public", "sale", 100.0, 2)])
    assert (lasting.of(sale), lasting.of(place)) == ((100.0, 2), (-1.0, 0))
    assert (lasting.unknown([sale, place]), short.unknown([sale])) == ([], [sale])


def test_a_table_that_grew_since_its_size_was_read_is_read_whole(postgres_url: str) -> None:
    database = Postgres(postgres_url)
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute("CREATE TABLE growing AS SELECT n FROM generate_series(1, 1000) AS s(n)")
        owner.execute("ANALYZE growing")
        assert estimated(database, "SELECT sum(n) FROM public.growing").rows_read == 1000
        owner.execute("INSERT INTO growing SELECT n FROM generate_series(1, 99000) AS s(n)")
        owner.execute("ANALYZE growing")
    assert estimated(database, "SELECT sum(n) FROM public.growing").rows_read == 100_000
    database.close()


def test_a_plan_that_fails_leaves_the_connection_usable(postgres_url: str) -> None:
    database = Postgres(postgres_url, connections=1)
    with pytest.raises(EngineError):
        estimated(database, "SELECT nothing FROM public.nowhere")
    assert estimated(database, "SELECT 1").rows_read == 0
    database.close()
