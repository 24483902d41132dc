"""The same small books on every engine, and queries that are checked by hand."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

import duckdb
import psycopg
import pytest
import sqlglot
from sqlglot import exp

from benchmarks.engines.mariadb import LocalMariadb, NoMariadbError, local_mariadb
from benchmarks.engines.sail import LocalSail, local_sail
from veridical.contracts import checked as sealing
from veridical.contracts.call import Call, SqlCall
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.checked import CheckedQuery
from veridical.engines import (
    DuckDb,
    Engine,
    Limits,
    Postgres,
    Sqlite,
    install_row_level_security,
    open_duckdb,
)
from veridical.engines.database import Database
from veridical.ontology.catalog import Catalog
from veridical.ontology.compile import compile_catalog
from veridical.ontology.model import Entity, Field, OntologyDescriptor, Role, SemanticType

READER = "books_reader"
TENANTS = ("alpha", "beta", "gamma")
TABLES = """
    CREATE TABLE "Account" (
        "id" int PRIMARY KEY, "mandateId" varchar NOT NULL, "number" varchar NOT NULL,
        "label" varchar, UNIQUE ("mandateId", "number")
    );
    CREATE TABLE "Line" (
        "id" int PRIMARY KEY, "mandateId" varchar NOT NULL,
        "accountId" int REFERENCES "Account" ("id"),
        "year" int, "booked" date, "at" timestamp, "amount" decimal(18, 2), "note" varchar,
        "secret" varchar
    );
    CREATE TABLE "Currency" ("code" varchar PRIMARY KEY, "name" varchar);
    CREATE TABLE "Orphan" ("id" int);
    INSERT INTO "Currency" VALUES ('CHF', 'Franc'), ('EUR', 'Euro');
    INSERT INTO "Orphan" VALUES (1);
"""
ONTOLOGY = OntologyDescriptor(
    feature_code="books",
    entities=(
        Entity(
            name="Line",
            table="Line",
            semantic_type=SemanticType.TRANSACTION,
            fields=(Field(name="year", role=Role.TIME), Field(name="mandateId", role=Role.TENANT)),
        ),
    ),
)


def book_statements() -> Iterator[str]:
    """Two accounts a tenant and fifty lines, each row recognisable by its tenant's name."""
    for number, tenant in enumerate(TENANTS):
        for account in (0, 1):
            key = number * 10 + account
            yield (
                'INSERT INTO "Account" VALUES '
                f"({key}, '{tenant}', '{1000 + account}', '{tenant} account {account}')"
            )
        for line in range(50):
            key, year = number * 1000 + line, 2023 + line % 2
            yield (
                f"INSERT INTO \"Line\" VALUES ({key}, '{tenant}', {number * 10 + line % 2},"
                f" {year}, '{year}-03-01', '{year}-03-01 10:00:00',"
                f" {line}.25, {'NULL' if line == 7 else repr(f'{tenant} note {line}')},"
                f" '{tenant}-secret')"
            )


@dataclass(frozen=True)
class Books:
    """An engine over the books and the catalog it was built with."""

    engine: Engine
    catalog: Catalog

    def checked(
        self,
        call: Call | str,
        *,
        scope: Scope | None = None,
        hidden: tuple[str, ...] = ("mandateId", "secret"),
    ) -> CheckedQuery:
        """The call as if the check had passed it; raw SQL is marked the way the check marks it."""
        tree = None
        if isinstance(call, str):
            call = SqlCall(sql=call)
        if isinstance(call, SqlCall):
            tree = sqlglot.parse_one(call.sql, dialect=self.engine.database.dialect)
            assert isinstance(tree, exp.Query)
            common = {cte.alias for cte in tree.find_all(exp.CTE)}
            for table in tree.find_all(exp.Table):
                if table.name in self.catalog.tables and table.name not in common:
                    table.meta["table"] = table.name
        columns = {
            name: tuple(column for column in card.columns if column not in hidden)
            for name, card in self.catalog.tables.items()
        }
        caller = Caller(scope or Scope({"mandateId": ("alpha",)}, frozenset({"Currency"})))
        return CheckedQuery(sealing.SEAL, call, caller, "hash", columns, tree)

    def with_limits(self, limits: Limits) -> "Books":
        return Books(Engine(self.engine.database, self.catalog, limits=limits), self.catalog)


def postgres_books(url: str) -> Postgres:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(TABLES)
        for statement in book_statements():
            connection.execute(statement.encode())
        install_row_level_security(
            connection,
            {"Account": ["mandateId"], "Line": ["mandateId"], "Currency": [], "Orphan": []},
            READER,
        )
    return Postgres(url, role=READER)


