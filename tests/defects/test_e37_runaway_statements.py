"""One statement can't fill disk or memory: the check refuses it, and the engines stop it."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import sleep

import psycopg
import pytest
from psutil import Process

from tests.engines.conftest import READER, duckdb_books, postgres_books
from veridical.check.checker import Checker
from veridical.check.dialects import DIALECTS
from veridical.contracts.call import SqlCall
from veridical.contracts.caller import Scope
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.schema import Column, Schema, Table, ValueType
from veridical.contracts.statement import Statement
from veridical.contracts.violation import Code, Refusal
from veridical.engines import EngineError, Limits, Postgres, Problem, install_row_level_security
from veridical.ontology.compile import compile_catalog

pytestmark = pytest.mark.slow

COLUMNS = (
    Column("id", ValueType.INTEGER),
    Column("parent", ValueType.INTEGER),
    Column("label", ValueType.TEXT),
    Column("opened", ValueType.DATE),
)
CATALOG = compile_catalog(Schema.of([Table("Account", COLUMNS, keys=(("id",),))]))
ENDLESS = (
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n FROM r) SELECT count(*) FROM r",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT n + 1 FROM r) SELECT count(*) FROM r",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 1000000000)"
    " SELECT count(*) FROM r",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 0 FROM r WHERE n < 10) SELECT n FROM r",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n - 1 FROM r WHERE n < 10) SELECT n FROM r",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 10 OR n > 1)"
    " SELECT n FROM r",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT a.n + 1 FROM r AS a, r AS b WHERE a.n < 40)"
    " SELECT n FROM r",
    "WITH RECURSIVE r(n, x) AS (SELECT 1, 'a' UNION ALL SELECT n, x || x FROM r WHERE n < 9)"
    " SELECT n FROM r",
    'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r, "Account" WHERE n < 5000)'
    " SELECT n FROM r",
    'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n FROM r JOIN "Account" AS a ON a."id" > 0)'
    " SELECT n FROM r",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n > 0) SELECT n FROM r",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE '1' < '2')"
    " SELECT n FROM r",
    'WITH RECURSIVE r(id) AS (SELECT "id" FROM "Account" UNION ALL SELECT a."id" FROM r'
    ' JOIN r AS s ON s.id = r.id JOIN "Account" AS a ON a."parent" = r.id) SELECT id FROM r',
)
LARGE = (
    "SELECT repeat('x', 400000000)",
    "SELECT repeat('x', 20000 * 20000)",
    "SELECT repeat('x', (SELECT 400000000))",
    "SELECT repeat(repeat('x', 90000), 90000)",
    "SELECT lpad('x', 400000000)",
    "SELECT rpad('x', 400000000, 'y')",
    "SELECT length(repeat('x', 400000000))",
    "SELECT * FROM generate_series(1, 1000000000) AS g",
    "SELECT * FROM generate_series(1, 1000000 * 1000) AS g",
    "SELECT * FROM generate_series(1, (SELECT 1000000000)) AS g",
    "SELECT * FROM generate_series(0, 1000000, 0.0001) AS g",
    "SELECT generate_series(1, 1000000000)",
    "SELECT g FROM generate_series(DATE '0001-01-01', DATE '9999-01-01', INTERVAL '1 second') AS g",
)
BOUNDED = (
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 12) SELECT n FROM r",
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE 9 > n) SELECT n FROM r",
    'WITH RECURSIVE t(id, depth) AS (SELECT "id", 1 FROM "Account" WHERE "parent" IS NULL'
    ' UNION ALL SELECT a."id", t.depth + 1 FROM "Account" AS a JOIN t ON a."parent" = t.id'
    " WHERE t.depth < 20) SELECT id, depth FROM t",
    'WITH RECURSIVE t(id, path) AS (SELECT "id", "label" FROM "Account" WHERE "parent" IS NULL'
    ' UNION ALL SELECT a."id", t.path || a."label" FROM "Account" AS a JOIN t ON a."parent" = t.id)'
    " SELECT id, path FROM t",
    'WITH RECURSIVE up(id, above) AS (SELECT "id", "parent" FROM "Account" WHERE "id" = 7'
    ' UNION SELECT a."id", a."parent" FROM up, "Account" AS a WHERE up.above = a."id")'
    " SELECT id FROM up",
    "WITH RECURSIVE d(day) AS (SELECT DATE '2025-01-01' UNION ALL"
    " SELECT day + INTERVAL '1 day' FROM d WHERE day < DATE '2025-12-31') SELECT day FROM d",
    'WITH RECURSIVE d(day) AS (SELECT min("opened") FROM "Account" UNION ALL'
    " SELECT day + INTERVAL '1 month' FROM d"
    ' WHERE day <= (SELECT max("opened") FROM "Account")) SELECT day FROM d',
    "WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM r WHERE n + 1 <= 12)"
    " SELECT n FROM r",
    "WITH RECURSIVE plain AS (SELECT 1 AS n) SELECT n FROM plain",
    "SELECT repeat('x', 10), rpad('x', 20), lpad('7', 5, '0')",
    "SELECT g FROM generate_series(1, 366) AS g",
    "SELECT g FROM generate_series(10, 1, -1) AS g",
    "SELECT g FROM generate_series(DATE '2024-01-01', DATE '2024-12-31', INTERVAL '1 day') AS g",
    'SELECT g FROM generate_series((SELECT min("id") FROM "Account"),'
    ' (SELECT max("id") FROM "Account")) AS g',
)


@pytest.mark.parametrize("sql", [*ENDLESS, *LARGE])
def test_e37_what_has_no_bound_is_refused(sql: str) -> None:
    verdict = Checker(CATALOG).check(SqlCall(sql=sql))
    assert isinstance(verdict, Refusal)
    assert Code.TOO_COMPLEX in {each.code for each in verdict.violations}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("sql", ENDLESS)
def test_e37_endless_recursion_is_refused_in_every_dialect(sql: str, dialect: str) -> None:
    assert isinstance(Checker(CATALOG, dialect).check(SqlCall(sql=sql)), Refusal)


@pytest.mark.parametrize("sql", BOUNDED)
def test_e37_what_shows_its_bound_passes(sql: str) -> None:
    verdict = Checker(CATALOG).check(SqlCall(sql=sql))
    assert isinstance(verdict, CheckedQuery), verdict


@pytest.fixture(scope="module")
def database(postgres_url: str) -> Iterator[Postgres]:
    database = postgres_books(postgres_url)
    yield database
    database.close()


@pytest.mark.postgres
def test_e37_temporary_files_are_limited(database: Postgres) -> None:
    endless = (
        "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r"
    )
    limits = Limits(temp_mb=8, sort_mb=1, statement_ms=60_000)
    with pytest.raises(EngineError) as caught:
        database.fetch(Statement(endless, ()), Scope({"mandateId": ("alpha",)}), 10, limits)
    assert caught.value.problem is Problem.TOO_LARGE


@pytest.mark.postgres
def test_e37_a_login_without_rights_gets_the_limit_by_the_installation(
    database: Postgres, postgres_url: str
) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute("DROP ROLE IF EXISTS e37_asker")
        owner.execute("CREATE ROLE e37_asker LOGIN")
        install_row_level_security(owner, {"Line": ["mandateId"]}, READER, login="e37_asker")
        row = owner.execute(
            "SELECT has_parameter_privilege('e37_asker', 'temp_file_limit', 'SET')"
        ).fetchone()
    assert row == (True,)


@contextmanager
def grown_mb() -> Generator[list[float]]:
    """How much this process grew at most while the block ran."""
    process, told, done = Process(), list[float](), Event()
    before = process.memory_info().rss

    def watch() -> None:
        most = before
        while not done.wait(0.002):
            most = max(most, process.memory_info().rss)
        told.append((most - before) / 1e6)

    watcher = Thread(target=watch)
    watcher.start()
    try:
        yield told
    finally:
        done.set()
        watcher.join()


GIANT = (
    "SELECT repeat('x', 400000000) AS x",
    "SELECT string_agg(repeat(g::text, 100000), '') FROM generate_series(1, 2000) AS g",
    "SELECT array_agg(repeat(g::text, 100000)) FROM generate_series(1, 2000) AS g",
    "SELECT json_agg(repeat(g::text, 100000)) FROM generate_series(1, 2000) AS g",
    "SELECT repeat(g::text, 1000000) AS x, g FROM generate_series(1, 300) AS g ORDER BY g LIMIT 9",
    "WITH a AS (SELECT repeat('x', 50000000) AS x), b AS (SELECT concat(x, x, x, x) AS x FROM a)"
    " SELECT x FROM b LIMIT 10",
    "SELECT repeat('x', 400000000) AS guarded",
    "SELECT convert_to(repeat('x', 100000000), 'UTF8') AS x",
)


@pytest.mark.postgres
@pytest.mark.parametrize("sql", GIANT)
def test_e37_a_giant_value_never_arrives(database: Postgres, sql: str) -> None:
    with grown_mb() as grown, pytest.raises(EngineError) as caught:
        database.fetch(Statement(sql, ()), Scope({"mandateId": ("alpha",)}), 10, Limits())
    assert caught.value.problem is Problem.TOO_LARGE
    assert grown[0] < 100


@pytest.mark.postgres
def test_e37_many_large_rows_are_cut(database: Postgres) -> None:
    rows = "SELECT repeat('x', 900000) AS x FROM generate_series(1, 5000) AS g LIMIT 5000"
    with grown_mb() as grown:
        found = database.fetch(Statement(rows, ()), Scope(), 5000, Limits())
    assert found.truncated
    assert 0 < len(found.rows) <= 8
    assert grown[0] < 100


@pytest.mark.postgres
def test_e37_the_guard_changes_nothing_else(database: Postgres) -> None:
    sql = (
        "SELECT g AS a, 'b' AS a, $1 AS c, NULL AS d, ARRAY[g] AS guarded"
        " FROM generate_series(1, 3) AS g ORDER BY 1 DESC LIMIT 2 OFFSET 1 -- end"
    )
    found = database.fetch(Statement(sql, ("v",)), Scope(), 10, Limits())
    assert found.columns == ("a", "a", "c", "d", "guarded")
    assert found.rows == ((2, "b", "v", None, [2]), (1, "b", "v", None, [1]))


@pytest.mark.postgres
def test_e37_a_statement_writes_a_quarter_of_a_gigabyte_at_most(
    database: Postgres, postgres_url: str
) -> None:
    sql = "SELECT g, repeat('x', 900) AS x FROM generate_series(1, 3000000) AS g ORDER BY 2, 1 DESC"
    told = "SELECT temp_bytes FROM pg_stat_database WHERE datname = current_database()"
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        before = owner.execute(told).fetchone()
        with pytest.raises(EngineError) as caught:
            database.fetch(Statement(sql, ()), Scope({"mandateId": ("alpha",)}), 10, Limits())
        sleep(1.2)  # the database tells of it with a delay
        after = owner.execute(told).fetchone()
    assert caught.value.problem is Problem.TOO_LARGE
    assert before is not None
    assert after is not None
    assert after[0] - before[0] <= 256 * 1024 * 1024


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT string_agg(repeat('label', 1000), '') FROM range(200000)",
        "SELECT array_agg(repeat('label', 1000)) FROM range(200000)",
    ],
)
def test_e37_duckdb_holds_little(tmp_path_factory: pytest.TempPathFactory, sql: str) -> None:
    duck = duckdb_books(tmp_path_factory.mktemp("e37") / "books.duckdb")
    try:
        with grown_mb() as grown, pytest.raises(EngineError) as caught:
            duck.fetch(Statement(sql, ()), Scope(), 10, Limits())
    finally:
        duck.close()
    assert caught.value.problem is Problem.TOO_LARGE
    assert grown[0] < 200
