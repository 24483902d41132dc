"""Runs that wait for a person: they hold nothing, outlive workers, go on with the decision."""

import asyncio
from typing import Literal

import pytest

from tests.runs.asked import asked, at, finished, rows, until, working
from tests.runs.conftest import TENANT
from veridical.answering.feature import Feature
from veridical.contracts.answer import AnswerKind
from veridical.contracts.person import Approvals
from veridical.contracts.trace import PersonAsked, PersonDecided
from veridical.runs.continuation import earlier_steps, go_on_later, go_on_now, wake
from veridical.runs.inbox import Inbox
from veridical.runs.inbox_item import Decider, InboxDeadlines, InboxItem, Ruling
from veridical.runs.port import Runs
from veridical.runs.request import RunSegment
from veridical.runs.settings import RunsSettings
from veridical.runs.state import RunState, RunStatus
from veridical.store.connection import Store
from veridical.trace.postgres import PostgresTraces

pytestmark = pytest.mark.postgres

EVIDENCE = Approvals(evidence=True)
BOSS = Decider(TENANT, "Boss", may_decide=True)


def waiting(runs: Runs, run_id: str) -> RunState | None:
    state = runs.state(run_id, TENANT)
    assert state is not None
    return state if state.status is RunStatus.WAITING else None


def approve(store: Store, item: str | None, *, approved: bool = True) -> None:
    inbox = Inbox(store)
    shown = inbox.item(item or "", TENANT)
    assert isinstance(shown, InboxItem)
    ruling = Ruling(approved=approved, evidence_hash=shown.evidence_hash)
    inbox.decide(shown.id, BOSS, ruling)


def test_a_waiting_run_holds_nothing_and_goes_on_with_the_decision(
    runs: Runs, settings: RunsSettings, store: Store, trustee: Feature
) -> None:
    async def story() -> None:
        run_id = runs.start(asked(approvals=EVIDENCE), TENANT, "Ada").run_id
        async with working(settings, at(trustee)):
            state = await until(lambda: waiting(runs, run_id))
            await until(lambda: runs.load().running == 0)
            assert runs.load().waiting == 1
        # The worker is gone; another one goes on where this one stopped.
        approve(store, state.waiting_for)
        async with working(settings, at(trustee)):
            done = await finished(runs, run_id, TENANT)
        assert done.status is RunStatus.DONE
        assert done.answer is not None
        assert done.answer.kind is AnswerKind.PATTERN
        assert done.answer.hitl is not None
        assert done.waiting_for is None
        lives = rows(store, "SELECT workflow_uuid, status FROM dbos.workflow_status ORDER BY 1")
        assert lives == [(run_id, "SUCCESS"), (f"{run_id}~1", "SUCCESS")]

    asyncio.run(story())


def test_no_step_of_an_earlier_life_is_taken_again(
    runs: Runs, settings: RunsSettings, store: Store, trustee: Feature
) -> None:
    async def story() -> None:
        run_id = runs.start(asked(approvals=EVIDENCE), TENANT, "Ada").run_id
        async with working(settings, at(trustee)):
            state = await until(lambda: waiting(runs, run_id))
            approve(store, state.waiting_for)
            await finished(runs, run_id, TENANT)

    asyncio.run(story())
    steps = rows(store, "SELECT workflow_uuid, function_name FROM dbos.operation_outputs")
    first = {name for workflow, name in steps if "~" not in workflow}
    second = {name for workflow, name in steps if "~" in workflow}
    assert "open" in first
    assert any(name.startswith("pattern:") for name in first)
    assert {name for name in first & second if not name.startswith("ask:")} == set()


def test_the_trace_tells_the_story_once(
    runs: Runs, settings: RunsSettings, store: Store, runs_url: str, trustee: Feature
) -> None:
    async def story() -> str:
        run_id = runs.start(asked(approvals=EVIDENCE), TENANT, "Ada").run_id
        async with working(settings, at(trustee)):
            state = await until(lambda: waiting(runs, run_id))
            approve(store, state.waiting_for, approved=False)
            denied = await finished(runs, run_id, TENANT)
        assert denied.answer is not None
        assert denied.answer.kind is AnswerKind.UNKNOWN
        return run_id

    run_id = asyncio.run(story())
    traces = PostgresTraces(runs_url)
    trace = traces.load(run_id, TENANT)
    traces.close()
    assert trace is not None
    kinds = [type(event) for event in trace.events]
    assert kinds.count(PersonAsked) == 1
    assert kinds.count(PersonDecided) == 1


