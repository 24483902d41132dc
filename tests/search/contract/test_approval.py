"""A person approves the selection through the inbox: on a real database, with its own clock."""

import asyncio
import json
from collections.abc import Sequence

import pytest

from tests.runs.asked import asked
from tests.runs.inboxes import ACME, ASKER, GRACE, a_run, inbox, kept, let_time_pass, woken
from tests.search.found import QUESTION, scored, several
from veridical.contracts.person import Waiting
from veridical.contracts.search_ingest import ApprovalStatus, ApprovedEvidence
from veridical.runs.inbox import Inbox
from veridical.runs.inbox_item import InboxDeadlines, ItemStatus, Ruling
from veridical.runs.request import RunSegment
from veridical.search.score.approval import Selection, approve_top_k
from veridical.store.connection import Store

__all__ = ["inbox", "kept", "woken"]

pytestmark = pytest.mark.postgres

FOUND = several(7)
RESULT = scored(FOUND)
SELECTION = Selection(RESULT, {each.id: each for each in FOUND}, QUESTION)


class Sources(dict[str, str]):
    """The hashes of the sources as they are now."""

    async def now(self, ids: Sequence[str]) -> dict[str, str]:
        return {name: self[name] for name in ids if name in self}


@pytest.fixture
def sources() -> Sources:
    return Sources({each.id: each.fingerprint for each in FOUND})


@pytest.fixture
def segment(inbox: Inbox, kept: Store) -> RunSegment:
    return RunSegment(run_id=a_run(kept), tenant=ACME, asked_by=ASKER, request=asked())


def approved(inbox: Inbox, segment: RunSegment, sources: Sources) -> ApprovedEvidence:
    ask = inbox.ask_for(segment)
    return asyncio.run(approve_top_k(SELECTION, ask, sources.now))


def waiting(inbox: Inbox, segment: RunSegment, sources: Sources) -> str:
    with pytest.raises(Waiting) as found:
        approved(inbox, segment, sources)
    return found.value.item


def decide(inbox: Inbox, item: str, **choice: object) -> None:
    shown = inbox.item(item, ACME)
    assert shown is not None
    ruling = Ruling(approved=True, choice=choice, evidence_hash=shown.evidence_hash)
    inbox.decide(item, GRACE, ruling)


def test_12_a_person_approves_part_of_top_k(
    inbox: Inbox, segment: RunSegment, sources: Sources
) -> None:
    item = waiting(inbox, segment, sources)
    shown = inbox.item(item, ACME)
    assert shown is not None
    assert [each["candidateId"] for each in shown.subject["results"]] == [
        each.candidate_id for each in RESULT.top_k
    ]
    decide(inbox, item, results=[0, 2])
    done = approved(inbox, segment.next, sources)
    assert done.status is ApprovalStatus.APPROVED
    assert not done.hitl.auto_approved
    assert done.approved == (RESULT.top_k[0], RESULT.top_k[2])


def test_12_after_a_day_without_a_decision_it_is_denied(
    inbox: Inbox, kept: Store, segment: RunSegment, sources: Sources
) -> None:
    item = waiting(inbox, segment, sources)
    let_time_pass(kept, item, 24.1)
    done = approved(inbox, segment.next, sources)
    assert done.status is ApprovalStatus.DENIED
    assert done.approved == ()


def test_12_after_a_day_the_selection_stands_by_itself_where_the_owner_says_so(
    kept: Store, segment: RunSegment, sources: Sources
) -> None:
    inbox = Inbox(kept, InboxDeadlines(approve_unanswered=("evidence",)))
    item = waiting(inbox, segment, sources)
    let_time_pass(kept, item, 23.9)
    assert waiting(inbox, segment.next, sources) == item
    let_time_pass(kept, item, 0.2)
    done = approved(inbox, segment.next, sources)
    assert done.approved == RESULT.top_k
    written = json.loads(done.model_dump_json())
    assert written["status"] == "auto_approved"
    assert written["hitl"]["auto_approved"] is True
    (consulted,) = written["hitl"]["consulted"]
    assert consulted["decision"]["automatic"] is True
    assert consulted["decision"]["choice"] == {"results": [0, 1, 2, 3, 4]}


def test_12_a_source_that_changed_makes_the_decision_void(
    inbox: Inbox, segment: RunSegment, sources: Sources
) -> None:
    first = waiting(inbox, segment, sources)
    decide(inbox, first)
    sources["c02"] = "another content"
    second = waiting(inbox, segment.next, sources)
    assert second != first
    shown = inbox.item(second, ACME)
    assert shown is not None
    assert [each.get("changed", False) for each in shown.subject["results"]] == [
        each.candidate_id == "c02" for each in RESULT.top_k
    ]
    assert shown.status is ItemStatus.PENDING
    decide(inbox, second)
    done = approved(inbox, segment.next.next, sources)
    assert done.content_hashes["c02"] == "another content"


def test_12_a_source_that_is_gone_is_not_approved(
    inbox: Inbox, segment: RunSegment, sources: Sources
) -> None:
    decide(inbox, waiting(inbox, segment, sources))
    del sources["c01"]
    decide(inbox, waiting(inbox, segment.next, sources))
    done = approved(inbox, segment.next.next, sources)
    assert {each.candidate_id for each in done.approved} == {"c02", "c03", "c04", "c05"}
