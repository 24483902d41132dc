"""The approval of a selection without an inbox: what is shown, and what a change makes of it."""

import asyncio
from collections.abc import Sequence
from itertools import count

from tests.search.found import QUESTION, scored, several
from veridical.contracts.person import Decision, PersonNeeded
from veridical.contracts.search_ingest import ApprovalStatus
from veridical.search.score.approval import approve_top_k, changed_sources

FOUND = several(3)
RESULT = scored(FOUND)


async def approve(needed: PersonNeeded) -> Decision:
    return Decision(approved=True, decided_by="Ada", evidence_hash=needed.evidence_hash, at=0)


def test_a_denied_selection_is_empty() -> None:
    async def deny(needed: PersonNeeded) -> Decision:
        return Decision(
            approved=False, decided_by="Grace", evidence_hash=needed.evidence_hash, at=0
        )

    done = asyncio.run(approve_top_k(RESULT, FOUND, QUESTION, deny))
    assert (done.status, done.approved) == (ApprovalStatus.DENIED, ())


def test_an_approval_holds_as_long_as_the_content_does() -> None:
    done = asyncio.run(approve_top_k(RESULT, FOUND, QUESTION, approve))
    now = {each.id: each.fingerprint for each in FOUND}
    assert changed_sources(done, now) == ()
    assert changed_sources(done, now | {"c02": "other"}) == ("c02",)
    assert changed_sources(done, {}) == ("c01", "c02", "c03")


def test_a_source_that_never_stands_still_is_left_out() -> None:
    numbers = count()
    asked: list[PersonNeeded] = []

    async def now(ids: Sequence[str]) -> dict[str, str]:
        return {each.id: each.fingerprint for each in FOUND} | {"c03": str(next(numbers))}

    async def ask(needed: PersonNeeded) -> Decision:
        asked.append(needed)
        return await approve(needed)

    done = asyncio.run(approve_top_k(RESULT, FOUND, QUESTION, ask, now))
    assert {each.candidate_id for each in done.approved} == {"c01", "c02"}
    assert len({each.evidence_hash for each in asked}) == len(asked) == 4
