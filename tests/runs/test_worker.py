"""Workers as processes: killed, stopped past their lease, asked to end. No run is lost."""

import asyncio
import os
import signal
import time

import pytest

from tests.runs.asked import OPEN, asked, at, away, finished, rows, until
from tests.runs.conftest import OTHER, TENANT
from tests.runs.slow_model import DEADLY, ROUNDS, prepare_marks
from tests.runs.worker_process import processes
from veridical.answering.feature import Feature
from veridical.runs.port import Runs
from veridical.runs.process_end import stop_events
from veridical.runs.settings import RunsSettings
from veridical.runs.state import RunStatus
from veridical.runs.worker import Worker
from veridical.store.connection import Store

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

LONG = 90.0
COUNT = 8


@pytest.fixture
def marks(store: Store) -> Store:
    prepare_marks(store)
    return store


def start(runs: Runs, count: int = COUNT) -> list[str]:
    return [
        runs.start(asked(OPEN), TENANT if number % 2 else OTHER, "Ada").run_id
        for number in range(count)
    ]


def unfinished(store: Store) -> int:
    sql = "SELECT count(*) FROM veridical.run_requests WHERE finished_at IS NULL"
    return rows(store, sql)[0][0]


def workers(store: Store) -> set[str]:
    return {row[0] for row in rows(store, "SELECT executor_id FROM veridical.workers")}


def statuses(store: Store) -> set[str]:
    return {row[0] for row in rows(store, "SELECT status FROM veridical.run_requests")}


def some_begun(store: Store, least: int = 3) -> bool:
    return len(rows(store, "SELECT 1 FROM public.done")) >= least


def check_all_done_once(store: Store, count: int = COUNT) -> None:
    outcomes = rows(store, "SELECT status, answer->>'kind' FROM veridical.run_requests")
    assert outcomes == [("done", "unknown")] * count
    done = rows(store, "SELECT key FROM public.done")
    assert len(done) == len(set(done)) == count * ROUNDS
    left = rows(store, "SELECT count(*) FROM dbos.workflow_status WHERE status <> 'SUCCESS'")
    assert left == [(0,)]


def test_a_killed_worker_loses_and_doubles_nothing(
    runs: Runs, settings: RunsSettings, marks: Store, trustee: Feature
) -> None:
    async def story() -> None:
        start(runs)
        with processes(2, settings, trustee) as (first, _):
            await until(lambda: some_begun(marks), LONG)
            first.kill()
            await until(lambda: unfinished(marks) == 0, LONG)
            await until(lambda: runs.load().running == 0, LONG)
            await until(lambda: runs.load().workers == 1, LONG)

    asyncio.run(story())
    check_all_done_once(marks)


@pytest.mark.parametrize("settings", [5], indirect=True)  # the other one is never so late
def test_a_worker_that_was_stopped_past_its_lease_doubles_nothing(
    runs: Runs, settings: RunsSettings, marks: Store, trustee: Feature
) -> None:
    async def story() -> None:
        start(runs)
        with processes(2, settings, trustee) as (first, _):
            await until(lambda: runs.load().workers == 2, LONG)
            before = workers(marks)
            await until(lambda: some_begun(marks), LONG)
            first.signal(signal.SIGSTOP)
            await until(lambda: unfinished(marks) == 0, LONG)
            await until(lambda: len(workers(marks)) == 1, LONG)
            first.signal(signal.SIGCONT)
            # It notices, and comes back under another id.
            after = await until(lambda: len(workers(marks)) == 2 and workers(marks), LONG)
            assert len(after - before) == 1
            more = start(runs, 2)
            for run_id, tenant in zip(more, (OTHER, TENANT), strict=True):
                await finished(runs, run_id, tenant)
            await until(lambda: runs.load().running == 0, LONG)

    asyncio.run(story())
    check_all_done_once(marks, COUNT + 2)


