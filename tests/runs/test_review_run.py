"""A review by the team as a run: questions through the inbox, and workers that are killed."""

import asyncio

import pytest

from tests.runs.asked import finished, rows, until, working
from tests.runs.conftest import OTHER, TENANT
from tests.runs.review_worker import no_feature, review_worker
from veridical.contracts.answer import AnswerKind
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.requirements_review import ReviewOutcome, ReviewTask
from veridical.contracts.trace import PersonAsked, Reviewed
from veridical.requirements.team.team import BATCH
from veridical.runs.inbox import Inbox
from veridical.runs.inbox_item import Decider, Ruling
from veridical.runs.port import Runs
from veridical.runs.request import review_request
from veridical.runs.settings import RunsSettings
from veridical.runs.state import RunState, RunStatus
from veridical.store.connection import Store
from veridical.trace.postgres import PostgresTraces

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

LONG = 180.0
ADA = Decider(TENANT, "Ada", may_decide=False, may_ask=True)
ASKS = Caller(language=Language.DE, name="Ada", member_of=TENANT)
KNOWN = {
    "VAG:13": "2 Sekunden, 95 %",
    "role": "Nutzer",
    "benefit": "ich nicht warte",
    "state": "die App ist installiert",
    "event": "ich eine Seite öffne",
}


def started(runs: Runs, task: ReviewTask) -> str:
    return runs.start(review_request(task, ASKS), TENANT, "Ada").run_id


def waiting(runs: Runs, run_id: str, than: str | None = None) -> RunState | None:
    """The run, where it waits for another item or has ended."""
    state = runs.state(run_id, TENANT)
    assert state is not None
    waits = state.status is RunStatus.WAITING and state.waiting_for not in (None, than)
    return state if waits or state.status.is_final else None


def replied(store: Store, item_id: str | None) -> str:
    """Answers one item as its asker may, and tells its question."""
    inbox = Inbox(store)
    item = inbox.item(item_id or "", TENANT)
    assert item is not None
    about = item.name.split(":", 2)[-1]
    text = KNOWN.get(about, KNOWN["VAG:13"] if about.startswith("VAG") else "clerk")
    ruling = Ruling(approved=True, choice={"text": text}, evidence_hash=item.evidence_hash)
    inbox.decide(item.id, ADA, ruling)
    return str(item.subject["asked"])


def outcome_of(state: RunState) -> ReviewOutcome:
    assert state.status is RunStatus.DONE, state
    assert state.answer is not None
    assert state.answer.kind is AnswerKind.REVIEW
    assert state.answer.review is not None
    return state.answer.review


def test_scenario_1_through_the_inbox(runs: Runs, settings: RunsSettings, store: Store) -> None:
    task = ReviewTask(requirements=("Die App muss schnell sein",))

    async def story() -> tuple[RunState, list[str]]:
        run_id, asked, last = started(runs, task), [], None
        async with working(settings, no_feature):
            while True:
                state = await until(lambda last=last: waiting(runs, run_id, last))
                if state.status.is_final:
                    return state, asked
                last = state.waiting_for
                assert len(Inbox(store).entries(TENANT)) == 1  # one question at a time
                asked.append(replied(store, last))

    state, asked = asyncio.run(story())
    found = outcome_of(state).requirements[0]
    assert asked[0] == "Welcher Wert mit Einheit ist mit «schnell» gemeint?"
    assert "(2 Sekunden, 95 %)" in found.corrected_text
    assert found.approved
    assert state.answer is not None
    assert state.answer.hitl is not None
    assert len(state.answer.hitl.consulted) == len(asked) == len(KNOWN)
    assert runs.state(state.run_id, OTHER) is None
    traces = PostgresTraces(settings.database_url)
    trace = traces.load(state.run_id, TENANT)
    traces.close()
    assert trace is not None
    turns = [each.turn for each in trace.events if isinstance(each, Reviewed) and each.turn]
    assert len(turns) == 2 * len(KNOWN)
    assert sum(isinstance(each, PersonAsked) for each in trace.events) == len(KNOWN)


def taken(store: Store) -> int:
    """How many batches are recorded as done."""
    sql = "SELECT count(*) FROM dbos.operation_outputs WHERE function_name LIKE 'review:%'"
    return rows(store, sql)[0][0]


def test_killed_workers_lose_nothing_and_ask_nothing_twice(
    runs: Runs, settings: RunsSettings, store: Store
) -> None:
    """Killed between batches, and again when a question has just been answered."""
    count, most = 5 * BATCH, 3
    texts = tuple(f"The pump {n} of line {n % 7} shall be fast." for n in range(count))
    task = ReviewTask(requirements=texts, most_questions=most)

    async def story() -> RunState:
        run_id = started(runs, task)
        with review_worker(settings) as worker:
            await until(lambda: taken(store) >= 1, LONG)
            worker.kill()
        assert taken(store) < count / BATCH
        with review_worker(settings) as worker:
            state = await until(lambda: waiting(runs, run_id), LONG)
            replied(store, state.waiting_for)
            worker.kill()
        with review_worker(settings):
            while not state.status.is_final:
                last = state.waiting_for
                state = await until(lambda last=last: waiting(runs, run_id, last), LONG)
                if not state.status.is_final:
                    replied(store, state.waiting_for)
            return state

    found = outcome_of(asyncio.run(story()))
    assert [each.original_text for each in found.requirements] == list(texts)
    assert all(each.score is not None for each in found.requirements)
    assert found.questions_asked == most
    items = rows(store, "SELECT name FROM veridical.inbox")
    assert len(items) == len(set(items)) == most
    first = found.requirements[0]
    assert len(first.answers) == most
    assert first.answers["role"] == KNOWN["role"]


def test_review_that_nobody_answers_ends_with_what_is_open(
    runs: Runs, settings: RunsSettings
) -> None:
    task = ReviewTask(requirements=("Die App muss schnell sein",), most_questions=0)

    async def story() -> RunState:
        async with working(settings, no_feature):
            return await finished(runs, started(runs, task), TENANT)

    found = outcome_of(asyncio.run(story())).requirements[0]
    assert len(found.questions) == len(KNOWN)
    assert not found.approved
