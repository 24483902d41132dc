"""What every engine of the registry must do, on the same books, with hostile statements.

An engine joins with one entry in ``SETUPS``: how the books get into it, and a statement that fails
on a value. Its hostile statements are in ``hostile/DIALECT.sql``, one a line; a line with ``~`` may
run, and must leave nothing behind.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

from tests.engines.conftest import (
    ONTOLOGY,
    READER,
    TENANTS,
    Books,
    clickhouse_books,
    duckdb_books,
    mysql_books,
    postgres_books,
    sail_books,
    sqlite_books,
)
from veridical.check.checker import Checker
from veridical.check.dialects import DIALECTS
from veridical.contracts.call import AggregateCall, BrowseCall
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.language import Language
from veridical.contracts.statement import Statement
from veridical.engines import Engine, EngineError, EngineKind, Label, Limits, Problem
from veridical.engines.database import Database, EndsStatements
from veridical.engines.kind import Lock, Orphan
from veridical.engines.limits import Fetched
from veridical.engines.registry import SHIPPED, engine_of
from veridical.engines.step_statements import StepStatements, statements_of
from veridical.ontology.compile import compile_catalog
from veridical.ontology.errors import SourceError, SourceProblem
from veridical.statement.scope import base_table

pytestmark = pytest.mark.slow

_HOSTILE = Path(__file__).parent / "hostile"
_CAST = 'SELECT CAST("note" AS int) FROM "Line"'
_COUNT = AggregateCall(table_name="Line", aggregate="count")
_RUNAWAY = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"
_GIANT = (
    'SELECT a."id", b."note" FROM "Line" a CROSS JOIN "Line" b CROSS JOIN "Line" c'
    ' CROSS JOIN "Line" d'
)


@dataclass(frozen=True)
class Setup:
    """How the books get into an engine: makes them in a folder, gives their address."""

    make: Callable[[pytest.FixtureRequest, Path], str]
    fails: str = _CAST
    """Fails on a value of the tenant's own rows."""
    runaway: str = _RUNAWAY
    """Never ends by itself."""
    quote: str = '"'
    """What names are quoted with."""
    role: str | None = None


def _postgres(request: pytest.FixtureRequest, folder: Path) -> str:
    del folder
    url: str = request.getfixturevalue("postgres_url")
    postgres_books(url).close()
    return url


def _duckdb(request: pytest.FixtureRequest, folder: Path) -> str:
    del request
    duckdb_books(folder / "books.duckdb").close()
    return f"duckdb:///{folder / 'books.duckdb'}"


def _sqlite(request: pytest.FixtureRequest, folder: Path) -> str:
    del request
    sqlite_books(folder / "books.db").close()
    return f"sqlite:///{folder / 'books.db'}"


def _files(request: pytest.FixtureRequest, folder: Path) -> str:
    _duckdb(request, folder)
    rows = folder / "rows"
    rows.mkdir()
    with duckdb.connect(str(folder / "books.duckdb"), read_only=True) as connection:
        for table in ("Account", "Line", "Currency", "Orphan"):
            connection.execute(f"COPY \"{table}\" TO '{rows / table}.csv' (HEADER)")
    return str(rows)


def _mysql(request: pytest.FixtureRequest, folder: Path) -> str:
    del folder
    return mysql_books(request.getfixturevalue("mariadb"))


def _clickhouse(request: pytest.FixtureRequest, folder: Path) -> str:
    del request
    return clickhouse_books(folder / "books")


def _flight(request: pytest.FixtureRequest, folder: Path) -> str:
    del folder
    return sail_books(request.getfixturevalue("sail"))


_MANY = "SELECT count(*) FROM " + " CROSS JOIN ".join(f"books.`Line` AS l{n}" for n in range(6))
_NUMBERS = "SELECT sum(a.number * b.number) FROM numbers(10000000) a CROSS JOIN numbers(10000000) b"
_EXPLODED = "SELECT count(*) FROM " + " CROSS JOIN ".join(
    f"(SELECT explode(sequence(1, 10000)) AS n{n}) AS s{n}" for n in range(4)
)

