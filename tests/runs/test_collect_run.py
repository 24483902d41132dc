"""Collecting evidence as a run: killed at every step, nothing is lost, doubled or taken unasked."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.runs.asked import rows, until, working
from tests.runs.conftest import OTHER, TENANT
from tests.runs.inboxes import let_time_pass
from tests.runs.review_worker import no_feature, review_worker
from veridical.contracts.answer import AnswerKind
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.search_candidate import ScoreRequest
from veridical.contracts.search_collect import CollectOutcome, CollectTask
from veridical.contracts.search_ingest import ApprovalStatus, IngestStatus, IngestTask
from veridical.runs.inbox import Inbox
from veridical.runs.inbox_item import Decider, InboxDeadlines, InboxItem, Ruling
from veridical.runs.port import Runs
from veridical.runs.request import collect_request
from veridical.runs.settings import RunsSettings
from veridical.runs.state import RunState, RunStatus
from veridical.store.connection import Store

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

LONG = 120.0
QUESTION = "How long is personal data of employees kept?"
GRACE = Decider(TENANT, "Grace", may_decide=True, may_ask=True)
ADA = Caller(language=Language.EN, name="Ada", member_of=TENANT)
RESULTS = [
    {
        "id": "web-1",
        "title": "Keeping personal data",
        "snippet": "Personal data of employees is kept for ten years by policy.",
        "url": "https://agency.gov/keeping",
        "stored": True,
        "contentHash": "not of this text",
    },
    {"id": "web-2", "title": "Lunch", "snippet": "Employees eat lunch at noon.", "url": ""},
]
LOCK = 20_261_119


def task(**given: Any) -> CollectTask:
    request = ScoreRequest.model_validate(
        {
            "data": {"query": QUESTION, "results": RESULTS},
            "meta": {"scoring_context": {"question": QUESTION}},
        }
    )
    return CollectTask.model_validate(
        {"request": request, "collection": "rules", "searched": ("rules",), **given}
    )


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "proposed"
    folder.mkdir()
    (folder / "audit.md").write_text("# Audit\n\nThe log of personal data is kept for a year.\n")
    (folder / "keep.md").write_text("# Keep\n\nEmployees ask how long data is kept: six years.\n")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    return folder


def of_files(files: Path) -> CollectTask:
    return task(files=IngestTask(collection="rules", paths=(str(files),)))


def started(runs: Runs, given: CollectTask) -> str:
    return runs.start(collect_request(given, ADA), TENANT, "Ada").run_id


def waiting(runs: Runs, run_id: str, than: str | None = None) -> RunState | None:
    state = runs.state(run_id, TENANT)
    assert state is not None
    waits = state.status is RunStatus.WAITING and state.waiting_for not in (None, than)
    return state if waits or state.status.is_final else None


def item_of(store: Store, state: RunState) -> InboxItem:
    item = Inbox(store).item(state.waiting_for or "", TENANT)
    assert item is not None, state
    return item


def decide(store: Store, item: InboxItem, *names: str, approved: bool = True) -> None:
    """Approves the sources whose ids end so; all that is selected where none is named."""
    ids = [each["candidateId"] for each in item.subject["results"]]
    places = [place for place, id in enumerate(ids) if id.endswith(names)] if names else None
    choice = {} if places is None else {"results": places}
    ruling = Ruling(approved=approved, choice=choice, evidence_hash=item.evidence_hash)
    Inbox(store).decide(item.id, GRACE, ruling)


def outcome_of(state: RunState) -> CollectOutcome:
    assert state.status is RunStatus.DONE, state
    assert state.answer is not None
    assert state.answer.kind is AnswerKind.COLLECT
    assert state.answer.collect is not None
    return state.answer.collect


def stored(store: Store) -> list[tuple[str, str]]:
    """Source and text of each passage, as often as it is there."""
    sql = (
        "SELECT d.source, c.text FROM veridical.search_documents d"
        " JOIN veridical.search_chunks c ON c.document = d.id ORDER BY 1, 2"
    )
    return [(row[0], row[1]) for row in rows(store, sql)]


def run_through(runs: Runs, settings: RunsSettings, given: CollectTask, *steps: Any) -> RunState:
    """The run at its end; each step is called with the state at a question."""

    async def story() -> RunState:
        run_id, last = started(runs, given), None
        async with working(settings, no_feature):
            for each in steps:
                state = await until(lambda last=last: waiting(runs, run_id, last), LONG)
                assert not state.status.is_final, state
                last = state.waiting_for
                each(state)
            return await until(lambda last=last: waiting(runs, run_id, last), LONG)

    return asyncio.run(story())


def test_exactly_what_was_approved_is_stored_and_verified(
    runs: Runs, settings: RunsSettings, store: Store, files: Path
) -> None:
    shown: list[InboxItem] = []

    def approve_two(state: RunState) -> None:
        shown.append(item_of(store, state))
        decide(store, shown[0], "web-1", "audit.md")

    state = run_through(runs, settings, of_files(files), approve_two)
    found = outcome_of(state)
    assert found.status is ApprovalStatus.APPROVED
    assert {each.candidate_id for each in found.approved} == {
        "web-1",
        str(files / "audit.md"),
    }
    assert found.summary.model_dump() == {
        "ingested_count": 2,
        "failed_count": 0,
        "pending_count": 0,
        "success_ratio": 1.0,
    }
    assert [Path(name).name for name in found.failed] == ["broken.pdf"]
    (file, text), (web, said) = stored(store)
    assert (file, text) == (str(files / "audit.md"), "The log of personal data is kept for a year.")
    assert web.startswith("https://agency.gov/keeping#"), "it replaces no document of that address"
    assert said == RESULTS[0]["snippet"]
    by_name = {each["candidateId"]: each for each in shown[0].subject["results"]}
    assert by_name["web-1"]["contentHash"] != "not of this text"
    assert "stored" not in by_name["web-1"]
    assert by_name["web-1"]["facetCoverage"]
    assert "UNDATED" in by_name["web-1"]["riskFlags"]
    assert state.answer is not None
    assert state.answer.hitl is not None
    assert not state.answer.hitl.auto_approved
    assert state.answer.text == (
        "2 approved; 2 of 2 new ones added to the collection rules and verified, 0 failed, "
        "0 pending."
    )
    assert runs.state(state.run_id, OTHER) is None


def test_what_is_denied_is_not_stored(runs: Runs, settings: RunsSettings, store: Store) -> None:
    def deny(state: RunState) -> None:
        decide(store, item_of(store, state), approved=False)

    found = outcome_of(run_through(runs, settings, task(), deny))
    assert (found.status, found.approved) == (ApprovalStatus.DENIED, ())
    assert found.summary.success_ratio is None
    assert stored(store) == []


@pytest.mark.parametrize("automatic", [True, False])
def test_after_a_day_without_a_decision(
    runs: Runs, settings: RunsSettings, store: Store, *, automatic: bool
) -> None:
    deadlines = InboxDeadlines(approve_unanswered=("evidence",) if automatic else ())
    settings = settings.model_copy(update={"deadlines": deadlines})

    def wait_a_day(state: RunState) -> None:
        item = item_of(store, state)
        assert item.auto_approve is automatic
        let_time_pass(store, item.id, 24.1)
        rows(store, "UPDATE dbos.workflow_status SET delay_until_epoch_ms = 0")

    state = run_through(runs, settings, task(), wait_a_day)
    found = outcome_of(state)
    assert state.answer is not None
    assert state.answer.hitl is not None
    assert state.answer.hitl.auto_approved is automatic
    assert len(stored(store)) == (2 if automatic else 0)
    wanted = ApprovalStatus.AUTO_APPROVED if automatic else ApprovalStatus.DENIED
    assert found.status is wanted
    assert state.answer.text.startswith("Nobody decided") is automatic


def test_a_file_that_changed_is_shown_again_and_its_old_content_is_not_stored(
    runs: Runs, settings: RunsSettings, store: Store, files: Path
) -> None:
    changed = "# Keep\n\nEmployees ask how long data is kept: for ever.\n"

    def approve_then_change(state: RunState) -> None:
        (files / "keep.md").write_text(changed)
        decide(store, item_of(store, state), "keep.md")

    def approve_again(state: RunState) -> None:
        item = item_of(store, state)
        (again,) = (each for each in item.subject["results"] if each.get("changed"))
        assert again["candidateId"].endswith("keep.md")
        decide(store, item, "keep.md")

    found = outcome_of(
        run_through(runs, settings, of_files(files), approve_then_change, approve_again)
    )
    assert found.summary.ingested_count == 1
    assert [text for _, text in stored(store)] == ["Employees ask how long data is kept: for ever."]


def test_a_second_run_stores_nothing_twice(
    runs: Runs, settings: RunsSettings, store: Store
) -> None:
    def approve(state: RunState) -> None:
        decide(store, item_of(store, state), "web-1")

    def see_stored(state: RunState) -> None:
        item = item_of(store, state)
        assert [each["stored"] for each in item.subject["results"] if "stored" in each] == [True]
        decide(store, item)

    run_through(runs, settings, task(), approve)
    once = stored(store)
    found = outcome_of(run_through(runs, settings, task(), see_stored))
    assert set(once) < set(stored(store))
    assert len(stored(store)) == len(set(stored(store))) == 2
    assert found.statuses == {"web-2": IngestStatus.INGESTED}


@contextmanager
def held(store: Store, step: str) -> Generator[None]:
    """Within the block the result of this step is not recorded: who records it waits."""
    with store.engine.connect() as connection:
        connection.exec_driver_sql(f"SELECT pg_advisory_lock({LOCK})")
        rows(
            store,
            f"CREATE TABLE IF NOT EXISTS held (name text); INSERT INTO held VALUES ('{step}')",
        )
        try:
            yield
        finally:
            rows(store, "DELETE FROM held")
            connection.exec_driver_sql(f"SELECT pg_advisory_unlock({LOCK})")
            connection.rollback()


TRIGGER = f"""
CREATE TABLE held (name text);
GRANT ALL ON held TO PUBLIC;
CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM public.held WHERE NEW.function_name LIKE name) THEN
        PERFORM pg_advisory_xact_lock({LOCK});
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER hold BEFORE INSERT ON dbos.operation_outputs
    FOR EACH ROW EXECUTE FUNCTION hold();
