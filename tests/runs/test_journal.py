"""What runs tell, written in batches: all of it, in order, whatever the database does meanwhile."""

import json
from concurrent.futures import Future
from typing import Any

import pytest

from tests.runs.asked import asked, away, rows
from tests.runs.conftest import TENANT
from tests.runs.entries import EVENTS, ending, told
from veridical.contracts.step import Progress
from veridical.runs.journal import Entry, Journal
from veridical.runs.port import Runs
from veridical.runs.state import RunStatus
from veridical.store.connection import Store
from veridical.trace.batch import Written

pytestmark = pytest.mark.postgres


def written(journal: Journal, *entries: Entry) -> None:
    """All of these, and nobody waits for more than the last."""
    done: Future[None] = Future()
    for entry in entries:
        journal.add(entry)
    journal.add(Entry("", "", written=done))
    done.result(20)


@pytest.fixture
def journal(store: Store) -> Any:
    journal = Journal(store)
    journal.start()
    yield journal
    journal.close()


def test_events_and_outcome_are_there_together(runs: Runs, journal: Journal, store: Store) -> None:
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    written(journal, told(run_id, 0, 1))
    assert runs.state(run_id, TENANT).status is RunStatus.RUNNING  # pyright: ignore
    written(journal, told(run_id, 2, ending=ending(run_id)))
    state = runs.state(run_id, TENANT)
    assert state is not None
    assert state.status is RunStatus.DONE
    assert state.answer == ending(run_id).answer
    found = rows(store, "SELECT sequence, kind FROM veridical.events ORDER BY 1")
    assert found == [(place, EVENTS[place].kind) for place in range(3)]


def test_what_is_written_stays(runs: Runs, journal: Journal, store: Store) -> None:
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    written(journal, told(run_id, 0, 1, ending=ending(run_id, "first")))
    before = rows(store, "SELECT * FROM veridical.events")
    written(journal, told(run_id, 0, 1, ending=ending(run_id, "second")))
    assert rows(store, "SELECT * FROM veridical.events") == before
    state = runs.state(run_id, TENANT)
    assert state is not None
    assert state.answer is not None
    assert state.answer.text == "first"


def test_an_outcome_does_not_undo_a_cancellation(runs: Runs, journal: Journal) -> None:
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    cancelled = runs.cancel(run_id, TENANT, "Ada")
    written(journal, told(run_id, 0, ending=ending(run_id)))
    assert runs.state(run_id, TENANT) == cancelled


def test_entries_wait_for_a_database_that_is_away(
    runs: Runs, journal: Journal, store: Store, runs_url: str
) -> None:
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    done: Future[None] = Future()
    with away(runs_url):
        journal.add(told(run_id, 0, 1, written=done))
        with pytest.raises(TimeoutError):
            done.result(0.5)
    done.result(20)
    store.engine.dispose()
    assert rows(store, "SELECT count(*) FROM veridical.events") == [(2,)]


def test_what_the_database_refuses_keeps_nothing_else_back(
    runs: Runs, journal: Journal, store: Store
) -> None:
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    refused: Future[None] = Future()
    event = EVENTS[0]
    bad = Entry(run_id, run_id, (Written(run_id, 7, event, "\0"),), written=refused)
    written(journal, told(run_id, 0), bad, told(run_id, 1))
    assert refused.exception() is not None
    assert rows(store, "SELECT sequence FROM veridical.events ORDER BY 1") == [(0,), (1,)]


def test_who_does_not_wait_any_more_keeps_nothing_back(
    runs: Runs, journal: Journal, store: Store
) -> None:
    """A segment that was cancelled while its outcome was being written."""
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    gone: Future[None] = Future()
    gone.cancel()
    journal.add(told(run_id, 0, written=gone))
    written(journal, told(run_id, 1))
    assert rows(store, "SELECT sequence FROM veridical.events ORDER BY 1") == [(0,), (1,)]


def test_watchers_are_told(runs: Runs, journal: Journal, store: Store) -> None:
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    calling = Progress(stage="calling", round=1, text="calculate")
    with store.engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        driver.set_autocommit(True)
        driver.execute("LISTEN veridical_runs")
        written(journal, told(run_id, 0), Entry("other", "other", progress=calling))
        heard = [notice.payload for notice in driver.notifies(timeout=5, stop_after=2)]
    assert heard[0] == run_id
    assert json.loads(heard[1]) == {
        "run": "other",
        "progress": {"kind": "progress", "stage": "calling", "round": 1, "text": "calculate"},
    }


def test_closing_writes_what_is_there(runs: Runs, store: Store) -> None:
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    journal = Journal(store)
    journal.start()
    journal.add(told(run_id, 0, 1, 2))
    journal.close()
    assert rows(store, "SELECT count(*) FROM veridical.events") == [(3,)]