SETUPS = {
    "postgres": Setup(_postgres, role=READER),
    "duckdb": Setup(_duckdb),
    "sqlite": Setup(_sqlite, fails='SELECT json_extract("note", \'$.a\') FROM "Line"'),
    "mysql": Setup(_mysql, fails="SELECT ~0 + 1 + `id` AS n FROM `Line`", runaway=_MANY, quote="`"),
    "clickhouse": Setup(_clickhouse, runaway=_NUMBERS),
    "flight": Setup(
        _flight, fails="SELECT CAST(`note` AS int) FROM `Line`", runaway=_EXPLODED, quote="`"
    ),
    "files": Setup(_files),
}


@dataclass(frozen=True)
class Candidate:
    """An engine on the books."""

    kind: EngineKind
    setup: Setup
    address: str
    folder: Path
    database: Database
    books: Books

    def open(self) -> Database:
        return self.kind.open(self.address, self.setup.role, 2)

    def spelled(self, sql: str) -> str:
        """A statement with its names quoted as this engine quotes them."""
        return sql.replace('"', self.setup.quote)

    def fetch(self, sql: str, limits: Limits | None = None, tenant: str = "alpha") -> Fetched:
        scope = Scope({"mandateId": (tenant,)})
        return self.database.fetch(Statement(sql, ()), scope, 100, limits or Limits())

    def count(self, tenant: str) -> object:
        scope = Scope({"mandateId": (tenant,)})
        return self.books.engine.run(self.books.checked(_COUNT, scope=scope)).rows[0][0]

    def refuses(self, line: str) -> bool:
        """Whether a hostile statement is refused, soon; either way it must do no harm."""
        started, refused = time.monotonic(), False
        try:
            self.fetch(line.removeprefix("~ ").format(folder=self.folder), Limits(statement_ms=500))
        except EngineError:
            refused = True
        assert time.monotonic() - started < 5, line
        assert self.unharmed(), line
        return refused

    def unharmed(self) -> bool:
        """Everybody's rows are there and are only theirs, no file was written, limits hold."""
        with pytest.raises(EngineError) as caught:
            self.fetch(self.setup.runaway, Limits(statement_ms=50))
        shown = self.books.engine.run(self.books.checked(self.spelled(_SHOWN)))
        return (
            caught.value.problem is Problem.TIMEOUT
            and [self.count(tenant) for tenant in TENANTS] == [50] * len(TENANTS)
            and len(shown.rows) == 50
            and all(
                "alpha" in f"{note or 'alpha'}" and "alpha" in label for note, label in shown.rows
            )
            and not list(self.folder.rglob("stolen*"))
        )


_SHOWN = 'SELECT "note", "label" FROM "Line" l JOIN "Account" a ON a."id" = l."accountId"'


RUNNING = tuple(kind for kind in SHIPPED if kind.label is not Label.CONTRACT_ONLY)


@pytest.fixture(scope="module", params=RUNNING, ids=lambda kind: kind.name)
def candidate(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Candidate]:
    kind: EngineKind = request.param
    setup, folder = SETUPS[kind.name], tmp_path_factory.mktemp(kind.name)
    address = setup.make(request, folder)
    database = kind.open(address, setup.role, 4)
    catalog = compile_catalog(database.reflect(), ONTOLOGY)
    books = Books(Engine(database, catalog), catalog)
    yield Candidate(kind, setup, address, folder, database, books)
    database.close()


def test_every_engine_has_a_setup() -> None:
    assert set(SETUPS) == {kind.name for kind in RUNNING}


@pytest.mark.parametrize(
    "kind", [each for each in SHIPPED if each not in RUNNING], ids=lambda kind: kind.name
)
def test_a_contract_is_checked_and_not_connected(kind: EngineKind) -> None:
    assert kind.dialect in DIALECTS
    with pytest.raises(SourceError) as caught:
        kind.open(kind.addresses[0])
    assert caught.value.problem is SourceProblem.CONTRACT_ONLY


