from collections.abc import Iterator

import psycopg
import pytest

from tests.engines.conftest import postgres_books
from veridical.contracts.caller import Scope
from veridical.contracts.statement import Statement
from veridical.engines import EngineError, Limits, Postgres, Problem
from veridical.engines.limits import Fetched


@pytest.fixture(scope="module")
def database(postgres_url: str) -> Iterator[Postgres]:
    database = postgres_books(postgres_url)
    yield database
    database.close()


def fetch(database: Postgres, sql: str, limits: Limits | None = None) -> Fetched:
    scope = Scope({"mandateId": ("alpha",), "not settable": ("x",)})
    return database.fetch(Statement(sql, ()), scope, 100, limits or Limits())


def test_only_full_names_reach_a_table(database: Postgres) -> None:
    with pytest.raises(EngineError):
        fetch(database, 'SELECT * FROM "Line"')
    assert len(fetch(database, 'SELECT * FROM public."Line"').rows) == 50


def test_one_statement_at_a_time(database: Postgres) -> None:
    with pytest.raises(EngineError):
        fetch(database, "SELECT 1; SELECT 2")


def test_settings_are_those_of_the_limits(database: Postgres) -> None:
    sql = "SELECT current_setting('statement_timeout'), current_setting('lock_timeout')"
    limits = Limits(statement_ms=7_000, lock_ms=300)
    assert fetch(database, sql, limits).rows == (("7s", "300ms"),)


def test_waiting_for_a_lock_ends(database: Postgres, postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as connection:
        connection.execute('LOCK TABLE "Line" IN ACCESS EXCLUSIVE MODE')
        with pytest.raises(EngineError) as caught:
            fetch(database, 'SELECT 1 FROM public."Line"', Limits(lock_ms=50))
        assert caught.value.problem is Problem.LOCKED
        connection.rollback()
    assert len(fetch(database, 'SELECT 1 FROM public."Line"').rows) == 50


def test_a_dropped_connection_is_replaced(database: Postgres, postgres_url: str) -> None:
    fetch(database, "SELECT 1")
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    assert fetch(database, "SELECT 1").rows == ((1,),)


def test_an_unreachable_server_is_the_hosts_problem() -> None:
    nowhere = Postgres("postgresql://postgres@/postgres?host=/nonexistent")
    with pytest.raises(EngineError) as caught:
        fetch(nowhere, "SELECT 1")
    assert (caught.value.problem, caught.value.actor) == (Problem.UNAVAILABLE, "host")
    nowhere.close()


@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        ("SELECT 1 / 0", Problem.DIVISION_BY_ZERO),
        ("SELECT CAST('x' AS int)", Problem.BAD_VALUE),
        ("SELECT pg_sleep(9)", Problem.NOT_PERMITTED),
        ("SELECT nothing", Problem.FAILED),
        ('COPY public."Line" TO STDOUT', Problem.FAILED),
    ],
)
def test_errors_are_typed(database: Postgres, sql: str, problem: Problem) -> None:
    with pytest.raises(EngineError) as caught:
        fetch(database, sql)
    assert caught.value.problem is problem
    assert fetch(database, "SELECT 1").rows == ((1,),)
