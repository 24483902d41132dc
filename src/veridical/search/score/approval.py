"""Approval of the selection by a person, bound to the content of its sources.

The question shows the hash of each source as it is now. A source that has changed makes it another
question: a decision on the old content is not found for it, and the run asks again.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from veridical.contracts.person import (
    RESULTS,
    AskPerson,
    Consulted,
    Decision,
    ItemKind,
    PersonNeeded,
    hitl_of,
)
from veridical.contracts.search_candidate import SearchCandidate
from veridical.contracts.search_ingest import ApprovalStatus, ApprovedEvidence
from veridical.contracts.search_result import HybridResult, LLMScoredItem

QUESTION_NAME = "search.top_k"
_GONE = ""
"""In place of the hash of a source that is no longer there: it can't be approved."""
_MOST_CHANGES = 3
"""How often a selection is put up for approval again because its sources have changed."""

CurrentHashes = Callable[[Sequence[str]], Awaitable[Mapping[str, str]]]
"""The hashes of these sources as they are now; those that are gone are left out. Called anew in
every life of a run, so never within a step."""


async def approve_top_k(
    result: HybridResult,
    candidates: Sequence[SearchCandidate],
    question: str,
    ask: AskPerson,
    current: CurrentHashes | None = None,
    at: float = 0.0,
    name: str = QUESTION_NAME,
) -> ApprovedEvidence:
    """The part of ``top_k`` that may be used, by a person's decision or, after the inbox's
    deadline, by default. Passes on ``Waiting`` while there is none. The name distinguishes
    several questions of one run."""
    shown = {each.id: each for each in candidates}
    ids = [item.candidate_id for item in result.top_k]
    hashes = {name: shown[name].fingerprint for name in ids}
    needed = _needed(name, result, shown, hashes, question, at)
    decision = await ask(needed)
    for _ in range(_MOST_CHANGES):
        now = hashes if current is None else await _now(current, ids)
        if now == hashes:
            break
        hashes = now
        needed = _needed(name, result, shown, hashes, question, at)
        decision = await ask(needed)
    else:
        # Sources that keep changing can't be approved.
        now = await _now(current, ids) if current else hashes
        hashes = {name: hashes[name] if now[name] == hashes[name] else _GONE for name in ids}
    return _approved(result, needed, decision, hashes)


def changed_sources(approved: ApprovedEvidence, current: Mapping[str, str]) -> tuple[str, ...]:
    """Approved sources whose content is no longer what was shown: their approval is void."""
    return tuple(
        name for name, shown in approved.content_hashes.items() if current.get(name) != shown
    )


async def _now(current: CurrentHashes, ids: Sequence[str]) -> dict[str, str]:
    found = await current(ids)
    return {name: found.get(name, _GONE) for name in ids}


def _needed(
    name: str,
    result: HybridResult,
    candidates: Mapping[str, SearchCandidate],
    hashes: Mapping[str, str],
    question: str,
    at: float,
) -> PersonNeeded:
    shown = [
        _shown(item, candidates[item.candidate_id], hashes[item.candidate_id])
        for item in result.top_k
    ]
    return PersonNeeded(
        name=name,
        kind=ItemKind.EVIDENCE,
        subject={
            "question": question,
            RESULTS: shown,
            "coverageDelta": result.coverage_delta,
        },
        reversible=True,
        at=at,
    )


def _shown(item: LLMScoredItem, candidate: SearchCandidate, content_hash: str) -> dict[str, Any]:
    fields = candidate.model_dump(
        mode="json", by_alias=True, include={"title", "snippet", "url", "detected_date"}
    )
    changed = {} if content_hash == candidate.fingerprint else {"changed": True}
    return {
        **item.model_dump(mode="json", by_alias=True),
        **fields,
        "contentHash": content_hash,
        **changed,
    }


def _approved(
    result: HybridResult, needed: PersonNeeded, decision: Decision, hashes: Mapping[str, str]
) -> ApprovedEvidence:
    every = range(len(result.top_k))
    places = decision.choice.get(RESULTS, list(every)) if decision.approved else []
    chosen = tuple(
        result.top_k[place]
        for place in every
        if place in places and hashes[result.top_k[place].candidate_id] != _GONE
    )
    consulted = Consulted(name=needed.name, about=needed.kind, decision=decision)
    hitl = hitl_of((consulted,))
    status = ApprovalStatus.APPROVED if decision.approved else ApprovalStatus.DENIED
    return ApprovedEvidence(
        status=ApprovalStatus.AUTO_APPROVED if hitl.auto_approved else status,
        approved=chosen,
        content_hashes={each.candidate_id: hashes[each.candidate_id] for each in chosen},
        hitl=hitl,
        result=result,
    )
