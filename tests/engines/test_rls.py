from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege, ReadOnlySqlTransaction

from tests.engines.conftest import READER, postgres_books
from veridical.contracts.caller import Scope
from veridical.contracts.statement import Statement
from veridical.engines import EngineError, Limits, Postgres, Problem, install_row_level_security

Connection = psycopg.Connection[Any]


@pytest.fixture(scope="module")
def database(postgres_url: str) -> Iterator[Postgres]:
    database = postgres_books(postgres_url)
    yield database
    database.close()


@pytest.fixture
def reader(database: Postgres, postgres_url: str) -> Iterator[Connection]:
    with psycopg.connect(postgres_url) as connection:
        connection.execute("SELECT set_config('veridical.mandateId', '{beta}', true)")
        connection.execute(f"SET LOCAL ROLE {READER}")
        yield connection


def read(database: Postgres, sql: str, *tenants: str) -> list[Any]:
    scope = Scope({"mandateId": tenants}) if tenants else Scope()
    return [row[0] for row in database.fetch(Statement(sql, ()), scope, 10_000, Limits()).rows]


def test_policies_alone_keep_tenants_apart(database: Postgres) -> None:
    count = 'SELECT count(*) FROM public."Line"'
    assert read(database, count, "alpha") == [50]
    assert read(database, count, "alpha", "beta") == [100]
    assert read(database, count) == [0]
    tenants = 'SELECT DISTINCT "mandateId" FROM public."Line" ORDER BY 1'
    assert read(database, tenants, "gamma", "beta") == ["beta", "gamma"]


def test_a_scope_does_not_outlive_its_statement(database: Postgres) -> None:
    assert read(database, 'SELECT count(*) FROM public."Line"', "alpha") == [50]
    assert read(database, 'SELECT count(*) FROM public."Line"') == [0]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT set_config('veridical.mandateId', '{alpha}', true)",
        "SELECT query_to_xml('SELECT 1', true, true, '')",
        "SELECT pg_sleep(1)",
        "SELECT lo_from_bytea(0, 'x')",
        "SELECT pg_read_file('PG_VERSION')",
        "SELECT ts_stat('SELECT to_tsvector(''a'')')",
        "SELECT * FROM pg_stat_activity",
        'INSERT INTO "Currency" VALUES (1)',
        'UPDATE "Line" SET "note" = NULL',
        'DELETE FROM "Line"',
        'CREATE TABLE "New" (a int)',
        'CREATE TEMP TABLE "New" (a int)',
        'ALTER TABLE "Line" DISABLE ROW LEVEL SECURITY',
        'DROP POLICY veridical_scope ON "Line"',
    ],
)
def test_the_reader_has_no_right_to(reader: Connection, sql: str) -> None:
    with pytest.raises(InsufficientPrivilege):
        reader.execute(sql.encode())


def test_transactions_are_read_only_even_for_the_owner(
    database: Postgres, postgres_url: str
) -> None:
    owner = Postgres(postgres_url)
    with pytest.raises(EngineError) as caught:
        read(owner, 'DELETE FROM public."Line"', "alpha")
    assert caught.value.problem is Problem.NOT_PERMITTED
    owner.close()
    assert ReadOnlySqlTransaction.sqlstate == "25006"


def test_installing_twice_changes_nothing(database: Postgres, postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as connection:
        install_row_level_security(connection, {"Line": ["mandateId"]}, READER)
    assert read(database, 'SELECT count(*) FROM public."Line"', "alpha") == [50]


def test_the_owner_is_bound_too_unless_named_as_writer(postgres_url: str) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE ROLE books_owner")
        connection.execute("GRANT CREATE, USAGE ON SCHEMA public TO books_owner")
        connection.execute('CREATE TABLE "Own" ("tenantNumber" int)')
        connection.execute('INSERT INTO "Own" VALUES (1), (2)')
        connection.execute('ALTER TABLE "Own" OWNER TO books_owner')
        for writers, seen in (((), 0), (("books_owner",), 2)):
            install_row_level_security(
                connection, {"Own": ["tenantNumber"]}, READER, writers=writers
            )
            with connection.transaction():
                connection.execute("SET LOCAL ROLE books_owner")
                assert connection.execute('SELECT count(*) FROM "Own"').fetchone() == (seen,)
    database = Postgres(postgres_url, role=READER)
    scope = Scope({"tenantNumber": (2,)})
    statement = Statement('SELECT "tenantNumber" FROM public."Own"', ())
    assert database.fetch(statement, scope, 10, Limits()).rows == ((2,),)
    database.close()