def duckdb_books(path: Path) -> DuckDb:
    with duckdb.connect(str(path)) as connection:
        connection.execute(TABLES)
        for statement in book_statements():
            connection.execute(statement)
    return open_duckdb(path)


def sqlite_books(path: Path) -> Sqlite:
    connection = sqlite3.connect(path)
    connection.executescript(TABLES + ";".join(book_statements()))
    connection.close()
    return Sqlite(path)


def mysql_books(server: LocalMariadb) -> str:
    """The reader's address of the books."""
    url = server.create_database("books")
    with server.owner("books") as connection, connection.cursor() as cursor:
        cursor.execute("SET sql_mode = 'ANSI_QUOTES'")
        tables = TABLES.replace("varchar", "varchar(100)")
        for statement in (*filter(str.strip, tables.split(";")), *book_statements()):
            cursor.execute(statement)
    return url


_CLICKHOUSE_TYPES = (
    ("int PRIMARY KEY", "Int32"),
    ("varchar PRIMARY KEY", "String"),
    ("varchar NOT NULL", "String"),
    (', UNIQUE ("mandateId", "number")', ""),
    ('int REFERENCES "Account" ("id")', "Int32"),
    ("timestamp", "DateTime"),
    ("varchar", "Nullable(String)"),
)


def clickhouse_books(path: Path) -> str:
    """The address of the books."""
    import chdb  # only where it is asked for: it stays loaded with all its threads

    connection = chdb.connect(str(path))
    connection.query("CREATE DATABASE books")
    connection.query("USE books")
    tables = TABLES
    for here, there in _CLICKHOUSE_TYPES:
        tables = tables.replace(here, there)
    for statement in (*filter(str.strip, tables.split(";")), *book_statements()):
        engine = " ENGINE = MergeTree ORDER BY tuple()" if "CREATE TABLE" in statement else ""
        connection.query(statement + engine)
    connection.close()
    return f"clickhouse:///{path}?database=books"


_SPARK_TYPES = (
    (" PRIMARY KEY", " NOT NULL"),
    (', UNIQUE ("mandateId", "number")', ""),
    (' REFERENCES "Account" ("id")', ""),
    ("varchar", "string"),
)


def sail_books(server: LocalSail) -> str:
    """The address of the books."""
    tables = TABLES
    for here, there in _SPARK_TYPES:
        tables = tables.replace(here, there)
    folder = Path(mkdtemp(dir=server.folder))
    server.run("DROP DATABASE IF EXISTS books CASCADE", "CREATE DATABASE books")
    rows = defaultdict[str, list[str]](list)
    for statement in (*filter(str.strip, tables.split(";")), *book_statements()):
        head, is_row, row = statement.strip().partition(" VALUES ")
        name = statement.split('"')[1]
        if is_row:
            rows[name].append(row)
        else:
            made = head.replace('"', "`").replace("TABLE ", "TABLE books.")
            server.run(f"{made} USING parquet LOCATION '{folder / name}'")
    for name, each in rows.items():  # a file for each statement
        server.run(f"INSERT INTO books.`{name}` VALUES {', '.join(each)}")
    return server.url_of("books")


def as_books(database: Database) -> Iterator[Books]:
    catalog = compile_catalog(database.reflect(), ONTOLOGY)
    yield Books(Engine(database, catalog), catalog)
    database.close()


@pytest.fixture(scope="session")
def mariadb() -> Iterator[LocalMariadb]:
    """A server of its own; where there is none and none can be installed, its tests are skipped."""
    try:
        with local_mariadb() as server:
            yield server
    except NoMariadbError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def sail() -> Iterator[LocalSail]:
    """A server of its own."""
    with local_sail() as server:
        yield server


@pytest.fixture(scope="module")
def on_postgres(postgres_url: str) -> Iterator[Books]:
    yield from as_books(postgres_books(postgres_url))


@pytest.fixture(scope="module")
def on_duckdb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Books]:
    yield from as_books(duckdb_books(tmp_path_factory.mktemp("duck") / "books.duckdb"))


@pytest.fixture(scope="module")
def on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Books]:
    yield from as_books(sqlite_books(tmp_path_factory.mktemp("sqlite") / "books.db"))


@pytest.fixture(scope="module", params=["postgres", "duckdb", "sqlite"])
def books(request: pytest.FixtureRequest) -> Books:
    return request.getfixturevalue(f"on_{request.param}")


@pytest.fixture(scope="module", params=["postgres", "duckdb"])
def typed_books(request: pytest.FixtureRequest) -> Books:
    """On the engines whose columns have types of their own; SQLite's are hints."""
    return request.getfixturevalue(f"on_{request.param}")
