"""The paths that call a model: its tools are checked, its words are not trusted yet.

Apart from the others, because the models' clients take long to import.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from pydantic_ai.models import Model

from veridical.agent.approval import Review, unreviewed
from veridical.agent.loop import run_loop
from veridical.agent.prompt import without_rules
from veridical.agent.refusals import refuse
from veridical.agent.request import LoopOutcome, LoopRequest
from veridical.agent.selection import EVIDENCE_DENIED
from veridical.answering.context import RunContext, permit_of, tools_of
from veridical.answering.instructions import instructed, loop_request, selecting_words
from veridical.answering.provenance import Provenance
from veridical.contracts.answer import AnswerKind
from veridical.contracts.chunk import CHUNKS, Chunk, chunks_in
from veridical.contracts.language import Language
from veridical.contracts.person import AskPerson
from veridical.contracts.result import ToolResult
from veridical.contracts.search_candidate import SearchCandidate
from veridical.contracts.search_result import HybridResult, RankedItem, SearchFlags
from veridical.messages import message
from veridical.route.fast import FastRoute
from veridical.search.score.approval import QUESTION_NAME, Selection, approve_top_k
from veridical.search.score.coverage import best_of, coverage_account, coverage_text
from veridical.tools.evidence import SEARCH_EVIDENCE, documents_unavailable
from veridical.tools.evidence_shelf import EvidenceShelf


async def talk(route: FastRoute, run: RunContext, model: Model) -> LoopOutcome:
    """Small talk in a model's own words."""
    instructions = message("flow.chat_instructions", run.language)
    # Chat passes no gate, so it must not get figures that it could repeat.
    alone = run.asking(run.question.model_copy(update={"text": route.request, "thread": ()}))
    request = loop_request(alone, instructions)
    tools, permit = tools_of(alone), permit_of(alone)
    outcome = await run_loop(request, model, tools, (), run.step, run.session.emit, permit)
    # With data it is an answer about data, though none was requested, and passes the gate.
    is_chat = outcome.kind is AnswerKind.AGENT and not outcome.sources
    return replace(outcome, kind=AnswerKind.CHAT) if is_chat else outcome


async def model_answer(run: RunContext, model: Model) -> LoopOutcome:
    """The answer of a model with checked tools."""
    return await _loop(instructed(run), run, model)


async def next_model_answer(
    rejected: LoopOutcome, feedback: str, attempt: int, run: RunContext, model: Model, *, anew: bool
) -> LoopOutcome:
    """Its next attempt."""
    label = f"agent{attempt}"
    request = instructed(run, rejected if anew else None)
    if anew and request.hint:
        feedback = f"{feedback}\n{request.hint}"
    request = replace(request, resumes=rejected, feedback=feedback, label=label, anew=anew)
    return await _loop(request, run, model)


async def _loop(request: LoopRequest, run: RunContext, model: Model) -> LoopOutcome:
    session = run.session
    seen = request.resumes.sources if request.resumes else ()
    toolbox = session.toolbox
    offered = " ".join(toolbox.known.words) if toolbox.known else ""
    described = without_rules(request.instructions, run.language)
    known = Provenance(run.question, f"{described}\n{offered}", run.today, seen)
    tools = known.guarding(tools_of(run), session.policy.untraced_arguments, run.language)
    schemas = toolbox.schemas(selecting_words(run), session.settings.prompt_tokens)
    step = known.watching(run.step)
    permit, review = permit_of(run), _review(run)
    return await run_loop(request, model, tools, schemas, step, session.emit, permit, review)


def _review(run: RunContext) -> Review:
    """The review by people of passages that the model may not see without approval."""
    session, shelf = run.session, run.session.toolbox.evidence
    if shelf is None or not session.approvals.passages:
        return unreviewed
    return passage_review(
        session.ask, shelf, session.caller.member_of, run.question.text, run.language
    )


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
        shown = {each.id: _candidate(each) for each in found}
        scored, question_name = _ranking(result, found, language), f"{QUESTION_NAME}:{name}"
        selection = Selection(scored, shown, question, at, question_name)
        try:
            decided = await approve_top_k(selection, ask, current)
        except _UnreadableError:
            return documents_unavailable(language)
        approved = {each.candidate_id for each in decided.approved}
        if not approved:
            return refuse(EVIDENCE_DENIED, message("people.evidence_denied", language))
        return _with_chunks(result, [each for each in found if each.id in approved])

    return review


def _ranking(result: ToolResult, found: Sequence[Chunk], language: Language) -> HybridResult:
    """The ranking behind a tool's result, with what its passages cover."""
    covered = best_of(each.facet_coverage for each in found)
    account = coverage_account(covered, covered, {})
    is_lexical = ((result.error_details or {}).get("flags") or {}).get("lexicalOnly")
    return HybridResult(
        top_k=tuple(map(_item, found)),
        coverage_delta=coverage_text(account, language, store_known=True) if covered else "",
        coverage=account,
        flags=SearchFlags(lexical_only=is_lexical),
    )


def _item(chunk: Chunk) -> RankedItem:
    return RankedItem(
        candidate_id=chunk.id,
        score=chunk.score or 0.0,
        reason=chunk.reason,
        gap_tags=chunk.gap_tags,
        risk_flags=chunk.risk_flags,
        facet_coverage=chunk.facet_coverage,
        model_score=chunk.model_score,
    )


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