def test_a_worker_that_is_asked_to_end_finishes_what_it_has(
    runs: Runs, settings: RunsSettings, marks: Store, trustee: Feature
) -> None:
    async def story() -> None:
        start(runs)
        patient = settings.model_copy(update={"stop_seconds": 30, "worker_concurrency": 4})
        with processes(1, patient, trustee) as (worker,):
            await until(lambda: some_begun(marks, 1), LONG)
            worker.signal(signal.SIGTERM)
            assert await asyncio.to_thread(worker.wait) == 0
        load = runs.load()
        assert (load.running, load.workers) == (0, 0)
        assert load.queued > 0  # it took nothing new
        assert load.queued + _done(marks) == COUNT

    asyncio.run(story())


def test_a_worker_that_must_end_hands_back_what_it_has(
    runs: Runs, settings: RunsSettings, marks: Store, trustee: Feature
) -> None:
    async def story() -> None:
        start(runs, 3)
        hasty = settings.model_copy(update={"stop_seconds": 0.5})
        with processes(1, hasty, trustee, seconds=20) as (worker,):
            await until(lambda: some_begun(marks), LONG)
            asked_at = time.monotonic()
            worker.signal(signal.SIGTERM)
            assert await asyncio.to_thread(worker.wait) == 0
            assert time.monotonic() - asked_at < 15
        load = runs.load()
        assert (load.queued, load.running, load.workers) == (3, 0, 0)
        assert statuses(marks) == {"queued"}
        with processes(1, settings, trustee):
            await until(lambda: unfinished(marks) == 0, LONG)
            await until(lambda: runs.load().running == 0, LONG)

    asyncio.run(story())
    check_all_done_once(marks, 3)


def test_a_worker_that_is_asked_twice_ends_at_once(
    runs: Runs, settings: RunsSettings, marks: Store, trustee: Feature
) -> None:
    async def story() -> None:
        start(runs, 3)
        patient = settings.model_copy(update={"stop_seconds": 600})
        with processes(1, patient, trustee, seconds=600) as (worker,):
            await until(lambda: some_begun(marks), LONG)
            worker.signal(signal.SIGTERM)
            await asyncio.sleep(1)
            worker.signal(signal.SIGTERM)
            assert await asyncio.to_thread(worker.wait) == 0
        load = runs.load()
        assert (load.queued, load.running, load.workers) == (3, 0, 0)
        assert statuses(marks) == {"queued"}

    asyncio.run(story())


def test_a_worker_that_waits_for_its_database_can_be_told_to_end(
    settings: RunsSettings, trustee: Feature
) -> None:
    async def story() -> None:
        stop = asyncio.Event()
        with away(settings.database_url):
            working = asyncio.create_task(Worker(settings, at(trustee)).work(stop))
            await asyncio.sleep(0.5)
            assert not working.done()
            stop.set()
            async with asyncio.timeout(10):
                await working

    asyncio.run(story())


def test_a_run_that_kills_its_workers_is_given_up(
    runs: Runs, settings: RunsSettings, marks: Store, trustee: Feature
) -> None:
    async def story() -> None:
        careful = settings.model_copy(update={"attempts": 1})
        run_id = runs.start(asked(DEADLY), TENANT, "Ada").run_id
        for _ in range(2):
            with processes(1, careful, trustee) as (victim,):
                assert await asyncio.to_thread(victim.wait) == 3
        with processes(1, careful, trustee):
            state = await until(lambda: _final(runs, run_id), LONG)
        assert (state.status, state.error) == (RunStatus.FAILED, "GAVE_UP")

    asyncio.run(story())


def _final(runs: Runs, run_id: str) -> object:
    state = runs.state(run_id, TENANT)
    assert state is not None
    return state if state.status.is_final else None


def _done(store: Store) -> int:
    return rows(store, "SELECT count(*) FROM veridical.run_requests WHERE status = 'done'")[0][0]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_second_time_means_at_once_and_the_third_is_not_ours(number: signal.Signals) -> None:
    async def story() -> None:
        stop, at_once = stop_events()
        seen = [(stop.is_set(), at_once.is_set())]
        for _ in range(2):
            os.kill(os.getpid(), number)
            await asyncio.sleep(0.05)
            seen.append((stop.is_set(), at_once.is_set()))
        assert seen == [(False, False), (True, False), (True, True)]
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

    asyncio.run(story())
