"""The ways a question can go: chat, a canonical pattern, the agent. Each gives an outcome."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date

from pydantic_ai.models import Model

from veridical.agent.calling import CallTool, ToolCall, call_tool
from veridical.agent.endings import failed
from veridical.agent.failure import FailureCode
from veridical.agent.loop import HOST_MUST_ACT, run_loop
from veridical.agent.permission import CALL_NOT_APPROVED, Permit, freely, permission
from veridical.agent.prompt import compose_instructions, without_rules
from veridical.agent.request import LoopOutcome, LoopRequest
from veridical.agent.results import as_source
from veridical.agent.settings import AgentSettings
from veridical.contracts.answer import AnswerKind, Usage
from veridical.contracts.approvals import NO_APPROVALS, Approvals
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.person import AskPerson, nobody
from veridical.contracts.progress import Progress
from veridical.contracts.proof import Proof
from veridical.contracts.question import Question
from veridical.contracts.result import ToolResult, ToolRun
from veridical.contracts.step import Json, Step, kept
from veridical.contracts.trace import Event, ToolCalled
from veridical.feature import Feature
from veridical.gate.policy import DEFAULT as DEFAULT_POLICY
from veridical.gate.policy import Policy
from veridical.messages import say
from veridical.provenance import Provenance
from veridical.route.fast import FastRoute
from veridical.route.likely import likely_patterns
from veridical.route.patterns import PatternMatch
from veridical.route.render import render_answer
from veridical.skills import Skill, SkillMatch, match_skill
from veridical.skills import instructions as skill_instructions
from veridical.tools.known_question import worked_examples
from veridical.tools.reads import names_of_call
from veridical.tools.repertoire import Repertoire
from veridical.tools.schemas import KNOWN_QUESTION
from veridical.tools.toolbox import Toolbox
from veridical.trace.gate_meter import meter_gate

Emit = Callable[[Event | Progress], None]
WatchGate = Callable[[Proof, Language, float], None]
"""Told each verdict of the gate, the answer's language, and how many seconds it took."""


@dataclass(frozen=True)
class Desk:
    """Where questions are answered: about which data, for whom, by which model if any."""

    feature: Feature
    caller: Caller
    model: Model | None = None
    settings: AgentSettings = AgentSettings()  # noqa: RUF009 (immutable)
    emit: Emit = lambda event: None
    policy: Policy = DEFAULT_POLICY
    """What the answer gate does with what it finds."""
    regenerations: int = 1
    """How often a model may write a blocked answer anew."""
    skills: tuple[Skill, ...] = ()
    """The skills that the agent may follow."""
    skill: SkillMatch | None = None
    """The one that this question asks for."""
    routed: bool = True
    """Whether questions may be answered without the model; a comparison of models says no."""
    ask: AskPerson = nobody
    """How the people are asked whom a run needs."""
    approvals: Approvals = NO_APPROVALS
    """What a run needs people for."""
    watch_gate: WatchGate = meter_gate
    """Counts what the gate does; never told what a run only replays."""


async def chat(
    route: FastRoute, question: Question, desk: Desk, step: Step, opened: Json
) -> LoopOutcome:
    """The answer that the route brings along; a model's own words where it may do better."""
    if desk.model is None or not route.wants_model:
        return LoopOutcome(AnswerKind.CHAT, route.answer)
    instructions = say("flow.chat_instructions", desk.caller.language)
    # Chat passes no gate, so it must not hear figures that it could repeat.
    asked = question.model_copy(update={"text": route.request, "thread": ()})
    request = _request(asked, desk, instructions, opened)
    permit = _permit(asked, desk)
    outcome = await run_loop(request, desk.model, _tools(asked, desk), (), step, desk.emit, permit)
    # With data that nobody asked for it is an answer about data, which passes the gate.
    is_chat = outcome.kind is AnswerKind.AGENT and not outcome.sources
    return replace(outcome, kind=AnswerKind.CHAT) if is_chat else outcome


async def pattern(
    match: PatternMatch, question: Question, desk: Desk, step: Step, opened: Json
) -> LoopOutcome | None:
    """The pattern's call, checked and run; none when another way may do better."""
    name = f"pattern:{match.intent}"
    permit = _permit(question, desk)
    tool, arguments = match.tool, match.arguments
    if await permit(name, tool, arguments, opened["at"]) is not None:
        return _not_approved(desk)
    call = _tools(question, desk)
    ran = await kept(step, name, lambda: call_tool(call, tool, arguments), ToolCall)
    result = ran.result
    desk.emit(
        ToolCalled(
            at=ran.at,
            round=0,
            tool=tool,
            arguments=arguments,
            success=result.success,
            validation_failure_code=(result.error_details or {}).get("code"),
            error_details=result.error_details,
            receipt=result.receipt,
            ran_as=result.ran_as,
            elapsed_ms=ran.elapsed_ms,
        )
    )
    source = as_source(tool, arguments, result)
    if source is None:
        return _without_result(result, desk)
    text = render_answer(match, source.columns, source.rows, source.receipt, desk.caller.language)
    ran_well = ToolRun(tool=tool, success=True)
    return LoopOutcome(AnswerKind.PATTERN, text, (source,), Usage(tool_calls=1), runs=(ran_well,))


