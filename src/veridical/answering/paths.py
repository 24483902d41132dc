"""The paths a question can take: chat, a canonical pattern, the agent. Each gives an outcome."""

from dataclasses import replace

from veridical.agent.answer_form import AnswerForm
from veridical.agent.approval import CALL_NOT_APPROVED
from veridical.agent.failure import FailureCode, failed
from veridical.agent.refusals import HOST_MUST_ACT
from veridical.agent.request import LoopOutcome
from veridical.agent.results import as_source
from veridical.agent.tool_call import ToolCall, call_tool, tool_called
from veridical.answering.context import RunContext, permit_of, tools_of
from veridical.contracts.answer import AnswerKind, Usage
from veridical.contracts.result import ToolResult, ToolRun
from veridical.contracts.step import recorded
from veridical.messages import message
from veridical.route.fast import FastRoute
from veridical.route.patterns import PatternMatch
from veridical.route.render import known_question
from veridical.skills import SkillMatch, match_skill


async def chat(route: FastRoute, run: RunContext) -> LoopOutcome:
    """The answer that the route brings along; a model's own words where it may do better."""
    session = run.session
    if session.model is None or not route.wants_model:
        return LoopOutcome(AnswerKind.CHAT, route.answer)
    from veridical.answering.model_path import talk  # here: models take long to import

    return await talk(route, run, session.model)


async def pattern(match: PatternMatch, run: RunContext) -> LoopOutcome | None:
    """The pattern's call, checked and run; none when another path may do better. A pattern is kept,
    so today's rows settle no refusal of it."""
    name = f"pattern:{match.intent}"
    permit = permit_of(run, settles=False)
    tool, arguments = match.tool, match.arguments
    if await permit(name, tool, arguments, run.opening.at) is not None:
        return _not_approved(run)
    call = tools_of(run, settles=False)
    ran = await recorded(run.step, name, lambda: call_tool(call, tool, arguments), ToolCall)
    result = ran.result
    run.session.emit(tool_called(tool, ran))
    source = as_source(tool, arguments, result)
    if source is None:
        return _without_result(result, run)
    known = known_question(match, run.language)
    return LoopOutcome(
        AnswerKind.PATTERN,
        "",
        (source.model_copy(update={"known": known}),),
        Usage(tool_calls=1),
        form=AnswerForm.FACTS,
        composed=True,
        runs=(ToolRun(tool=tool, success=True),),
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
