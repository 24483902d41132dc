import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engines.conftest import Books, sqlite_books
from veridical.check.checker import Checker
from veridical.contracts.call import AggregateCall, Filter, QueryCall, SqlCall
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.statement import Statement
from veridical.contracts.violation import Refusal
from veridical.engines import Engine, EngineError, Limits, Problem, Sqlite
from veridical.ontology.compile import compile_catalog

pytestmark = pytest.mark.slow

ALPHA = Caller(Scope({"mandateId": ("alpha",)}, frozenset({"Currency"})))


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Sqlite]:
    opened = sqlite_books(tmp_path / "books.db")
    yield opened
    opened.close()


def fetch(database: Sqlite, sql: str, *values: str | int, limits: Limits | None = None) -> object:
    return database.fetch(Statement(sql, values), Scope(), 10, limits or Limits()).rows


def test_parameters_are_bound_by_their_number(database: Sqlite) -> None:
    assert fetch(database, "SELECT @2, @1, @2", "a", 2) == ((2, "a", 2),)


@pytest.mark.parametrize("value", [10**30, "\ud800"])
def test_values_that_sqlite_cannot_hold(database: Sqlite, value: str | int) -> None:
    with pytest.raises(EngineError) as caught:
        fetch(database, "SELECT @1", value)
    assert caught.value.problem is Problem.BAD_VALUE


def test_large_values_are_refused_unmade(database: Sqlite) -> None:
    grown = "SELECT group_concat(note, '') AS n FROM temp.\"Line\""
    with pytest.raises(EngineError) as caught:
        fetch(database, grown, limits=Limits(row_bytes=500))
    assert caught.value.problem is Problem.TOO_LARGE
    assert fetch(database, "SELECT 1", limits=Limits(row_bytes=500)) == ((1,),)


def test_text_that_is_no_utf8_is_still_read(tmp_path: Path) -> None:
    path = tmp_path / "odd.db"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE t AS SELECT CAST(x'41ff42' AS TEXT) AS a")
    made.close()
    database = Sqlite(path)
    assert fetch(database, "SELECT a FROM temp.t") == (("A\ufffdB",),)
    database.close()


def test_a_table_that_is_locked_says_so(tmp_path: Path) -> None:
    database = sqlite_books(tmp_path / "books.db")
    writer = sqlite3.connect(tmp_path / "books.db", isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    with pytest.raises(EngineError) as caught:
        fetch(database, 'SELECT count(*) FROM temp."Line"')
    assert caught.value.problem is Problem.LOCKED
    writer.execute("COMMIT")
    writer.close()
    assert fetch(database, 'SELECT count(*) FROM temp."Line"') == ((150,),)
    database.close()


def test_closing_ends_what_runs(database: Sqlite) -> None:
    problems: list[Problem] = []

    def run_away() -> None:
        endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)"
        try:
            fetch(database, f"{endless} SELECT max(n) FROM r")
        except EngineError as error:
            problems.append(error.problem)

    running = threading.Thread(target=run_away)
    running.start()
    time.sleep(0.2)
    database.close()
    running.join(5)
    assert problems == [Problem.TIMEOUT]
    with pytest.raises(EngineError) as caught:
        fetch(database, "SELECT 1")
    assert caught.value.problem is Problem.UNAVAILABLE


def test_a_file_that_goes_away_or_is_none(tmp_path: Path) -> None:
    (tmp_path / "junk.db").write_bytes(b"SQLite format 3\x00 and then nothing of the kind")
    for name in ("gone.db", "junk.db"):
        database = Sqlite(tmp_path / name)
        with pytest.raises(EngineError) as caught:
            database.reflect()
        assert caught.value.problem is Problem.UNAVAILABLE
        with pytest.raises(EngineError):
            fetch(database, "SELECT 1")
        database.close()


def test_own_tables_of_sqlite_are_not_shown(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "counted.db") as made:
        made.execute("CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT)")
    made.close()
    assert set(Sqlite(tmp_path / "counted.db").reflect().tables) == {"t"}


def test_a_hidden_column_gives_its_name_at_most(on_sqlite: Books) -> None:
    """A quoted name that is no column is text in SQLite; the rows' values stay out of reach."""
    shown = on_sqlite.engine.run(on_sqlite.checked('SELECT DISTINCT "secret" AS s FROM "Line"'))
    assert shown.rows == (("secret",),)
    with pytest.raises(EngineError):
        on_sqlite.engine.run(on_sqlite.checked('SELECT l.secret FROM "Line" l'))


def test_median_and_deviation(on_sqlite: Books) -> None:
    def of(aggregate: str, *filters: Filter) -> object:
        call = AggregateCall(
            table_name="Line", aggregate=aggregate, field="amount", filters=filters
        )
        return on_sqlite.engine.run(on_sqlite.checked(call)).rows[0][0]

    first = Filter(field="id", op="<=", value=3)
    nothing = Filter(field="id", op="<", value=0)
    assert of("median", first) == 1.75
    assert of("median", nothing) is None
    assert of("stddev", first) == pytest.approx(1.2909944487)
    assert of("stddev", Filter(field="id", value=0)) is None


@pytest.mark.parametrize(
    "sql",
    [
        'SELECT c.n FROM "Account" a CROSS JOIN LATERAL (SELECT 1 AS n) c',
        "SELECT load_extension('x')",
        'SELECT "year", percentile_cont(0.5) WITHIN GROUP (ORDER BY "amount") FROM "Line"',
        "ATTACH 'x.db' AS other",
        "PRAGMA query_only = OFF",
    ],
)
def test_the_check_refuses_what_sqlite_has_not_or_must_not(on_sqlite: Books, sql: str) -> None:
    verdict = Checker(on_sqlite.catalog, "sqlite").check(SqlCall(sql=sql), ALPHA)
    assert isinstance(verdict, Refusal)


def test_integer_tenants_are_compared_as_numbers(tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    with sqlite3.connect(path) as made:
        made.executescript(
            "CREATE TABLE orders (tenant INTEGER, total DECIMAL(12, 2), placed DATE);"
            "INSERT INTO orders VALUES (1, 12.5, '2024-01-02'), (2, 99, '2024-01-03');"
        )
    made.close()
    database = Sqlite(path)
    catalog = compile_catalog(database.reflect())
    caller = Caller(Scope({"tenant": (1,)}))
    call = QueryCall(
        table_name="orders",
        fields=("total", "placed"),
        filters=(Filter(field="total", op=">", value=0.5),),
    )
    checked = Checker(catalog, "sqlite").check(call, caller)
    assert isinstance(checked, CheckedQuery)
    assert Engine(database, catalog).run(checked).rows == ((12.5, "2024-01-02"),)
    database.close()