def test_the_registry_tells_the_truth(candidate: Candidate) -> None:
    assert engine_of(candidate.address) is candidate.kind
    assert candidate.database.dialect == candidate.kind.dialect
    assert candidate.kind.dialect in DIALECTS
    assert candidate.kind.has_roles or not candidate.kind.has_row_policies


def test_the_schema_is_read(candidate: Candidate) -> None:
    tables = candidate.database.reflect().tables
    assert set(tables) == {"Account", "Line", "Currency", "Orphan"}
    assert [column.name for column in tables["Account"].columns] == [
        "id",
        "mandateId",
        "number",
        "label",
    ]


@pytest.mark.parametrize("tenant", TENANTS)
def test_scope_holds(candidate: Candidate, tenant: str) -> None:
    books, scope = candidate.books, Scope({"mandateId": (tenant,)}, frozenset({"Currency"}))
    rows = books.engine.run(books.checked(BrowseCall(table_name="Account"), scope=scope)).rows
    assert len(rows) == 2
    assert all(row[-1].startswith(tenant) for row in rows)
    shadowed = 'WITH "Account" AS (SELECT * FROM "Account") SELECT "label" FROM "Account"'
    assert books.engine.run(books.checked(candidate.spelled(shadowed), scope=scope)).rows == tuple(
        row[-1:] for row in rows
    )
    with pytest.raises(EngineError, match="NO_SCOPE"):
        books.engine.run(books.checked(candidate.spelled('SELECT * FROM "Orphan"'), scope=scope))


@pytest.mark.parametrize("named", ["Line", "placed"])
def test_the_engine_keeps_tenants_apart_by_itself(candidate: Candidate, named: str) -> None:
    """A table that got past everything before, by its name alone or by its full name."""
    if named == "placed" and candidate.kind.lock is Lock.NONE:
        pytest.skip("only the rewriting and the reading back keep tenants apart")
    name = base_table((*candidate.database.namespace, "Line")).sql(candidate.kind.dialect)
    source = name if named == "placed" else candidate.spelled('"Line"')
    for sql in (f"SELECT count(*) FROM {source}", f"SELECT count(id) FROM {source}"):
        try:
            found = candidate.fetch(sql)
        except EngineError:
            continue
        assert found.rows == ((50,),), sql


def test_hostile_statements_do_nothing(candidate: Candidate) -> None:
    lines = (_HOSTILE / f"{candidate.kind.dialect}.sql").read_text("utf-8").splitlines()
    assert len(lines) > 20
    ran = [line for line in lines if not candidate.refuses(line) and not line.startswith("~ ")]
    assert ran == []


def test_errors_carry_no_data(candidate: Candidate) -> None:
    with pytest.raises(EngineError) as caught:
        candidate.books.engine.run(candidate.books.checked(candidate.setup.fails))
    told = [str(caught.value), *map(caught.value.message, Language)]
    assert not any(tenant in text or "note" in text for text in told for tenant in TENANTS)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_why_a_statement_can_not_be_run_is_said_without_names_of_the_host(
    candidate: Candidate,
) -> None:
    """Where tables live, tenant columns and columns that the caller can't see stay unsaid."""
    sql = candidate.spelled('SELECT "note", "secret", no_such_function("id") FROM "Line"')
    with pytest.raises(EngineError) as caught:
        candidate.books.engine.run(candidate.books.checked(sql))
    told = caught.value.message(Language.EN)
    assert caught.value.reason, told
    assert caught.value.reason in told
    home = set(candidate.database.namespace) | {"mandateId", str(candidate.folder), "\n"}
    assert not any(name in caught.value.reason for name in home), told
    assert caught.value.__context__ is None


def test_a_derived_table_needs_no_name(candidate: Candidate) -> None:
    checker = Checker(candidate.books.catalog, dialect=candidate.kind.dialect)
    sql = 'SELECT MAX(n) AS m FROM (SELECT "year", COUNT(*) AS n FROM "Line" GROUP BY "year")'
    caller = Caller(Scope({"mandateId": ("alpha",)}))
    checked = checker.check(candidate.spelled(sql), caller)
    assert isinstance(checked, CheckedQuery), checked
    assert candidate.books.engine.run(checked).rows == ((25,),)


