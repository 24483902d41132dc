"""Approval of the selection by a person, bound to the content of its sources.

The question shows the hash of each source as it is now. A source that has changed makes it another
question: a decision on the old content is not found for it, and the run asks again.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic.alias_generators import to_camel

from veridical.contracts.person import (
    RESULTS,
    SELECTED,
    AskPerson,
    Consulted,
    Decision,
    ItemKind,
    PersonNeeded,
    hitl_of,
    selected_places,
)
from veridical.contracts.search_candidate import SearchCandidate
from veridical.contracts.search_ingest import ApprovalStatus, ApprovedEvidence
from veridical.contracts.search_result import HybridResult, RankedItem

QUESTION_NAME = "search.top_k"
_GONE = ""
"""In place of the hash of a source that is no longer there: it can't be approved."""
_MOST_CHANGES = 3
"""How often a selection is put up for approval again because its sources have changed."""

CurrentHashes = Callable[[Sequence[str]], Awaitable[Mapping[str, str]]]
"""The hashes of these sources as they are now; those that are gone are left out. Called anew in
every life of a run, so never within a step."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What a person decides on: ``top_k``, then what is recommended beside it."""

    result: HybridResult
    candidates: Mapping[str, SearchCandidate]
    question: str
    at: float = 0.0
    name: str = QUESTION_NAME
    """Distinguishes several questions of one run."""

    @property
    def items(self) -> tuple[RankedItem, ...]:
        """All that is shown, in its order."""
        top = self.result.top_k
        wanted = {each.candidate_id for each in self.result.recommended_ingest}
        wanted -= {each.candidate_id for each in top}
        return (*top, *(each for each in self.result.ranked if each.candidate_id in wanted))

    def hashes(self) -> dict[str, str]:
        """Of each source as it was found."""
        ids = (each.candidate_id for each in self.items)
        return {name: self.candidates[name].fingerprint for name in ids}


async def approve_top_k(
    selection: Selection, ask: AskPerson, current: CurrentHashes | None = None
) -> ApprovedEvidence:
    """The part of the selection that may be used, by a person's decision or, after the inbox's
    deadline, by default: then, and where the decision names no part, it is ``top_k``. Passes on
    ``Waiting`` while there is no decision."""
    hashes = selection.hashes()
    ids = list(hashes)
    needed = _needed(selection, hashes)
    decision = await ask(needed)
    for _ in range(_MOST_CHANGES):
        now = hashes if current is None else await _now(current, ids)
        if now == hashes:
            break
        hashes = now
        needed = _needed(selection, hashes)
        decision = await ask(needed)
    else:
        # Sources that keep changing can't be approved.
        now = await _now(current, ids) if current else hashes
        hashes = {name: hashes[name] if now[name] == hashes[name] else _GONE for name in ids}
    return _approved(selection, needed, decision, hashes)


def changed_sources(approved: ApprovedEvidence, current: Mapping[str, str]) -> tuple[str, ...]:
    """Approved sources whose content is no longer what was shown: their approval is void."""
    return tuple(
        name for name, shown in approved.content_hashes.items() if current.get(name) != shown
    )


async def _now(current: CurrentHashes, ids: Sequence[str]) -> dict[str, str]:
    found = await current(ids)
    return {name: found.get(name, _GONE) for name in ids}


def _needed(selection: Selection, hashes: Mapping[str, str]) -> PersonNeeded:
    result = selection.result
    shown = [_shown(selection, item, hashes[item.candidate_id]) for item in selection.items]
    coverage = result.coverage.model_dump(mode="json", by_alias=True) if result.coverage else None
    return PersonNeeded(
        name=selection.name,
        kind=ItemKind.EVIDENCE,
        subject={
            "question": selection.question,
            RESULTS: shown,
            "coverageDelta": result.coverage_delta,
            **({"coverage": coverage} if coverage else {}),
            **({"flags": flags} if (flags := _flags(result)) else {}),
        },
        reversible=True,
        at=selection.at,
    )


def _flags(result: HybridResult) -> dict[str, Any]:
    """What was not available, and why a model did not score."""
    flags, fallback = result.flags, result.flags.debug.llm.fallback
    names = ("rag_unavailable", "llm_timeout", "lexical_only")
    found: dict[str, Any] = {to_camel(name): True for name in names if getattr(flags, name)}
    return found | ({"fallback": fallback} if fallback else {})


def _shown(selection: Selection, item: RankedItem, content_hash: str) -> dict[str, Any]:
    candidate = selection.candidates[item.candidate_id]
    fields = candidate.model_dump(
        mode="json", by_alias=True, include={"title", "snippet", "url", "detected_date"}
    )
    changed = {} if content_hash == candidate.fingerprint else {"changed": True}
    stored = {"stored": True} if candidate.stored else {}
    reasons = {each.candidate_id: each.reason for each in selection.result.recommended_ingest}
    reason = reasons.get(item.candidate_id)
    recommended = {"recommended": reason} if reason else {}
    beside = {} if item in selection.result.top_k else {SELECTED: False}
    return {
        **item.model_dump(mode="json", by_alias=True),
        **fields,
        "contentHash": content_hash,
        **changed,
        **stored,
        **recommended,
        **beside,
    }


def _approved(
    selection: Selection, needed: PersonNeeded, decision: Decision, hashes: Mapping[str, str]
) -> ApprovedEvidence:
    items = selection.items
    places = decision.choice.get(RESULTS, selected_places(needed)) if decision.approved else []
    chosen = tuple(
        item
        for place, item in enumerate(items)
        if place in places and hashes[item.candidate_id] != _GONE
    )
    consulted = Consulted(name=needed.name, about=needed.kind, decision=decision)
    hitl = hitl_of((consulted,))
    status = ApprovalStatus.APPROVED if decision.approved else ApprovalStatus.DENIED
    return ApprovedEvidence(
        status=ApprovalStatus.AUTO_APPROVED if hitl.auto_approved else status,
        approved=chosen,
        content_hashes={each.candidate_id: hashes[each.candidate_id] for each in chosen},
        hitl=hitl,
        result=selection.result,
    )
