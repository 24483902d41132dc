"""The approval of a selection without an inbox: what is shown, and what a change makes of it."""

import asyncio
from collections.abc import Sequence
from itertools import count

from tests.search.found import QUESTION, candidate, scored, several
from veridical.contracts.person import Decision, PersonNeeded, unanswered
from veridical.contracts.search_ingest import ApprovalStatus
from veridical.search.score.approval import Selection, approve_top_k, changed_sources
from veridical.search.score.settings import ScoreSettings

FOUND = several(3)
RESULT = scored(FOUND)
SELECTION = Selection(RESULT, {each.id: each for each in FOUND}, QUESTION)


async def approve(needed: PersonNeeded) -> Decision:
    return Decision(approved=True, decided_by="Ada", evidence_hash=needed.evidence_hash, at=0)


def test_a_denied_selection_is_empty() -> None:
    async def deny(needed: PersonNeeded) -> Decision:
        return Decision(
            approved=False, decided_by="Grace", evidence_hash=needed.evidence_hash, at=0
        )

    done = asyncio.run(approve_top_k(SELECTION, deny))
    assert (done.status, done.approved) == (ApprovalStatus.DENIED, ())


def test_an_approval_holds_as_long_as_the_content_does() -> None:
    done = asyncio.run(approve_top_k(SELECTION, approve))
    now = {each.id: each.fingerprint for each in FOUND}
    assert changed_sources(done, now) == ()
    assert changed_sources(done, now | {"c02": "other"}) == ("c02",)
    assert changed_sources(done, {}) == ("c01", "c02", "c03")


def test_what_is_recommended_beside_the_selection_must_be_chosen() -> None:
    found = [*several(5), candidate("law", 6, snippet="gdpr policy")]
    settings = ScoreSettings(irrelevant_below=0)
    result = scored(found, settings=settings, min_diversity_buckets=1)
    assert [each.candidate_id for each in result.recommended_ingest] == ["law"]
    selection = Selection(result, {each.id: each for each in found}, QUESTION)
    asked: list[PersonNeeded] = []

    async def ask(needed: PersonNeeded) -> Decision:
        asked.append(needed)
        return await approve(needed)

    done = asyncio.run(approve_top_k(selection, ask))
    assert done.approved == result.top_k
    shown = asked[0].subject["results"][-1]
    assert (shown["candidateId"], shown["selected"]) == ("law", False)
    assert shown["recommended"] == "Fills a gap: LEGAL."
    assert unanswered(asked[0], approve=True).choice == {"results": [0, 1, 2, 3, 4]}


def test_a_source_that_never_stands_still_is_left_out() -> None:
    numbers = count()
    asked: list[PersonNeeded] = []

    async def now(ids: Sequence[str]) -> dict[str, str]:
        return {each.id: each.fingerprint for each in FOUND} | {"c03": str(next(numbers))}

    async def ask(needed: PersonNeeded) -> Decision:
        asked.append(needed)
        return await approve(needed)

    done = asyncio.run(approve_top_k(SELECTION, ask, now))
    assert {each.candidate_id for each in done.approved} == {"c01", "c02"}
    assert len({each.evidence_hash for each in asked}) == len(asked) == 4
