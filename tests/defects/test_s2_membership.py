"""S2: ``x IN name`` is a column to sqlglot and a whole table to SQLite and ClickHouse."""

import sqlite3
from itertools import product
from pathlib import Path

import pytest

from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.statement import Statement
from veridical.engines import Engine, EngineError, Limits, Problem
from veridical.engines.sqlite import Sqlite
from veridical.ontology.compile import compile_catalog

ALPHA = Caller(scope=Scope({"tenant": ("alpha",)}))
ORACLE = (
    "SELECT n FROM (SELECT 1 AS n) AS t CROSS JOIN (SELECT 1 AS invoice) AS main"
    " WHERE ((NULL, 'beta', n) IN main.invoice) IS NULL"
)


@pytest.fixture
def database(tmp_path: Path) -> Sqlite:
    path = tmp_path / "books.db"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE invoice (note TEXT, tenant TEXT, n INTEGER)")
        made.execute("INSERT INTO invoice VALUES ('x', 'alpha', 7), ('y', 'beta', 1)")
    made.close()
    return Sqlite(path)


@pytest.mark.parametrize(
    ("dialect", "source"),
    [
        ("sqlite", "main.invoice"),
        *product(("clickhouse", "duckdb"), ("main.invoice", "invoice", '"invoice"')),
    ],
)
def test_s2_the_check_refuses_a_name_after_in(database: Sqlite, dialect: str, source: str) -> None:
    checker = Checker(compile_catalog(database.reflect()), dialect)
    sql = f"SELECT n FROM invoice WHERE n IN {source}"
    assert not checker.check(SqlCall(sql=sql), ALPHA)
    assert checker.check(SqlCall(sql="SELECT n FROM invoice WHERE n IN (1, 2)"), ALPHA)


@pytest.mark.parametrize("source", ["invoice", '"invoice"', "own"])
def test_s2_to_sqlite_it_is_the_rows_that_one_may_see(database: Sqlite, source: str) -> None:
    catalog = compile_catalog(database.reflect())
    sql = (
        f"WITH own AS (SELECT * FROM invoice) SELECT n FROM own WHERE ('y', 'beta', 1) IN {source}"
    )
    checked = Checker(catalog, "sqlite").check(SqlCall(sql=sql), ALPHA)
    assert checked
    assert Engine(database, catalog).run(checked).rows == ()
    checked = Checker(catalog, "sqlite").check(
        SqlCall(sql=sql.replace("y', 'beta', 1", "x', 'alpha', 7")), ALPHA
    )
    assert checked
    assert Engine(database, catalog).run(checked).rows == ((7,),)


def test_s2_sqlite_itself_refuses_the_table(database: Sqlite) -> None:
    """Even where nobody looked at the statement before."""
    for sql in (ORACLE, "SELECT 1 IN (SELECT n FROM main.invoice)", "SELECT * FROM main.invoice"):
        with pytest.raises(EngineError) as caught:
            database.fetch(Statement(sql, ()), ALPHA.scope, 10, Limits())
        assert caught.value.problem is Problem.NOT_PERMITTED


def test_s2_nobody_hides_behind_the_name_of_a_view(database: Sqlite) -> None:
    sql = "WITH invoice AS (SELECT * FROM main.invoice) SELECT * FROM invoice"
    with pytest.raises(EngineError):
        database.fetch(Statement(sql, ()), ALPHA.scope, 10, Limits())


def test_s2_a_caller_reads_its_own_rows(database: Sqlite) -> None:
    catalog = compile_catalog(database.reflect())
    engine = Engine(database, catalog)
    checked = Checker(catalog, "sqlite").check(SqlCall(sql="SELECT n FROM invoice"), ALPHA)
    assert checked
    assert engine.run(checked).rows == ((7,),)