def test_other_evidence_is_asked_about_again(
    runs: Runs, settings: RunsSettings, store: Store, trustee: Feature
) -> None:
    """A decision that an earlier segment went on with counts for what it was made on."""

    async def story() -> None:
        run_id = runs.start(asked(approvals=EVIDENCE), TENANT, "Ada").run_id
        async with working(settings, at(trustee)):
            first = await until(lambda: waiting(runs, run_id))
        approve(store, first.waiting_for)
        decided = rows(store, "SELECT CAST(decision AS text) FROM veridical.decisions")[0][0]
        kept = rows(
            store,
            "UPDATE dbos.operation_outputs SET output = :decided"
            " WHERE function_name LIKE 'ask:%' RETURNING 1",
            decided=decided,
        )
        changed = rows(
            store,
            "UPDATE dbos.operation_outputs SET output = replace(output, '1104822.67', '4822.67')"
            " WHERE function_name LIKE 'pattern:%' AND output LIKE '%1104822.67%' RETURNING 1",
        )
        assert kept == changed == [(1,)]
        async with working(settings, at(trustee)):
            again = await until(lambda: asked_again(run_id))
        assert again.waiting_for != first.waiting_for
        shown = Inbox(store).item(again.waiting_for or "", TENANT)
        assert shown is not None
        assert "4822.67" in str(shown.subject["results"])

    def asked_again(run_id: str) -> RunState | None:
        state = waiting(runs, run_id)
        return state if state is not None and state.waiting_for is not None else None

    asyncio.run(story())


@pytest.mark.parametrize("approve", [(), ("evidence",)])
def test_when_nobody_answers_the_rule_decides_in_time(
    runs: Runs,
    settings: RunsSettings,
    trustee: Feature,
    approve: tuple[Literal["evidence"], ...],
) -> None:
    deadlines = InboxDeadlines(evidence=2 / 3600, approve_unanswered=approve)
    soon = settings.model_copy(update={"deadlines": deadlines})

    async def story() -> None:
        run_id = runs.start(asked(approvals=EVIDENCE), TENANT, "Ada").run_id
        async with working(soon, at(trustee)):
            done = await finished(runs, run_id, TENANT)
        assert done.answer is not None
        assert done.answer.hitl is not None
        assert done.answer.hitl.auto_approved is bool(approve)
        assert done.answer.ok is bool(approve)

    asyncio.run(story())


def begun(runs: Runs) -> RunSegment:
    """A segment as a worker has it, after it was taken from the queue."""
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    segment = RunSegment(run_id=run_id, tenant=TENANT, asked_by="Ada", request=asked())
    rows(runs.store, "UPDATE dbos.workflow_status SET status = 'PENDING'")
    return segment


def status_of(store: Store, workflow_id: str) -> str | None:
    found = rows(
        store, "SELECT status FROM dbos.workflow_status WHERE workflow_uuid = :id", id=workflow_id
    )
    return found[0][0] if found else None


def an_item(store: Store, segment: RunSegment, seconds: float = 3600, item: str = "item") -> None:
    rows(
        store,
        "INSERT INTO veridical.inbox (id, tenant, run_id, name, kind, subject, evidence_hash,"
        " reversible, warn_at, expires_at) VALUES (:id, :tenant, :run, :id, 'evidence', '{}', '',"
        " true, now(), now() + make_interval(secs => :seconds))",
        id=item,
        tenant=segment.tenant,
        run=segment.run_id,
        seconds=seconds,
    )


def test_a_decision_that_came_before_the_run_slept_is_not_slept_through(runs: Runs) -> None:
    segment, store = begun(runs), runs.store
    an_item(store, segment)
    with store.tenant(TENANT) as connection:
        wake(connection, segment.run_id)  # finds nobody asleep
    rows(
        store,
        "INSERT INTO veridical.decisions (item, tenant, decision, decided_by, automatic)"
        " VALUES ('item', :tenant, '{}', 'Boss', false)",
        tenant=TENANT,
    )
    go_on_later(store, runs.client, segment, "item")
    assert status_of(store, segment.next.workflow_id) == "ENQUEUED"


