"""A host that only checks runs what the check hands out: one tenant's rows, on real databases."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import duckdb
import psycopg
import pytest

from veridical.check.checker import Checker
from veridical.contracts.call import AggregateCall, BrowseCall, Call, Filter, QueryCall, SqlCall
from veridical.contracts.caller import Caller, Permissions, Scope
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.statement import ParamStyle, Statement
from veridical.ontology.compile import compile_catalog
from veridical.ontology.ddl import schema_from_ddl
from veridical.sample.postgres import LocalPostgres

TABLES = """
CREATE TABLE orders (
    id integer PRIMARY KEY, tenant_id integer NOT NULL, buyer varchar(40) NOT NULL,
    total numeric(12, 2) NOT NULL
);
CREATE TABLE lines (
    id integer PRIMARY KEY, tenant_id integer NOT NULL,
    order_id integer NOT NULL REFERENCES orders (id), amount numeric(12, 2) NOT NULL
);
CREATE TABLE countries (code varchar(2) PRIMARY KEY, name varchar(40));
"""
ROWS = """
INSERT INTO orders VALUES (1, 1, 'own 10%', 10), (2, 1, 'own', 20), (3, 2, 'foreign', 700);
INSERT INTO lines VALUES (1, 1, 1, 10), (2, 1, 2, 20), (3, 2, 3, 700), (4, 2, 1, 5000);
INSERT INTO countries VALUES ('CH', 'Switzerland');
"""
CALLER = Caller(scope=Scope({"tenant_id": (1,)}, frozenset({"countries"})))
Run = Callable[[Statement], list[tuple[Any, ...]]]

STATEMENTS = {
    "SELECT buyer FROM orders ORDER BY id": [("own 10%",), ("own",)],
    "SELECT * FROM orders ORDER BY id": [(1, 1, "own 10%", 10), (2, 1, "own", 20)],
    "SELECT SUM(total) FROM orders": [(30,)],
    "SELECT COUNT(*) FROM orders o JOIN lines l ON l.order_id = o.id": [(2,)],
    "SELECT COUNT(*) FROM orders WHERE id = 3 OR 1 = 1": [(2,)],
    "SELECT buyer FROM orders WHERE buyer LIKE '%0%'": [("own 10%",)],
    "SELECT id % 2 FROM orders ORDER BY id": [(1,), (0,)],
    "WITH t AS (SELECT * FROM lines) SELECT SUM(amount) FROM t": [(30,)],
    "SELECT (SELECT MAX(total) FROM orders) AS highest": [(20,)],
    "SELECT buyer FROM orders WHERE id IN (SELECT order_id FROM lines) ORDER BY id": [
        ("own 10%",),
        ("own",),
    ],
    "SELECT total FROM orders UNION ALL SELECT amount FROM lines ORDER BY 1": [
        (10,),
        (10,),
        (20,),
        (20,),
    ],
    "SELECT name FROM countries": [("Switzerland",)],
    "SELECT 'parameter_1_ $1 ? %s :p1' AS text FROM orders LIMIT 1": [
        ("parameter_1_ $1 ? %s :p1",)
    ],
}
CALLS: list[tuple[Call, list[tuple[Any, ...]]]] = [
    (BrowseCall(table_name="orders", fields=("id",)), [(1,), (2,)]),
    (QueryCall(table_name="orders", fields=("id",)), [(1,), (2,)]),
    (
        QueryCall(
            table_name="orders",
            fields=("buyer",),
            filters=(
                Filter(field="total", op=">=", value=10.0),
                Filter(field="buyer", op="like", value="%0%"),
                Filter(field="id", op="in", value=(1, 3)),
            ),
        ),
        [("own 10%",)],
    ),
    (AggregateCall(table_name="orders", aggregate="sum", field="total"), [(30,)]),
    (
        AggregateCall(
            table_name="orders", aggregate="count", filters=(Filter(field="id", value=3),)
        ),
        [(0,)],
    ),
]


@pytest.fixture
def on_sqlite() -> Iterator[Run]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLES + ROWS)
        yield lambda given: connection.execute(given.sql, given.parameters).fetchall()


@pytest.fixture
def on_duckdb() -> Iterator[Run]:
    with closing(duckdb.connect()) as connection:
        connection.execute(TABLES + ROWS)
        yield lambda given: connection.execute(given.sql, list(given.parameters)).fetchall()


@pytest.fixture(scope="module")
def shop_url(postgres_server: LocalPostgres) -> str:
    url = postgres_server.create_database("a9_shop")
    with psycopg.connect(url) as connection:
        connection.execute(TABLES + ROWS)  # type: ignore[arg-type]
    return url


@pytest.fixture
def on_postgres(shop_url: str) -> Iterator[Run]:
    with psycopg.connect(shop_url) as connection:
        yield lambda given: connection.execute(
            given.sql,  # type: ignore[arg-type]
            given.parameters,
        ).fetchall()


DATABASES = pytest.mark.parametrize(
    ("dialect", "fixture"),
    [
        ("sqlite", "on_sqlite"),
        ("duckdb", "on_duckdb"),
        pytest.param("postgres", "on_postgres", marks=pytest.mark.postgres),
    ],
)


def checked(call: Call, dialect: str, caller: Caller = CALLER) -> CheckedQuery:
    verdict = Checker(compile_catalog(schema_from_ddl(TABLES)), dialect).check(call, caller)
    assert isinstance(verdict, CheckedQuery), verdict
    return verdict


@DATABASES
@pytest.mark.parametrize("sql", STATEMENTS)
def test_a9_raw_sql_reads_one_tenant(
    sql: str, dialect: str, fixture: str, request: pytest.FixtureRequest
) -> None:
    run: Run = request.getfixturevalue(fixture)
    passed = checked(SqlCall(sql=sql), dialect)
    assert run(Statement(passed.sql, passed.parameters)) == STATEMENTS[sql]


def test_a9_a_cte_may_have_the_name_of_the_table_it_reads(on_duckdb: Run) -> None:
    sql = "WITH orders AS (SELECT * FROM orders) SELECT COUNT(*) FROM orders"
    assert run_rows(on_duckdb, checked(SqlCall(sql=sql), "duckdb")) == [(2,)]


@DATABASES
@pytest.mark.parametrize(("call", "rows"), CALLS)
def test_a9_structured_calls_read_one_tenant(
    call: Call,
    rows: list[tuple[Any, ...]],
    dialect: str,
    fixture: str,
    request: pytest.FixtureRequest,
) -> None:
    run: Run = request.getfixturevalue(fixture)
    assert run(checked(call, dialect).statement()) == rows


@DATABASES
def test_a9_two_tenants_never_see_each_other(
    dialect: str, fixture: str, request: pytest.FixtureRequest
) -> None:
    run: Run = request.getfixturevalue(fixture)
    call = SqlCall(sql="SELECT id FROM orders ORDER BY id")
    other = Caller(scope=Scope({"tenant_id": ("2",)}))
    nobody = Caller(scope=Scope({"tenant_id": ()}))
    both = Caller(scope=Scope({"tenant_id": (1, 2)}))
    assert run(checked(call, dialect).statement()) == [(1,), (2,)]
    assert run(checked(call, dialect, other).statement()) == [(3,)]
    assert run(checked(call, dialect, nobody).statement()) == []
    assert run(checked(call, dialect, both).statement()) == [(1,), (2,), (3,)]


def test_a9_every_style_of_parameters_binds_the_same(on_duckdb: Run, on_sqlite: Run) -> None:
    call = SqlCall(sql="SELECT o.id FROM orders o JOIN orders p ON p.id = o.id ORDER BY o.id")
    for run, dialect, styles in (
        (on_duckdb, "duckdb", (ParamStyle.DOLLAR, ParamStyle.QMARK)),
        (on_sqlite, "sqlite", (ParamStyle.QMARK,)),
    ):
        for style in styles:
            assert run(checked(call, dialect).statement(style)) == [(1,), (2,)]
    named = checked(call, "sqlite").statement("named")
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLES + ROWS)
        assert connection.execute(named.sql, named.by_name).fetchall() == [(1,), (2,)]


@pytest.mark.postgres
def test_a9_percent_signs_and_mappings_reach_psycopg(shop_url: str) -> None:
    call = SqlCall(sql="SELECT id FROM orders WHERE buyer LIKE '%10%' AND id % 2 = 1")
    given = checked(call, "postgres").statement("pyformat")
    with psycopg.connect(shop_url) as connection:
        rows = connection.execute(given.sql, given.by_name).fetchall()  # type: ignore[arg-type]
    assert rows == [(1,)]


def test_a9_hidden_columns_stay_hidden_behind_a_star(on_duckdb: Run) -> None:
    caller = Caller(scope=CALLER.scope, permissions=Permissions(deny=("orders.total",)))
    passed = checked(SqlCall(sql="SELECT * FROM orders ORDER BY id"), "duckdb", caller)
    assert run_rows(on_duckdb, passed) == [(1, 1, "own 10%"), (2, 1, "own")]


def run_rows(run: Run, passed: CheckedQuery) -> list[tuple[Any, ...]]:
    return run(passed.statement())


def test_a9_the_limit_of_the_call_holds(on_duckdb: Run) -> None:
    passed = checked(SqlCall(sql="SELECT id FROM orders ORDER BY id", limit=1), "duckdb")
    assert run_rows(on_duckdb, passed) == [(1,)]


def test_a9_without_a_scope_there_is_nothing_to_write(on_duckdb: Run) -> None:
    passed = checked(SqlCall(sql="SELECT COUNT(*) FROM orders"), "duckdb", Caller())
    assert run_rows(on_duckdb, passed) == [(3,)]


def test_a9_a_namespace_is_written_before_each_table() -> None:
    checker = Checker(compile_catalog(schema_from_ddl(TABLES)), namespace=("sales",))
    verdict = checker.check(SqlCall(sql="SELECT id FROM orders"), CALLER)
    assert isinstance(verdict, CheckedQuery)
    assert '"sales"."orders"' in verdict.sql
