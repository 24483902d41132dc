"""The paths a question can take: chat, a canonical pattern, the agent. Each gives an outcome."""

from dataclasses import replace

from veridical.agent.approval import CALL_NOT_APPROVED
from veridical.agent.failure import FailureCode
from veridical.agent.no_answer import failed
from veridical.agent.refusals import HOST_MUST_ACT
from veridical.agent.request import LoopOutcome
from veridical.agent.results import as_source
from veridical.agent.tool_call import ToolCall, call_tool
from veridical.answering.context import RunContext, permit_of, tools_of
from veridical.answering.pattern_outcome import PatternOutcome
from veridical.contracts.answer import AnswerKind, Usage
from veridical.contracts.result import ToolResult, ToolRun
from veridical.contracts.step import recorded
from veridical.contracts.trace import ToolCalled
from veridical.messages import message
from veridical.route.fast import FastRoute
from veridical.route.patterns import PatternMatch
from veridical.route.render import write_answer
from veridical.skills import SkillMatch, match_skill


async def chat(route: FastRoute, run: RunContext) -> LoopOutcome:
    """The answer that the route brings along; a model's own words where it may do better."""
    session = run.session
    if session.model is None or not route.wants_model:
        return LoopOutcome(AnswerKind.CHAT, route.answer)
    from veridical.answering.model_path import talk  # here: models take long to import

    return await talk(route, run, session.model)


async def pattern(match: PatternMatch, run: RunContext) -> LoopOutcome | None:
    """The pattern's call, checked and run; none when another path may do better."""
    name = f"pattern:{match.intent}"
    permit = permit_of(run)
    tool, arguments = match.tool, match.arguments
    if await permit(name, tool, arguments, run.opening.at) is not None:
        return _not_approved(run)
    call = tools_of(run)
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
    """The outcome when a pattern's call gave nothing: a model may know another way, but not where
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
    """The outcome when a pattern's call is denied: a model may know another way."""
    if run.session.model is not None:
        return None
    text = message("people.call_denied_answer", run.language)
    return LoopOutcome(AnswerKind.UNKNOWN, text, reason=CALL_NOT_APPROVED)


async def agent(run: RunContext) -> LoopOutcome:
    """The model with checked tools; without a model, an honest "I can't say"."""
    model = run.session.model
    if model is None:
        return LoopOutcome(AnswerKind.UNKNOWN, message("flow.no_model", run.language))
    from veridical.answering.model_path import model_answer  # here: models take long to import

    return await model_answer(run, model)


async def again(
    rejected: LoopOutcome, feedback: str, attempt: int, run: RunContext, *, anew: bool = False
) -> LoopOutcome:
    """The model's next attempt after an answer that did not stand; the budget is the same one.

    ``anew`` requests a new result first: the existing ones don't cover the question.
    """
    model = run.session.model
    if model is None:
        return rejected
    from veridical.answering.model_path import next_model_answer

    return await next_model_answer(rejected, feedback, attempt, run, model, anew=anew)


def with_skill(run: RunContext) -> RunContext:
    """The run with the skill that the question's words ask for, if they ask for exactly one."""
    skills = run.session.skills
    found = match_skill(run.question.text, skills, run.language) if skills else None
    if not isinstance(found, SkillMatch):
        return run
    return run.within(replace(run.session, skill=found))
