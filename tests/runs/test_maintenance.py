"""What a worker does beside its runs, in its own rhythm."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

import pytest

from tests.runs.asked import asked, away, rows
from tests.runs.conftest import TENANT
from tests.runs.test_recovery import on_queue, signed_on, silent, taken
from veridical.runs.dbos_setup import dbos_client, engine_database
from veridical.runs.inbox import Inbox
from veridical.runs.lease import Lease
from veridical.runs.maintenance import Maintenance
from veridical.runs.port import Runs
from veridical.runs.settings import RunsSettings
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres


@contextmanager
def stewarding(
    settings: RunsSettings, store: Store, active: tuple[str, ...] = ()
) -> Generator[tuple[Lease, list[str]]]:
    """A maintenance at work; what it told its worker."""
    lease, told = signed_on(store), list[str]()
    with engine_database(settings) as database:
        maintenance = Maintenance(
            settings,
            store,
            dbos_client(database),
            lease,
            Inbox(store),
            lambda: active,
            told.append,
            lambda: told.append("!"),
        )
        maintenance.start()
        try:
            yield lease, told
        finally:
            maintenance.stop()


def eventually(found: Callable[[], object], seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found():
            return True
        time.sleep(0.05)
    return False


def test_it_says_that_the_worker_lives(settings: RunsSettings, store: Store) -> None:
    with stewarding(settings, store):
        first = rows(store, "SELECT seen_at FROM veridical.workers")
        assert eventually(lambda: rows(store, "SELECT seen_at FROM veridical.workers") > first)


def test_it_takes_over_from_the_dead_but_not_at_once(
    runs: Runs, settings: RunsSettings, store: Store
) -> None:
    dead = signed_on(store)
    run_id = taken(runs, dead)
    silent(store, dead, 3600)
    began = time.monotonic()
    with stewarding(settings, store):
        assert eventually(lambda: on_queue(store) == [run_id])
    assert time.monotonic() - began >= settings.lease_seconds


@pytest.mark.slow
def test_nobody_is_dead_because_the_database_was_away(
    runs: Runs, settings: RunsSettings, store: Store, runs_url: str
) -> None:
    other = Store(runs_url)
    colleague = signed_on(other)
    taken(runs, colleague)
    try:
        with stewarding(settings, store):
            for _ in range(5):  # until the maintenance may take over from the dead
                time.sleep(settings.lease_seconds / 4)
                assert colleague.renew()
            with away(runs_url):
                time.sleep(settings.lease_seconds * 1.5)
            # The maintenance is back at once, its colleague only now.
            time.sleep(settings.lease_seconds / 2)
            assert colleague.renew()
            assert on_queue(store) == []
    finally:
        other.close()


def test_a_worker_is_told_once_that_others_have_taken_over(
    settings: RunsSettings, store: Store
) -> None:
    with stewarding(settings, store) as (lease, told):
        rows(store, "DELETE FROM veridical.workers")
        assert eventually(lambda: told)
        time.sleep(settings.beat_seconds)
    assert told == ["!"]
    assert lease.is_lost


def test_a_worker_is_told_what_was_cancelled(
    runs: Runs, settings: RunsSettings, store: Store
) -> None:
    going_on, cancelled = (runs.start(asked(), TENANT, "Ada").run_id for _ in range(2))
    runs.cancel(cancelled, TENANT, "Ada")
    with stewarding(settings, store, (f"{going_on}~1", f"{cancelled}~2")) as (_, told):
        assert eventually(lambda: told)
    assert set(told) == {f"{cancelled}~2"}
