"""Statements of a step: ended by their name alone, and by whoever takes the step up again."""

import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import copy_context
from typing import Any

import psycopg
import pytest
from psycopg.sql import SQL
from sqlalchemy import make_url

from benchmarks.engines.mariadb import LocalMariadb
from tests.engines.conftest import mysql_books, postgres_books
from veridical.contracts.caller import Scope
from veridical.contracts.statement import Statement
from veridical.engines import (
    EngineError,
    Limits,
    Postgres,
    Problem,
    install_row_level_security,
    step_statements,
)
from veridical.engines.database import Database, EndsStatements
from veridical.engines.mysql import connect
from veridical.engines.step_statements import StepStatements, prepare, statements_of

LONG = "SELECT count(*) FROM generate_series(1, 2000000000)"
LONG_ON_MARIADB = "SELECT BENCHMARK(4000000000, 1 + 1)"
PLAIN = "plain_login"
_RUNNING = (
    "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'veridical:%'"
    " AND state = 'active'"
)


def owned() -> None:
    """This worker has the run."""


def step(name: str = "step") -> StepStatements:
    return StepStatements("run", name, owned)


def run(database: Database, sql: str) -> object:
    return database.fetch(Statement(sql, ()), Scope(), 10, Limits()).rows


@contextmanager
def running(database: Database, sql: str, owner: StepStatements) -> Generator[Future[Any]]:
    """A statement of a step in another thread, as of a worker that does not know of its end."""
    with statements_of(owner), ThreadPoolExecutor(1) as pool:
        future = pool.submit(copy_context().run, run, database, sql)
        try:
            yield future
        finally:
            owner.stop()
            with suppress(EngineError):
                future.result(30)


def until(found: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not found():
        assert time.monotonic() < end
        time.sleep(0.02)


def count(url: str) -> int:
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(SQL(_RUNNING)).fetchone()
        assert row is not None
        return row[0]


@pytest.fixture(scope="module")
def url(postgres_url: str) -> str:
    """Books whose engine logs in as nobody in particular."""
    postgres_books(postgres_url).close()
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(SQL("DROP ROLE IF EXISTS plain_login"))
        connection.execute(SQL("CREATE ROLE plain_login LOGIN"))
        tables: dict[str, list[str]] = {"Line": ["mandateId"]}
        install_row_level_security(connection, tables, "books_reader", login=PLAIN)
    return postgres_url


@pytest.fixture
def plain(url: str) -> Iterator[tuple[Postgres, Postgres]]:
    """Two workers with the same login."""
    address = make_url(url).set(username=PLAIN).render_as_string(hide_password=False)
    first, second = (Postgres(address, role="books_reader") for _ in range(2))
    yield first, second
    first.close()
    second.close()


def test_postgres_ends_the_statement_of_a_step_by_its_name_and_no_other(
    plain: tuple[Postgres, Postgres], url: str
) -> None:
    first, second = plain
    mine, other = step(), step("other")
    with running(first, LONG, mine) as lost, running(first, LONG, other) as kept:
        until(lambda: count(url) >= 2)
        second.end_statements(mine.name)
        with pytest.raises(EngineError) as caught:
            lost.result(30)
        assert caught.value.problem is Problem.TIMEOUT
        assert not kept.done()
        assert count(url) >= 1
    assert count(url) == 0


def test_a_step_that_is_taken_again_first_ends_its_statement(
    plain: tuple[Postgres, Postgres], url: str
) -> None:
    first, second = plain
    with running(first, LONG, step()) as lost:
        until(lambda: count(url) > 0)
        with statements_of(step()):
            prepare(second)
            assert count(url) == 0
            assert run(second, "SELECT current_setting('application_name')") == ((step().name,),)
        with pytest.raises(EngineError):
            lost.result(30)
    assert run(second, "SELECT current_setting('application_name')") == (("",),)


def test_a_step_that_belongs_to_another_worker_starts_nothing(
    plain: tuple[Postgres, Postgres],
) -> None:
    class Lost(BaseException):
        pass

    def lost() -> None:
        raise Lost

    with statements_of(StepStatements("run", "step", lost)), pytest.raises(Lost):
        prepare(plain[0])


def test_a_login_that_may_end_nothing_waits_for_the_end(
    plain: tuple[Postgres, Postgres], url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = plain
    monkeypatch.setattr(step_statements, "_END_SECONDS", 0.3)
    with psycopg.connect(url, autocommit=True) as connection:
        revoke = "REVOKE EXECUTE ON FUNCTION pg_cancel_backend FROM plain_login"
        connection.execute(SQL(revoke))
        try:
            with running(first, LONG, step()) as lost:
                until(lambda: count(url) > 0)
                with pytest.raises(EngineError) as caught:
                    second.end_statements(step().name)
                assert caught.value.problem is Problem.UNAVAILABLE
                assert not lost.done()
        finally:
            connection.execute(SQL(revoke.replace("REVOKE", "GRANT").replace("FROM", "TO")))


def test_the_server_is_told_to_look_for_its_client(plain: tuple[Postgres, Postgres]) -> None:
    sql = "SELECT current_setting('client_connection_check_interval')"
    assert run(plain[0], sql) == (("1s",),)


@pytest.mark.slow
def test_mariadb_ends_the_statement_of_a_step_by_its_name(mariadb: LocalMariadb) -> None:
    url = mysql_books(mariadb)
    first, second = connect(url, None, 2), connect(url, None, 2)
    assert isinstance(second, EndsStatements)

    def on_server() -> int:
        with mariadb.owner() as connection, connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM information_schema.processlist WHERE info LIKE '/* verid%'"
            )
            return cursor.fetchone()[0]

    with running(first, LONG_ON_MARIADB, step()) as lost:
        until(lambda: on_server() == 1)
        second.end_statements(step("other").name)
        assert on_server() == 1
        second.end_statements(step().name)
        assert on_server() == 0
        with suppress(EngineError):  # of BENCHMARK alone it makes a null
            lost.result(30)
    first.close()
    second.close()