def _without_result(result: ToolResult, desk: Desk) -> LoopOutcome | None:
    """What is left when a pattern's call gave nothing: a model may know another way, but not where
    the data can't be reached."""
    details = result.error_details or {}
    language, used = desk.caller.language, Usage(tool_calls=1)
    if details.get("actor") == HOST_MUST_ACT:
        code = FailureCode.DATA_UNAVAILABLE
        return LoopOutcome(AnswerKind.FAILED, failed(code, language), (), used, code.value)
    if desk.model is not None:
        return None
    text = details.get("hint") or failed(FailureCode.TOOL_BROKE, language)
    return LoopOutcome(AnswerKind.UNKNOWN, text, (), used, details.get("code", ""))


def _not_approved(desk: Desk) -> LoopOutcome | None:
    """What is left when a pattern's call is denied: a model may know another way."""
    if desk.model is not None:
        return None
    text = say("people.call_denied_answer", desk.caller.language)
    return LoopOutcome(AnswerKind.UNKNOWN, text, reason=CALL_NOT_APPROVED)


async def agent(question: Question, desk: Desk, step: Step, opened: Json) -> LoopOutcome:
    """The model with checked tools; without a model, an honest "I can't say"."""
    if desk.model is None:
        return LoopOutcome(AnswerKind.UNKNOWN, say("flow.no_model", desk.caller.language))
    return await _loop(_instructed(question, desk, opened), question, desk, desk.model, step)


def with_skill(desk: Desk, question: Question) -> Desk:
    """The desk with the skill that the question's words ask for, if they ask for exactly one."""
    found = match_skill(question.text, desk.skills, desk.caller.language) if desk.skills else None
    return replace(desk, skill=found) if isinstance(found, SkillMatch) else desk


async def again(
    rejected: LoopOutcome,
    feedback: str,
    attempt: int,
    question: Question,
    desk: Desk,
    step: Step,
    opened: Json,
) -> LoopOutcome:
    """The model's next attempt after an answer that did not stand; the budget is the same one."""
    if desk.model is None:
        return rejected
    request = replace(
        _instructed(question, desk, opened),
        resumes=rejected,
        feedback=feedback,
        label=f"agent{attempt}",
    )
    return await _loop(request, question, desk, desk.model, step)


async def _loop(
    request: LoopRequest, question: Question, desk: Desk, model: Model, step: Step
) -> LoopOutcome:
    language = desk.caller.language
    seen = request.resumes.sources if request.resumes else ()
    today = date.fromisoformat(request.today)
    toolbox = _toolbox(desk)
    offered = " ".join(toolbox.known.words) if toolbox.known else ""
    told = without_rules(request.instructions, language)
    known = Provenance(question, f"{told}\n{offered}", today, seen)
    tools = known.guarding(_tools(question, desk), desk.policy.untraced_arguments, language)
    schemas = toolbox.schemas(_picking(question, desk), desk.settings.prompt_tokens)
    permit = _permit(question, desk)
    return await run_loop(request, model, tools, schemas, known.watching(step), desk.emit, permit)


def _instructed(question: Question, desk: Desk, opened: Json) -> LoopRequest:
    toolbox = _toolbox(desk)
    known = toolbox.known
    language = desk.caller.language
    instructions = compose_instructions(
        language,
        desk.feature.context(
            desk.caller,
            _picking(question, desk),
            desk.settings.prompt_tokens,
            known_calls=known is None,
        ),
        desk.feature.ontology.canonical_patterns if desk.feature.patterns else (),
        toolbox.names,
        tool_choice_required=desk.settings.tool_choice_required,
        known_questions=worked_examples(known, language) if known else (),
    )
    if desk.skill is not None:
        instructions += "\n\n" + skill_instructions(desk.skill.skill, desk.caller.language)
    hint = _likely(question, desk, known, opened) if known else ""
    request = _request(question, desk, instructions, opened)
    return replace(
        request,
        hint=hint,
        first_tools=(KNOWN_QUESTION,) if hint else (),
        results_in_words=known is not None,
    )


def _likely(question: Question, desk: Desk, known: Repertoire, opened: Json) -> str:
    """The known questions that come near to this one."""
    language = desk.caller.language
    today = date.fromisoformat(opened["today"])
    near = likely_patterns(question.text, known.index, language, today)
    named = ", ".join(str(each) for each in near if each.intent in known.patterns)
    return say("agent.likely", language, questions=named) if named else ""


def _picking(question: Question, desk: Desk) -> str:
    """The words that pick what a model is told; none where it is told the same every time."""
    return "" if desk.settings.stable_prompt else question.text


def _toolbox(desk: Desk) -> Toolbox:
    settings = desk.settings
    return desk.feature.toolbox(
        desk.caller, known_questions=settings.known_questions, only=settings.tools
    )


def _tools(question: Question, desk: Desk) -> CallTool:
    toolbox = _toolbox(desk)
    return lambda name, arguments: toolbox.call(name, arguments, question.text)


def _permit(question: Question, desk: Desk) -> Permit:
    """Asks for the calls that are not made without a person."""
    if not desk.approvals.calls:
        return freely
    toolbox = _toolbox(desk)
    return permission(
        desk.ask,
        desk.approvals.calls,
        lambda tool, arguments: names_of_call(toolbox, tool, arguments, question.text),
        question.text,
        desk.caller.language,
    )


def _request(question: Question, desk: Desk, instructions: str, opened: Json) -> LoopRequest:
    settings = desk.settings
    return LoopRequest(
        question=question.text,
        instructions=instructions,
        language=desk.caller.language,
        thread=question.thread,
        today=opened["today"],
        budget=settings.budget,
        price=settings.price,
        timeout_seconds=settings.timeout_seconds,
        tool_choice_required=settings.tool_choice_required,
        evidence_first=settings.evidence_first,
        stream=settings.stream,
        at=opened["at"],
    )
