"""Statements of workers that are killed, frozen or asked to end, in the middle of a statement.

The statement waits for a lock that the test holds: it takes as long as the test wants.
"""

import asyncio
import signal
import threading
from collections import defaultdict
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from tests.runs.asked import asked, until
from tests.runs.conftest import TENANT
from tests.runs.worker_process import Process, processes
from veridical.answering.feature import Feature
from veridical.engines import Postgres
from veridical.runs.port import Runs
from veridical.runs.settings import RunsSettings
from veridical.runs.state import RunStatus

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

LONG = 180.0
"""A worker's process may take a minute to start on a busy machine."""
_NAMED = (
    "SELECT application_name, pid, query_start::text FROM pg_stat_activity"
    " WHERE application_name LIKE 'veridical:%' AND state = 'active'"
)


@dataclass
class Books:
    """The sample's tables under a lock, and whoever asks for them."""

    holder: "psycopg.Connection[tuple[object, ...]]"
    watcher: "psycopg.Connection[tuple[object, ...]]"
    started: set[tuple[object, ...]] = field(default_factory=set[tuple[object, ...]])
    """Every statement that was seen to run."""
    most: int = 0
    """Most statements of one step that were seen side by side."""
    _closed: threading.Event = field(default_factory=threading.Event)

    def lock(self) -> None:
        tables = self.holder.execute(
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname = 'public'"
        ).fetchall()
        for each in tables:
            place = Identifier(*map(str, each))
            self.holder.execute(SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(place))

    def unlock(self) -> None:
        self.holder.rollback()

    def running(self) -> int:
        """The statements of runs that go on now."""
        found = self.watcher.execute(_NAMED).fetchall()
        self.started |= set(found)
        by_name = defaultdict[object, int](int)
        for name, *_ in found:
            by_name[name] += 1
        self.most = max(self.most, *by_name.values(), 0)
        return len(found)

    def watch(self) -> None:
        while not self._closed.wait(0.02):
            self.running()

    def close(self) -> None:
        self._closed.set()


@pytest.fixture
def books(trustee: Feature) -> Generator[Books]:
    database = trustee.engine.database
    assert isinstance(database, Postgres)
    url = database._pool.url.set(drivername="postgresql")  # pyright: ignore[reportPrivateUsage]
    address = url.render_as_string(hide_password=False)
    with psycopg.connect(address) as holder, psycopg.connect(address, autocommit=True) as watcher:
        books = Books(holder, watcher)
        watching = threading.Thread(target=books.watch)
        watching.start()
        try:
            yield books
        finally:
            holder.rollback()
            books.close()
            watching.join()


@contextmanager
def asking(
    runs: Runs, settings: RunsSettings, trustee: Feature, books: Books
) -> Generator[tuple[str, Process]]:
    """A run in the middle of its statement, and its worker."""
    with processes(1, settings, trustee) as (worker,):
        wait(lambda: runs.load().workers == 1)
        books.lock()
        run_id = runs.start(asked(), TENANT, "Ada").run_id
        wait(lambda: books.running() == 1)
        yield run_id, worker


def wait(found: Callable[[], bool]) -> None:
    asyncio.run(until(found, LONG))


def is_started_again(books: Books) -> bool:
    return books.running() == 1 and len(books.started) > 1


def is_done(runs: Runs, run_id: str) -> bool:
    return runs.status(run_id, TENANT) is RunStatus.DONE


def test_a_killed_workers_statement_ends_before_it_is_started_again(
    runs: Runs, settings: RunsSettings, trustee: Feature, books: Books
) -> None:
    with asking(runs, settings, trustee, books) as (run_id, first):
        first.kill()
        with processes(1, settings, trustee):
            wait(lambda: is_started_again(books))
            books.unlock()
            wait(lambda: is_done(runs, run_id))
    assert (books.running(), books.most) == (0, 1)


@pytest.mark.parametrize("settings", [5], indirect=True)  # the other one is never so late
def test_a_frozen_workers_statement_is_ended_by_its_name(
    runs: Runs, settings: RunsSettings, trustee: Feature, books: Books
) -> None:
    with asking(runs, settings, trustee, books) as (run_id, first):
        first.signal(signal.SIGSTOP)  # its connection stays
        with processes(1, settings, trustee):
            wait(lambda: is_started_again(books))
            first.signal(signal.SIGCONT)  # it is told that its statement was ended
            wait(lambda: runs.load().workers == 2)
            assert is_started_again(books)
            books.unlock()
            wait(lambda: is_done(runs, run_id))
    assert (books.running(), books.most) == (0, 1)
    state = runs.state(run_id, TENANT)
    assert state is not None
    assert state.answer is not None
    assert "1'104'822.67" in state.answer.text


def test_a_cancelled_run_leaves_no_statement_and_neither_does_a_worker_that_must_end(
    runs: Runs, settings: RunsSettings, trustee: Feature, books: Books
) -> None:
    hasty = settings.model_copy(update={"stop_seconds": 0.2})
    with asking(runs, hasty, trustee, books) as (run_id, worker):
        runs.cancel(run_id, TENANT, "Ada")
        wait(lambda: books.running() == 0)
        run_id = runs.start(asked(), TENANT, "Ada").run_id
        wait(lambda: books.running() == 1)
        worker.signal(signal.SIGTERM)
        assert worker.wait() == 0
        assert books.running() == 0
        assert runs.status(run_id, TENANT) is RunStatus.QUEUED
    assert books.most == 1


def test_a_run_that_is_cancelled_after_its_worker_died_leaves_no_statement(
    runs: Runs, settings: RunsSettings, trustee: Feature, books: Books
) -> None:
    with asking(runs, settings, trustee, books) as (run_id, worker):
        worker.kill()
        runs.cancel(run_id, TENANT, "Ada")
        wait(lambda: books.running() == 0)  # by the server, which misses its client
    assert books.most == 1
