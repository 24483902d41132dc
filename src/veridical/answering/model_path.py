"""The paths that call a model: its tools are checked, its words are not trusted yet.

Apart from the others, because the models' clients take long to import.
"""

from dataclasses import replace

from pydantic_ai.models import Model

from veridical.agent.approval import Review, unreviewed
from veridical.agent.loop import run_loop
from veridical.agent.prompt import without_rules
from veridical.agent.request import LoopOutcome, LoopRequest
from veridical.answering.context import RunContext, permit_of, tools_of
from veridical.answering.instructions import instructed, loop_request, selecting_words
from veridical.answering.passages import passage_review
from veridical.answering.provenance import Provenance
from veridical.contracts.answer import AnswerKind
from veridical.messages import message
from veridical.route.fast import FastRoute


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