"""
STUCK = f"""
SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = {LOCK}
"""
STEPS = (
    "collect.open",
    "collect.read",
    "collect.recall",
    "search.recall",
    "collect.found",
    "ask:%",
    "collect.current:0",
    "ingest:0",
    "ingest:1",
    "ingest:2",
    "embed:0",
    "collect.verify",
    "close",
)


def test_a_worker_killed_at_every_step_loses_doubles_and_smuggles_nothing(
    runs: Runs, settings: RunsSettings, store: Store, files: Path
) -> None:
    """Each step is done and not yet recorded when its worker is killed: the worst moment."""
    rows(store, TRIGGER)
    approved: list[str] = []

    async def killed_at(step: str, run_id: str) -> None:
        with held(store, step), review_worker(settings) as worker:
            stuck = await until(lambda: rows(store, STUCK), LONG)
            worker.kill()
            worker.wait()
            for (pid,) in stuck:
                rows(store, "SELECT pg_terminate_backend(:pid)", pid=pid)
        state = runs.state(run_id, TENANT)
        assert state is not None
        assert not state.status.is_final, step
        texts = [source for source, _ in stored(store)]
        assert len(texts) == len(set(texts)), step
        assert approved or not texts, f"{step}: nothing is stored before it is approved"
        assert not any("web-2" in source for source in texts)

    async def story() -> RunState:
        run_id = started(runs, of_files(files))
        before = STEPS.index("ask:%") + 1
        for step in STEPS[:before]:
            await killed_at(step, run_id)
        with review_worker(settings):
            state = await until(lambda: waiting(runs, run_id), LONG)
        item = item_of(store, state)
        approved.extend(("web-1", "audit.md", "keep.md"))
        decide(store, item, *approved)
        for step in STEPS[before:]:
            await killed_at(step, run_id)
        with review_worker(settings):
            return await finished_late(runs, run_id)

    state = asyncio.run(story())
    found = outcome_of(state)
    assert found.summary.model_dump() == {
        "ingested_count": 3,
        "failed_count": 0,
        "pending_count": 0,
        "success_ratio": 1.0,
    }
    assert len(stored(store)) == 3
    items = rows(store, "SELECT name FROM veridical.inbox")
    assert len(items) == 1, "nobody was asked twice"


async def finished_late(runs: Runs, run_id: str) -> RunState:
    return await until(lambda: waiting(runs, run_id), LONG)


def test_the_run_of_another_tenant_is_not_seen(
    runs: Runs, settings: RunsSettings, store: Store
) -> None:
    run_id = started(runs, task())

    async def story() -> None:
        async with working(settings, no_feature):
            await until(lambda: waiting(runs, run_id), LONG)

    asyncio.run(story())
    state = runs.state(run_id, TENANT)
    assert state is not None
    assert Inbox(store).item(state.waiting_for or "", OTHER) is None
