"""Approval of the passages that a search found, by a person, before the model sees them."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from veridical.agent.approval import Review
from veridical.agent.refusals import refuse
from veridical.agent.selection import EVIDENCE_DENIED
from veridical.contracts.chunk import CHUNKS, Chunk, chunks_in
from veridical.contracts.language import Language
from veridical.contracts.person import AskPerson
from veridical.contracts.result import ToolResult
from veridical.contracts.search_candidate import SearchCandidate
from veridical.contracts.search_result import HybridResult, LLMScoredItem
from veridical.messages import message
from veridical.search.score.approval import QUESTION_NAME, approve_top_k
from veridical.tools.evidence import SEARCH_EVIDENCE, documents_unavailable
from veridical.tools.evidence_shelf import EvidenceShelf


class _UnreadableError(Exception):
    """The store can't be read: whether the passages are still as shown is unknown."""


def passage_review(
    ask: AskPerson, shelf: EvidenceShelf, member_of: str, question: str, language: Language
) -> Review:
    """Reviews what searches found: the approved passages are left, as long as they are in the
    store as they were shown."""
    tenant = shelf.tenant_of(member_of)

    async def current(ids: Sequence[str]) -> Mapping[str, str]:
        now = await asyncio.to_thread(shelf.current, tenant, ids)
        if now is None:
            raise _UnreadableError
        return {name: _candidate(chunk).fingerprint for name, chunk in now.items()}

    async def review(name: str, tool: str, result: ToolResult, at: float) -> ToolResult:
        found = chunks_in(result.data) if tool == SEARCH_EVIDENCE and result.success else ()
        if not found:
            return result
        scored = HybridResult(top_k=tuple(map(_item, found)))
        shown = tuple(map(_candidate, found))
        question_name = f"{QUESTION_NAME}:{name}"
        try:
            decided = await approve_top_k(scored, shown, question, ask, current, at, question_name)
        except _UnreadableError:
            return documents_unavailable(language)
        approved = {each.candidate_id for each in decided.approved}
        if not approved:
            return refuse(EVIDENCE_DENIED, message("people.evidence_denied", language))
        return _with_chunks(result, [each for each in found if each.id in approved])

    return review


def _item(chunk: Chunk) -> LLMScoredItem:
    return LLMScoredItem(candidate_id=chunk.id, score=chunk.score or 0.0, reason=chunk.reason)


def _candidate(chunk: Chunk) -> SearchCandidate:
    dated = datetime.fromisoformat(chunk.date).replace(tzinfo=UTC) if chunk.date else None
    return SearchCandidate(
        id=chunk.id,
        title=chunk.title,
        snippet=chunk.text,
        url=chunk.source,
        detected_date=dated,
        stored=True,
    )


def _with_chunks(result: ToolResult, chunks: Sequence[Chunk]) -> ToolResult:
    kept = [each.model_dump(mode="json", exclude_defaults=True) for each in chunks]
    receipt = result.receipt and result.receipt.model_copy(update={"row_count": len(kept)})
    return result.model_copy(update={"data": {CHUNKS: kept}, "receipt": receipt})
