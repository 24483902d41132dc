"""Runs from outside, on a real database; where they are worked on, by a worker in this process."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy.exc import DBAPIError

from tests.runs.asked import asked, at, finished, rows, working
from tests.runs.conftest import OTHER, TENANT
from veridical.answering.feature import Feature
from veridical.contracts.answer import AnswerKind
from veridical.runs.errors import IdempotencyConflictError, RunNotFoundError
from veridical.runs.port import Runs
from veridical.runs.settings import RunsSettings
from veridical.runs.state import RunStatus
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres


def test_a_run_is_answered(runs: Runs, settings: RunsSettings, trustee: Feature) -> None:
    async def story() -> None:
        started = runs.start(asked(), TENANT, "Ada")
        assert started.status is RunStatus.QUEUED
        async with working(settings, at(trustee)):
            done = await finished(runs, started.run_id, TENANT)
        assert done.status is RunStatus.DONE
        assert done.answer is not None
        assert done.answer.kind is AnswerKind.PATTERN
        assert done.answer.trace_id == done.run_id
        assert done.finished_at is not None
        assert done.finished_at >= done.created_at
        assert (done.asked_by, done.feature) == ("Ada", "trustee")

    asyncio.run(story())


def test_row_and_queue_are_one_transaction(runs: Runs, store: Store) -> None:
    rows(store, "ALTER TABLE dbos.workflow_input RENAME TO gone")
    with pytest.raises(Exception, match="workflow_input"):
        runs.start(asked(), TENANT, "Ada")
    assert rows(store, "SELECT count(*) FROM veridical.run_requests") == [(0,)]
    assert rows(store, "SELECT count(*) FROM dbos.workflow_status") == [(0,)]
    assert noted(store) == []


def noted(store: Store) -> list[tuple[str, ...]]:
    return rows(store, "SELECT tenant, actor, action, subject FROM veridical.audit ORDER BY id")


def test_what_is_done_to_a_run_is_in_the_audit_once(runs: Runs, store: Store) -> None:
    plain = runs.start(asked(), TENANT, "Ada").run_id
    keyed, again = (runs.start(asked(), TENANT, "Ada", "k").run_id for _ in range(2))
    assert keyed == again
    for _ in range(2):
        runs.cancel(keyed, TENANT, "Bob")
    assert noted(store) == [
        (TENANT, "Ada", "run.started", plain),
        (TENANT, "Ada", "run.started", keyed),
        (TENANT, "Bob", "run.cancelled", keyed),
    ]


def test_what_can_not_be_noted_is_not_done(runs: Runs, store: Store) -> None:
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    rows(store, "REVOKE INSERT (tenant, actor, action, subject, detail) ON veridical.audit"
         " FROM veridical_app")  # fmt: skip
    with pytest.raises(DBAPIError, match="permission denied for table audit"):
        runs.start(asked(), TENANT, "Ada")
    with pytest.raises(DBAPIError, match="permission denied for table audit"):
        runs.cancel(run_id, TENANT, "Ada")
    assert [(each.run_id, each.status) for each in runs.recent(TENANT)] == [
        (run_id, RunStatus.QUEUED)
    ]
    assert rows(store, "SELECT workflow_uuid, status FROM dbos.workflow_status") == [
        (run_id, "ENQUEUED")
    ]


def test_a_key_starts_one_run(runs: Runs, store: Store) -> None:
    first = runs.start(asked(), TENANT, "Ada", "k1")
    assert runs.start(asked(), TENANT, "Ada", "k1").run_id == first.run_id
    assert runs.start(asked(), TENANT, "Ada", "k2").run_id != first.run_id
    assert runs.start(asked(), OTHER, "Ada", "k1").run_id != first.run_id
    assert rows(store, "SELECT count(*) FROM dbos.workflow_status") == [(3,)]


def test_a_key_is_for_one_request(runs: Runs) -> None:
    runs.start(asked(), TENANT, "Ada", "k1")
    with pytest.raises(IdempotencyConflictError):
        runs.start(asked("Hello!"), TENANT, "Ada", "k1")
    with pytest.raises(IdempotencyConflictError):
        runs.start(asked(), TENANT, "Bob", "k1")


def test_a_key_that_many_use_at_once_starts_one_run(runs: Runs, store: Store) -> None:
    with ThreadPoolExecutor(5) as pool:
        starting = [pool.submit(runs.start, asked(), TENANT, "Ada", "k1") for _ in range(10)]
        assert len({each.result().run_id for each in starting}) == 1
    assert rows(store, "SELECT count(*) FROM dbos.workflow_status") == [(1,)]


def test_a_text_that_postgresql_cannot_hold_is_kept_all_the_same(runs: Runs) -> None:
    odd = asked("a\0b\ud800c")
    assert runs.start(odd, TENANT, "Ada", "k").run_id == runs.start(odd, TENANT, "Ada", "k").run_id


def test_tenants_do_not_see_each_other(runs: Runs) -> None:
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    assert runs.state(run_id, OTHER) is None
    assert runs.recent(OTHER) == ()
    with pytest.raises(RunNotFoundError):
        runs.cancel(run_id, OTHER, "Eve")
    assert [each.run_id for each in runs.recent(TENANT)] == [run_id]


def test_pages_have_every_run_once(runs: Runs) -> None:
    started = [runs.start(asked(), TENANT, "Ada").run_id for _ in range(5)]
    runs.start(asked(), OTHER, "Bob")
    found: list[str] = []
    page = runs.recent(TENANT, 2)
    while page:
        found += [each.run_id for each in page]
        page = runs.recent(TENANT, 2, before=found[-1])
    assert found == started[::-1]


def test_a_cancelled_run_is_not_begun(
    runs: Runs, settings: RunsSettings, store: Store, trustee: Feature
) -> None:
    async def story() -> None:
        first = runs.start(asked(), TENANT, "Ada").run_id
        cancelled = runs.cancel(first, TENANT, "Ada")
        assert cancelled.status is RunStatus.CANCELLED
        assert cancelled.finished_at is not None
        assert runs.cancel(first, TENANT, "Ada") == cancelled
        second = runs.start(asked(), TENANT, "Ada").run_id
        async with working(settings, at(trustee)):
            await finished(runs, second, TENANT)
        assert runs.state(first, TENANT) == cancelled
        assert rows(store, "SELECT DISTINCT trace_id FROM veridical.events") == [(second,)]

    asyncio.run(story())


def test_what_is_done_is_not_cancelled(
    runs: Runs, settings: RunsSettings, trustee: Feature
) -> None:
    async def story() -> None:
        run_id = runs.start(asked("Hello!"), TENANT, "Ada").run_id
        async with working(settings, at(trustee)):
            done = await finished(runs, run_id, TENANT)
        assert done.status is RunStatus.DONE
        assert runs.cancel(run_id, TENANT, "Ada") == done

    asyncio.run(story())


def test_the_load_is_told(runs: Runs) -> None:
    runs.start(asked(), TENANT, "Ada")
    runs.start(asked(), OTHER, "Ada")
    runs.cancel(runs.start(asked(), TENANT, "Ada").run_id, TENANT, "Ada")
    load = runs.load()
    assert (load.queued, load.running, load.waiting, load.workers) == (2, 0, 0, 0)
