"""A person approves the passages of a search, through real runs and the real inbox."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.runs.asked import asked, at, finished, rows, until, working
from tests.runs.conftest import TENANT
from tests.runs.inboxes import let_time_pass
from tests.search.evidence.library import stored
from veridical.answering.feature import Feature
from veridical.contracts.answer import Answer
from veridical.contracts.language import Language
from veridical.contracts.person import Approvals
from veridical.contracts.search_context import FreshnessMode
from veridical.host.documents import shelf_of
from veridical.host.settings import FeatureSearch
from veridical.runs.inbox import Inbox
from veridical.runs.inbox_item import Decider, InboxDeadlines, InboxItem, Ruling
from veridical.runs.port import Runs
from veridical.runs.settings import RunsSettings
from veridical.runs.state import RunState, RunStatus
from veridical.runs.workflow import Sessions
from veridical.search.evidence import EvidenceSearch
from veridical.search.score.settings import ScoreSettings
from veridical.store.connection import Store
from veridical.testing.script import Script
from veridical.tools.evidence import SEARCH_EVIDENCE
from veridical.tools.evidence_shelf import EvidenceQuery

pytestmark = pytest.mark.postgres

QUESTION = "What does the handbook say about the deposit for a rented flat?"
LEASE = "The deposit for a rented flat is 1500 francs."
GARAGE = "The deposit for a rented garage is 300 francs, not that for a flat."
PASSAGES = Approvals(passages=True)
BOSS = Decider(TENANT, "Boss", may_decide=True)


@dataclass
class Library:
    """Two documents, a feature that may search them, and what its model is to say."""

    store: Store
    folder: Path
    feature: Feature
    search: EvidenceSearch

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(f"# {name}\n\n{text}\n", "utf-8")
        stored(self.store, TENANT, "handbook", self.folder)

    def cited(self, text: str) -> str:
        """What the passage with this text is cited by now."""
        query = EvidenceQuery(QUESTION, TENANT, ("handbook",), FreshnessMode.STANDARD, Language.EN)
        found = self.search.search(query).chunks
        return next(each.id for each in found if text in each.text)

    def sessions(self) -> tuple[Sessions, Script]:
        call = [(SEARCH_EVIDENCE, {"question": QUESTION})]
        quotation = f"“{LEASE}” [{self.cited(LEASE)}]"
        script = Script([call, quotation, quotation, quotation])
        return at(self.feature, model=script.model), script


@pytest.fixture
def library(store: Store, trustee: Feature, tmp_path: Path) -> Iterator[Library]:
    search = EvidenceSearch(store.tenant, ScoreSettings())
    shelf = shelf_of(search, FeatureSearch(collections=("handbook",), tenant=TENANT))
    made = Library(store, tmp_path, replace(trustee, evidence=shelf), search)
    made.write("garage.md", GARAGE)
    made.write("lease.md", LEASE)
    yield made
    search.close()


def waiting(runs: Runs, run_id: str, other_than: str | None = None) -> RunState | None:
    state = runs.state(run_id, TENANT)
    assert state is not None
    is_new = state.waiting_for not in (None, other_than)
    return state if state.status is RunStatus.WAITING and is_new else None


def shown(store: Store, item: str | None) -> InboxItem:
    found = Inbox(store).item(item or "", TENANT)
    assert found is not None
    return found


def approve(store: Store, item: InboxItem, *results: int) -> None:
    ruling = Ruling(
        approved=True, choice={"results": list(results)}, evidence_hash=item.evidence_hash
    )
    Inbox(store).decide(item.id, BOSS, ruling)


def places(item: InboxItem, text: str) -> list[int]:
    return [n for n, each in enumerate(item.subject["results"]) if text in each["snippet"]]


def answer_of(state: RunState) -> Answer:
    assert state.status is RunStatus.DONE
    assert state.answer is not None
    return state.answer


def test_the_model_sees_what_a_person_approved_and_nothing_else(
    runs: Runs, settings: RunsSettings, store: Store, library: Library
) -> None:
    sessions, script = library.sessions()

    async def story() -> Answer:
        run_id = runs.start(asked(QUESTION, PASSAGES), TENANT, "Ada").run_id
        async with working(settings, sessions):
            state = await until(lambda: waiting(runs, run_id))
        item = shown(store, state.waiting_for)
        assert len(item.subject["results"]) == 2
        assert len(script.heard) == 1  # nothing of what was found has reached the model
        approve(store, item, *places(item, LEASE))
        async with working(settings, sessions):
            return answer_of(await finished(runs, run_id, TENANT))

    answer = asyncio.run(story())
    assert answer.ok, answer
    assert [each.text for source in answer.sources for each in source.chunks] == [LEASE]
    assert "garage" not in str(script.heard)
    assert answer.hitl is not None
    assert not answer.hitl.auto_approved


def test_a_change_elsewhere_in_the_document_leaves_the_approval(
    runs: Runs, settings: RunsSettings, store: Store, library: Library
) -> None:
    """The passages are ingested again with a new one before them: their content is as shown."""
    sessions, _ = library.sessions()
    cited = library.cited(LEASE)

    async def story() -> Answer:
        run_id = runs.start(asked(QUESTION, PASSAGES), TENANT, "Ada").run_id
        async with working(settings, sessions):
            state = await until(lambda: waiting(runs, run_id))
        item = shown(store, state.waiting_for)
        await asyncio.to_thread(library.write, "lease.md", f"Of 2027.\n\n# lease.md\n\n{LEASE}")
        assert await asyncio.to_thread(library.cited, LEASE) == cited
        approve(store, item, *places(item, LEASE))
        async with working(settings, sessions):
            return answer_of(await finished(runs, run_id, TENANT))

    answer = asyncio.run(story())
    assert answer.ok, answer
    assert [each.text for source in answer.sources for each in source.chunks] == [LEASE]


def test_a_source_that_changed_meanwhile_is_asked_about_again(
    runs: Runs, settings: RunsSettings, store: Store, library: Library
) -> None:
    sessions, script = library.sessions()

    async def story() -> Answer:
        run_id = runs.start(asked(QUESTION, PASSAGES), TENANT, "Ada").run_id
        async with working(settings, sessions):
            state = await until(lambda: waiting(runs, run_id))
            first = shown(store, state.waiting_for)
            changed_text = "The deposit for a rented garage is 999 francs."
            await asyncio.to_thread(library.write, "garage.md", changed_text)
            approve(store, first, 0, 1)
            again = await until(lambda: waiting(runs, run_id, first.id))
            second = shown(store, again.waiting_for)
            changed = [each.get("changed", False) for each in second.subject["results"]]
            assert [n for n, each in enumerate(changed) if each] == places(second, GARAGE)
            approve(store, second, 0, 1)
            return answer_of(await finished(runs, run_id, TENANT))

    answer = asyncio.run(story())
    assert answer.ok, answer
    assert [each.text for source in answer.sources for each in source.chunks] == [LEASE]
    assert "garage" not in str(script.heard)


def test_after_a_day_the_selection_stands_where_the_owner_says_so_and_the_answer_tells(
    runs: Runs, settings: RunsSettings, store: Store, library: Library
) -> None:
    sessions, _ = library.sessions()
    approving = InboxDeadlines(approve_unanswered=("evidence",))
    settings = settings.model_copy(update={"deadlines": approving})

    def pass_hours(item: str, hours: float) -> None:
        """For the inbox and for the engine's delay alike."""
        let_time_pass(store, item, hours)
        rows(
            store,
            "UPDATE dbos.workflow_status SET delay_until_epoch_ms = delay_until_epoch_ms - :ms"
            " WHERE status = 'DELAYED'",
            ms=int(hours * 3_600_000),
        )

    async def story() -> Answer:
        run_id = runs.start(asked(QUESTION, PASSAGES), TENANT, "Ada").run_id
        async with working(settings, sessions):
            state = await until(lambda: waiting(runs, run_id))
            item = shown(store, state.waiting_for)
            pass_hours(item.id, 23.9)
            await asyncio.sleep(2)
            assert waiting(runs, run_id) is not None
            pass_hours(item.id, 0.2)
            return answer_of(await finished(runs, run_id, TENANT))

    answer = asyncio.run(story())
    assert answer.ok, answer
    assert answer.hitl is not None
    assert answer.hitl.auto_approved
    assert "approved automatically" in answer.text
    assert len(answer.sources[0].chunks) == 2