def test_sleep_is_counted_by_the_database(runs: Runs) -> None:
    segment, store = begun(runs), runs.store
    an_item(store, segment)
    go_on_later(store, runs.client, segment, "item")
    assert status_of(store, segment.next.workflow_id) == "DELAYED"
    left = rows(
        store,
        "SELECT delay_until_epoch_ms / 1000.0 - extract(epoch FROM now()) FROM dbos.workflow_status"
        " WHERE workflow_uuid = :id",
        id=segment.next.workflow_id,
    )
    assert 3590 < left[0][0] <= 3600
    with store.tenant(TENANT) as connection:
        wake(connection, segment.run_id)
    assert status_of(store, segment.next.workflow_id) == "ENQUEUED"


def test_time_that_passed_between_asking_and_sleeping_counts(runs: Runs) -> None:
    segment, store = begun(runs), runs.store
    an_item(store, segment, seconds=-1)
    go_on_later(store, runs.client, segment, "item")
    assert status_of(store, segment.next.workflow_id) == "ENQUEUED"


def test_a_life_that_is_lived_again_has_no_second_heir(runs: Runs) -> None:
    segment, store = begun(runs), runs.store
    an_item(store, segment)
    go_on_later(store, runs.client, segment, "item")
    with store.tenant(TENANT) as connection:
        wake(connection, segment.run_id)
    go_on_later(store, runs.client, segment, "item")
    go_on_now(store, runs.client, segment)
    lives = rows(store, "SELECT workflow_uuid, status FROM dbos.workflow_status ORDER BY 1")
    assert lives == [(segment.run_id, "PENDING"), (segment.next.workflow_id, "ENQUEUED")]


def test_a_cancelled_run_gets_no_further_life(runs: Runs) -> None:
    segment, store = begun(runs), runs.store
    runs.cancel(segment.run_id, TENANT, "Ada")
    go_on_now(store, runs.client, segment)
    assert status_of(store, segment.next.workflow_id) is None
    with store.tenant(TENANT) as connection:
        wake(connection, segment.run_id)


def test_cancelling_a_sleeping_run_ends_its_sleep(runs: Runs) -> None:
    segment, store = begun(runs), runs.store
    an_item(store, segment)
    go_on_later(store, runs.client, segment, "item")
    assert runs.state(segment.run_id, TENANT).waiting_for == "item"  # pyright: ignore
    runs.cancel(segment.run_id, TENANT, "Ada")
    assert status_of(store, segment.next.workflow_id) == "CANCELLED"


def test_steps_are_found_by_name_over_all_lives(runs: Runs) -> None:
    segment, store = begun(runs), runs.store
    third = segment.next.next
    for workflow_id, name, output in (
        (segment.workflow_id, "open", '{"at":1}'),
        (segment.workflow_id, "ask:a", '{"waitingFor":"item","seconds":1}'),
        (segment.next.workflow_id, "ask:a", '{"approved":true}'),
        (segment.next.workflow_id, "ask:b", '{"waitingFor":"other","seconds":1}'),
        (third.workflow_id, "close", '{"at":2}'),
    ):
        rows(
            store,
            "INSERT INTO dbos.operation_outputs (workflow_uuid, function_id, function_name, output,"
            " serialization, retention_timestamp) SELECT :id, count(*), :name, :output,"
            " 'veridical_json', 0 FROM dbos.operation_outputs",
            id=workflow_id,
            name=name,
            output=output,
        )
    assert earlier_steps(store, segment) == {}
    assert earlier_steps(store, third) == {"open": {"at": 1}, "ask:a": {"approved": True}}


def test_a_run_that_waits_too_often_ends(
    runs: Runs, settings: RunsSettings, trustee: Feature
) -> None:
    never = settings.model_copy(update={"lives": 1})

    async def story() -> None:
        run_id = runs.start(asked(approvals=EVIDENCE), TENANT, "Ada").run_id
        async with working(never, at(trustee)):
            failed = await finished(runs, run_id, TENANT)
        assert (failed.status, failed.error) == (RunStatus.FAILED, "GAVE_UP")

    asyncio.run(story())
