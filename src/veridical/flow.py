"""One question from route to answer: the whole story, in the order in which it happens.

    question → route → chat | pattern | agent ⇄ tools → check → engine → evidence → gate → answer

Every step that reads a clock, asks a model or touches the database goes through ``step``, so that
a run can be recorded, resumed and replayed; the rest follows from what the steps gave.
"""

import time
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from uuid import uuid4

from veridical import ways
from veridical.agent.request import LoopOutcome
from veridical.assurance import Assured, assured
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.question import Question
from veridical.contracts.step import Json, Step, directly
from veridical.contracts.trace import Answered, Routed, RunStarted
from veridical.reading.language import language_of
from veridical.route.fast import FastRoute, fast_path
from veridical.route.patterns import MissingSlot, NoMatch, PatternMatch, match_pattern
from veridical.route.render import render_question
from veridical.ways import Desk

Route = FastRoute | PatternMatch | MissingSlot | NoMatch


async def answer(
    question: Question, desk: Desk, step: Step = directly, trace_id: str = ""
) -> Answer:
    """The answer to one question, or an honest reason why there is none.

    A host that records the run names it; otherwise it gets a new id.
    """
    opened = await step("open", partial(_open, trace_id))
    language = question.language or language_of(question.text, desk.caller.language)
    desk = replace(desk, caller=replace(desk.caller, language=language))
    desk.emit(_started(question, desk, opened["at"]))
    route = choose_route(question, desk, date.fromisoformat(opened["today"]))
    if isinstance(route, NoMatch):
        desk = ways.with_skill(desk, question)
    desk.emit(_routed(route, desk, opened["at"]))
    outcome = await follow(route, question, desk, step, opened)
    shown = await assured(outcome, question, desk, step, opened)
    closed = await step("close", _clock)
    final = _answer(shown, desk, opened, closed)
    desk.emit(Answered(at=closed["at"], answer=final))
    return final


def choose_route(question: Question, desk: Desk, today: date) -> Route:
    """Where the question goes. No model is asked; a follow-up needs its conversation."""
    if not desk.routed:
        return NoMatch()
    language = desk.caller.language
    fast = fast_path(question.text, desk.feature.vocabulary, language)
    if fast is not None:
        return fast
    patterns = desk.feature.patterns
    if patterns is None or question.thread:
        return NoMatch()
    return match_pattern(question.text, patterns, language, today)


async def follow(
    route: Route, question: Question, desk: Desk, step: Step, opened: Json
) -> LoopOutcome:
    """The outcome of the way that was chosen; what a pattern can't do goes to the agent."""
    if isinstance(route, FastRoute):
        return await ways.chat(route, question, desk, step, opened)
    if isinstance(route, MissingSlot):
        return _ask_back(route, desk, date.fromisoformat(opened["today"]))
    if isinstance(route, PatternMatch):
        known = await ways.pattern(route, question, desk, step)
        if known is not None:
            return known
    return await ways.agent(question, desk, step, opened)


def _ask_back(missing: MissingSlot, desk: Desk, today: date) -> LoopOutcome:
    text, choices = render_question(missing, desk.caller.language, today)
    return LoopOutcome(AnswerKind.ASK_BACK, text, suggested_answers=choices)


async def _open(trace_id: str) -> Json:
    now = time.time()
    today = datetime.fromtimestamp(now, UTC).date().isoformat()
    return {"traceId": trace_id or str(uuid4()), "at": now, "today": today}


async def _clock() -> Json:
    return {"at": time.time()}


def _started(question: Question, desk: Desk, at: float) -> RunStarted:
    return RunStarted(
        at=at,
        question=question,
        caller=desk.caller.name,
        tenant=_tenant(desk),
        model=desk.settings.model,
        ontology_hash=desk.feature.ontology_hash,
    )


def _tenant(desk: Desk) -> str:
    """The caller's tenant, where the scope names exactly one."""
    values = next(iter(desk.caller.scope.allowed.values()), ())
    return str(values[0]) if len(values) == 1 else ""


def _routed(route: Route, desk: Desk, at: float) -> Routed:
    match route:
        case FastRoute():
            return Routed(at=at, route="chat", reason=route.reason)
        case PatternMatch():
            return Routed(
                at=at, route="pattern", reason="matched", intent=route.intent, slots=route.slots
            )
        case MissingSlot():
            return Routed(at=at, route="askBack", reason=f"missing {route.name}")
        case NoMatch():
            reason = "several patterns" if route.intents else "no pattern"
            skill = desk.skill.skill.name if desk.skill else None
            return Routed(at=at, route="agent", reason=reason, skill=skill)


def _answer(shown: Assured, desk: Desk, opened: Json, closed: Json) -> Answer:
    outcome = shown.outcome
    elapsed = round((closed["at"] - opened["at"]) * 1000, 3)
    return Answer(
        kind=outcome.kind,
        text=outcome.text,
        language=desk.caller.language,
        trace_id=opened["traceId"],
        sources=outcome.sources,
        suggested_answers=outcome.suggested_answers,
        usage=outcome.usage.model_copy(update={"elapsed_ms": elapsed}),
        proof=shown.proof,
        quality=shown.quality,
    )
