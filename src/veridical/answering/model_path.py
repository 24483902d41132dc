"""The paths that ask a model: its tools are checked, its words are nothing yet.

Apart from the others, because what it takes to speak to a model takes long to import.
"""

from dataclasses import replace

from pydantic_ai.models import Model

from veridical.agent.approval import Review, unreviewed
from veridical.agent.loop import run_loop
from veridical.agent.prompt import without_rules
from veridical.agent.request import LoopOutcome, LoopRequest
from veridical.answering.context import RunContext
from veridical.answering.instructions import instructed, loop_request, selecting_words
from veridical.answering.passages import passage_review
from veridical.answering.paths import permit_of, tools_of
from veridical.answering.provenance import Provenance
from veridical.contracts.answer import AnswerKind
from veridical.messages import message
from veridical.route.fast import FastRoute


async def talk(route: FastRoute, run: RunContext, model: Model) -> LoopOutcome:
    """Small talk in a model's own words."""
    instructions = message("flow.chat_instructions", run.language)
    # Chat passes no gate, so it must not hear figures that it could repeat.
    alone = run.asking(run.question.model_copy(update={"text": route.request, "thread": ()}))
    request = loop_request(alone, instructions)
    tools, permit = tools_of(alone), permit_of(alone)
    outcome = await run_loop(request, model, tools, (), run.step, run.session.emit, permit)
    # With data that nobody asked for it is an answer about data, which passes the gate.
    is_chat = outcome.kind is AnswerKind.AGENT and not outcome.sources
    return replace(outcome, kind=AnswerKind.CHAT) if is_chat else outcome


async def asked(run: RunContext, model: Model) -> LoopOutcome:
    """What a model with checked tools makes of the question."""
    return await _loop(instructed(run), run, model)


async def asked_again(
    rejected: LoopOutcome, feedback: str, attempt: int, run: RunContext, model: Model, *, anew: bool
) -> LoopOutcome:
    """Its next attempt."""
    label = f"agent{attempt}"
    told = instructed(run, rejected if anew else None)
    if anew and told.hint:
        feedback = f"{feedback}\n{told.hint}"
    request = replace(told, resumes=rejected, feedback=feedback, label=label, anew=anew)
    return await _loop(request, run, model)


async def _loop(request: LoopRequest, run: RunContext, model: Model) -> LoopOutcome:
    session = run.session
    seen = request.resumes.sources if request.resumes else ()
    toolbox = session.toolbox
    offered = " ".join(toolbox.known.words) if toolbox.known else ""
    told = without_rules(request.instructions, run.language)
    known = Provenance(run.question, f"{told}\n{offered}", run.today, seen)
    tools = known.guarding(tools_of(run), session.policy.untraced_arguments, run.language)
    schemas = toolbox.schemas(selecting_words(run), session.settings.prompt_tokens)
    step = known.watching(run.step)
    permit, review = permit_of(run), _review(run)
    return await run_loop(request, model, tools, schemas, step, session.emit, permit, review)


def _review(run: RunContext) -> Review:
    """Shows people what the model may not see without them."""
    session, shelf = run.session, run.session.toolbox.evidence
    if shelf is None or not session.approvals.passages:
        return unreviewed
    return passage_review(
        session.ask, shelf, session.caller.member_of, run.question.text, run.language
    )
