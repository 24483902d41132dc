"""The paths a question can take: chat, a canonical pattern, the agent. Each gives an outcome."""

from dataclasses import replace

from pydantic_ai.models import Model

from veridical.agent.approval import (
    CALL_NOT_APPROVED,
    Permit,
    Review,
    always_permitted,
    permission,
    unreviewed,
)
from veridical.agent.failure import FailureCode
from veridical.agent.loop import HOST_MUST_ACT, run_loop
from veridical.agent.no_answer import failed
from veridical.agent.prompt import without_rules
from veridical.agent.request import LoopOutcome, LoopRequest
from veridical.agent.results import as_source
from veridical.agent.tool_call import CallTool, ToolCall, call_tool
from veridical.answering.context import RunContext
from veridical.answering.instructions import instructed, loop_request, selecting_words
from veridical.answering.passages import passage_review
from veridical.answering.pattern_outcome import PatternOutcome
from veridical.answering.provenance import Provenance
from veridical.contracts.answer import AnswerKind, Usage
from veridical.contracts.result import ToolResult, ToolRun
from veridical.contracts.step import recorded
from veridical.contracts.trace import ToolCalled
from veridical.messages import message
from veridical.route.fast import FastRoute
from veridical.route.patterns import PatternMatch
from veridical.route.render import write_answer
from veridical.skills import SkillMatch, match_skill
from veridical.tools.reads import names_of_call


async def chat(route: FastRoute, run: RunContext) -> LoopOutcome:
    """The answer that the route brings along; a model's own words where it may do better."""
    session = run.session
    if session.model is None or not route.wants_model:
        return LoopOutcome(AnswerKind.CHAT, route.answer)
    instructions = message("flow.chat_instructions", run.language)
    # Chat passes no gate, so it must not hear figures that it could repeat.
    alone = run.asking(run.question.model_copy(update={"text": route.request, "thread": ()}))
    request = loop_request(alone, instructions)
    tools, permit = _tools(alone), _permit(alone)
    outcome = await run_loop(request, session.model, tools, (), run.step, session.emit, permit)
    # With data that nobody asked for it is an answer about data, which passes the gate.
    is_chat = outcome.kind is AnswerKind.AGENT and not outcome.sources
    return replace(outcome, kind=AnswerKind.CHAT) if is_chat else outcome


async def pattern(match: PatternMatch, run: RunContext) -> LoopOutcome | None:
    """The pattern's call, checked and run; none when another path may do better."""
    name = f"pattern:{match.intent}"
    permit = _permit(run)
    tool, arguments = match.tool, match.arguments
    if await permit(name, tool, arguments, run.opening.at) is not None:
        return _not_approved(run)
    call = _tools(run)
    ran = await recorded(run.step, name, lambda: call_tool(call, tool, arguments), ToolCall)
    result = ran.result
    run.session.emit(
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
        return _without_result(result, run)
    written = write_answer(match, source.columns, source.rows, source.receipt, run.language)
    return PatternOutcome(
        AnswerKind.PATTERN,
        written.text,
        (source,),
        Usage(tool_calls=1),
        runs=(ToolRun(tool=tool, success=True),),
        written=written,
    )


def _without_result(result: ToolResult, run: RunContext) -> LoopOutcome | None:
    """What is left when a pattern's call gave nothing: a model may know another way, but not where
    the data can't be reached."""
    details = result.error_details or {}
    used = Usage(tool_calls=1)
    if details.get("actor") == HOST_MUST_ACT:
        code = FailureCode.DATA_UNAVAILABLE
        return LoopOutcome(AnswerKind.FAILED, failed(code, run.language), (), used, code.value)
    if run.session.model is not None:
        return None
    text = details.get("hint") or failed(FailureCode.TOOL_BROKE, run.language)
    return LoopOutcome(AnswerKind.UNKNOWN, text, (), used, details.get("code", ""))


def _not_approved(run: RunContext) -> LoopOutcome | None:
    """What is left when a pattern's call is denied: a model may know another way."""
    if run.session.model is not None:
        return None
    text = message("people.call_denied_answer", run.language)
    return LoopOutcome(AnswerKind.UNKNOWN, text, reason=CALL_NOT_APPROVED)


async def agent(run: RunContext) -> LoopOutcome:
    """The model with checked tools; without a model, an honest "I can't say"."""
    model = run.session.model
    if model is None:
        return LoopOutcome(AnswerKind.UNKNOWN, message("flow.no_model", run.language))
    return await _loop(instructed(run), run, model)


async def again(
    rejected: LoopOutcome, feedback: str, attempt: int, run: RunContext, *, anew: bool = False
) -> LoopOutcome:
    """The model's next attempt after an answer that did not stand; the budget is the same one.

    ``anew`` asks for a new result first: those that there are don't speak of what was asked.
    """
    model = run.session.model
    if model is None:
        return rejected
    label = f"agent{attempt}"
    told = instructed(run, rejected if anew else None)
    if anew and told.hint:
        feedback = f"{feedback}\n{told.hint}"
    request = replace(told, resumes=rejected, feedback=feedback, label=label, anew=anew)
    return await _loop(request, run, model)


def with_skill(run: RunContext) -> RunContext:
    """The run with the skill that the question's words ask for, if they ask for exactly one."""
    skills = run.session.skills
    found = match_skill(run.question.text, skills, run.language) if skills else None
    if not isinstance(found, SkillMatch):
        return run
    return run.within(replace(run.session, skill=found))


async def _loop(request: LoopRequest, run: RunContext, model: Model) -> LoopOutcome:
    session = run.session
    seen = request.resumes.sources if request.resumes else ()
    toolbox = session.toolbox
    offered = " ".join(toolbox.known.words) if toolbox.known else ""
    told = without_rules(request.instructions, run.language)
    known = Provenance(run.question, f"{told}\n{offered}", run.today, seen)
    tools = known.guarding(_tools(run), session.policy.untraced_arguments, run.language)
    schemas = toolbox.schemas(selecting_words(run), session.settings.prompt_tokens)
    step = known.watching(run.step)
    permit, review = _permit(run), _review(run)
    return await run_loop(request, model, tools, schemas, step, session.emit, permit, review)


def _tools(run: RunContext) -> CallTool:
    toolbox, question = run.session.toolbox, run.question.text
    return lambda name, arguments: toolbox.call(name, arguments, question)


def _permit(run: RunContext) -> Permit:
    """Asks for the calls that are not made without a person."""
    session, question = run.session, run.question.text
    if not session.approvals.calls:
        return always_permitted
    toolbox = session.toolbox
    return permission(
        session.ask,
        session.approvals.calls,
        lambda tool, arguments: names_of_call(toolbox, tool, arguments, question),
        question,
        run.language,
    )


def _review(run: RunContext) -> Review:
    """Shows people what the model may not see without them."""
    session, shelf = run.session, run.session.toolbox.evidence
    if shelf is None or not session.approvals.passages:
        return unreviewed
    return passage_review(
        session.ask, shelf, session.caller.member_of, run.question.text, run.language
    )
