"""One question from route to answer: the whole story, in the order in which it happens.

    question → route → chat | pattern | agent ⇄ tools → check → engine → evidence → gate → answer

Every step that reads a clock, asks a model or touches the database goes through ``step``, so that
a run can be recorded, resumed and replayed; the rest follows from what the steps gave.
"""

import time
from dataclasses import replace
from functools import partial

from veridical.agent.approval import Consultations
from veridical.agent.request import LoopOutcome
from veridical.answering import paths
from veridical.answering.assurance import Assured, assured
from veridical.answering.clarification import ask_back, clarified
from veridical.answering.context import Opening, RunContext, open_run
from veridical.answering.routing import (
    Route,
    answer_language,
    ask_which,
    not_yet,
    plainly,
    routed,
    unanswered,
)
from veridical.answering.session import Session
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.person import Hitl
from veridical.contracts.question import Question, is_blank
from veridical.contracts.step import Step, directly, recorded
from veridical.contracts.trace import Answered, RunStarted
from veridical.contracts.wire import Wire
from veridical.messages import message
from veridical.route.fast import FastRoute
from veridical.route.follow_up import Which
from veridical.route.patterns import FutureMatch, MissingSlot, NoMatch, PatternMatch
from veridical.route.requests import Request


async def answer(
    question: Question, session: Session, step: Step = directly, trace_id: str = ""
) -> Answer:
    """The answer to one question, or an honest reason why there is none.

    A host that records the run names it; otherwise it gets a new id.
    """
    opening = await recorded(step, "open", partial(open_run, trace_id), Opening)
    language = answer_language(question, session.language)
    people = Consultations(session.ask, session.emit)
    session = replace(session, caller=replace(session.caller, language=language), ask=people)
    run = RunContext(question, session, step, opening)
    session.emit(_started(run))
    if is_blank(question.text):
        nothing = message("flow.empty_question", language)
        shown = Assured(LoopOutcome(AnswerKind.ASK_BACK, nothing))
    else:
        shown = await _worked_out(run)
    closing = await recorded(step, "close", _close, Closing)
    final = _answer(shown, people.hitl, run, closing)
    session.emit(Answered(at=closing.at, answer=final))
    return final


async def _worked_out(run: RunContext) -> Assured:
    """The path that the question takes, to its end."""
    run, route = await clarified(run)
    if isinstance(route, NoMatch):
        run = paths.with_skill(run)
    run.session.emit(routed(route, run.session, run.opening.at))
    outcome = await follow(route, run)
    return await assured(outcome, run)


async def follow(route: Route, run: RunContext) -> LoopOutcome:
    """The outcome of the path that was chosen; what a pattern can't do goes to the agent."""
    match route:
        case FastRoute():
            return await paths.chat(route, run)
        case MissingSlot():
            return ask_back(route, run)
        case Which():
            return ask_which(route, run.session, run.today)
        case Request():
            return plainly(route, run.session, run.today)
        case FutureMatch():
            return not_yet(route, run.session, run.today)
        case PatternMatch():
            known = await paths.pattern(route, run)
            if known is not None:
                return known
        case NoMatch():
            pass
    if run.session.model is None:
        return unanswered(run.question, run.session, run.today)
    return await paths.agent(run)


class Closing(Wire):
    """The end of a run, by the clock that its start was read from."""

    at: float


async def _close() -> Closing:
    return Closing(at=time.time())


def _started(run: RunContext) -> RunStarted:
    session = run.session
    return RunStarted(
        at=run.opening.at,
        question=run.question,
        caller=session.caller.name,
        tenant=session.caller.tenant,
        model=session.settings.model,
        ontology_hash=session.feature.ontology_hash,
        dialect=session.feature.engine.database.dialect,
    )


def _answer(shown: Assured, hitl: Hitl | None, run: RunContext, closing: Closing) -> Answer:
    outcome = shown.outcome
    elapsed = round((closing.at - run.opening.at) * 1000, 3)
    return Answer(
        kind=outcome.kind,
        text="\n\n".join((outcome.text, *_notes(outcome, hitl, run))),
        language=run.language,
        trace_id=run.opening.trace_id,
        sources=outcome.sources,
        suggested_answers=outcome.suggested_answers,
        usage=outcome.usage.model_copy(update={"elapsed_ms": elapsed}),
        proof=shown.proof,
        facts=shown.facts,
        quality=shown.quality,
        hitl=hitl,
    )


def _notes(outcome: LoopOutcome, hitl: Hitl | None, run: RunContext) -> tuple[str, ...]:
    """Notes for the reader on how the answer was approved."""
    if hitl is None or not hitl.auto_approved or not outcome.sources:
        return ()
    return (message("people.auto_approved", run.language, count=len(outcome.sources)),)