@pytest.mark.parametrize("sql", ["SELECT nonsense FROM", "SELECT no_such_function(1)", " "])
def test_what_fails_is_an_engine_error(candidate: Candidate, sql: str) -> None:
    with pytest.raises(EngineError):
        candidate.fetch(sql)


def test_runaway_statements_are_stopped(candidate: Candidate) -> None:
    started = time.monotonic()
    with pytest.raises(EngineError) as caught:
        candidate.fetch(candidate.setup.runaway, Limits(statement_ms=200))
    assert caught.value.problem is Problem.TIMEOUT
    assert time.monotonic() - started < 5
    assert candidate.count("alpha") == 50


def test_a_statement_ends_with_its_step(candidate: Candidate) -> None:
    step = StepStatements("run", "step", lambda: None)
    with statements_of(step), ThreadPoolExecutor(1) as pool:
        running = pool.submit(copy_context().run, candidate.fetch, candidate.setup.runaway)
        time.sleep(0.5)
        started = time.monotonic()
        step.stop()
        with pytest.raises(EngineError) as caught:
            running.result(20)
        assert caught.value.problem is Problem.TIMEOUT
        assert time.monotonic() - started < 10
        with pytest.raises(EngineError):
            candidate.fetch("SELECT 1")
    assert candidate.count("alpha") == 50


def test_what_a_dead_worker_leaves_behind_is_known(candidate: Candidate) -> None:
    ends = isinstance(candidate.database, EndsStatements)
    assert ends == (candidate.kind.orphan is Orphan.BY_NAME)
    in_process = candidate.kind.label is Label.IN_PROCESS
    assert in_process == (candidate.kind.orphan is Orphan.IN_PROCESS)


def test_giant_results_are_cut(candidate: Candidate) -> None:
    few = candidate.books.with_limits(Limits(rows=20))
    cut = few.engine.run(few.checked(candidate.spelled(_GIANT))).receipt
    assert (cut.row_count, cut.truncated) == (20, True)
    light = candidate.books.with_limits(Limits(rows=1_000_000_000, bytes=50_000))
    cut = light.engine.run(light.checked(candidate.spelled(_GIANT))).receipt
    assert cut.truncated
    assert cut.row_count < 10_000


def test_a_cut_is_told_from_a_result_that_just_fits(candidate: Candidate) -> None:
    just = candidate.books.with_limits(Limits(rows=50))
    less = candidate.books.with_limits(Limits(rows=49))
    sql = candidate.spelled('SELECT "id" FROM "Line"')
    whole = just.engine.run(just.checked(sql)).receipt
    cut = less.engine.run(less.checked(sql)).receipt
    assert (whole.row_count, whole.truncated) == (50, False)
    assert (cut.row_count, cut.truncated) == (49, True)


def test_threads_do_not_mix(candidate: Candidate) -> None:
    def label(number: int) -> tuple[str, object]:
        tenant = TENANTS[number % len(TENANTS)]
        scope = Scope({"mandateId": (tenant,)})
        sql = candidate.spelled('SELECT min("label") AS l FROM "Account"')
        call = candidate.books.checked(sql, scope=scope)
        return tenant, candidate.books.engine.run(call).rows[0][0]

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(label, range(60)))
    assert found == [(tenant, f"{tenant} account 0") for tenant, _ in found]


def test_closing_twice_is_harmless(candidate: Candidate) -> None:
    opened = candidate.open()
    opened.reflect()
    opened.fetch(Statement("SELECT 1", ()), Scope(), 1, Limits())
    opened.close()
    opened.close()
    beside = candidate.open()  # and does not close what somebody else has open
    try:
        assert len(beside.fetch(Statement("SELECT 1", ()), Scope(), 1, Limits()).rows) == 1
    finally:
        beside.close()
