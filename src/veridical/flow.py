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
from veridical.agent.people import People
from veridical.agent.request import LoopOutcome
from veridical.assurance import Assured, assured
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.person import TEXT, Hitl, ItemKind, PersonNeeded
from veridical.contracts.question import Question, Turn, is_blank
from veridical.contracts.step import Json, Step, directly
from veridical.contracts.trace import Answered, Routed, RunStarted
from veridical.hearing import (
    Route,
    ask_which,
    choose_route,
    plainly,
    spoken_language,
    unanswered,
)
from veridical.messages import say
from veridical.route.fast import FastRoute
from veridical.route.follow_up import Which
from veridical.route.patterns import MissingSlot, NoMatch, PatternMatch
from veridical.route.render import render_question
from veridical.route.requests import Request
from veridical.ways import Desk

MOST_CLARIFICATIONS = 3
"""Questions back to a person in one run; then the last one is the answer."""


async def answer(
    question: Question, desk: Desk, step: Step = directly, trace_id: str = ""
) -> Answer:
    """The answer to one question, or an honest reason why there is none.

    A host that records the run names it; otherwise it gets a new id.
    """
    opened = await step("open", partial(_open, trace_id))
    language = spoken_language(question, desk.caller.language)
    people = People(desk.ask, desk.emit)
    desk = replace(desk, caller=replace(desk.caller, language=language), ask=people)
    desk.emit(_started(question, desk, opened["at"]))
    if is_blank(question.text):
        nothing = say("flow.empty_question", language)
        shown = Assured(LoopOutcome(AnswerKind.ASK_BACK, nothing))
    else:
        shown = await _worked_out(question, desk, step, opened)
    closed = await step("close", _clock)
    final = _answer(shown, people.hitl, desk, opened, closed)
    desk.emit(Answered(at=closed["at"], answer=final))
    return final


async def _worked_out(question: Question, desk: Desk, step: Step, opened: Json) -> Assured:
    """The way that the question takes, to its end."""
    question, route = await _clarified(question, desk, opened)
    if isinstance(route, NoMatch):
        desk = ways.with_skill(desk, question)
    desk.emit(_routed(route, desk, opened["at"]))
    outcome = await follow(route, question, desk, step, opened)
    return await assured(outcome, question, desk, step, opened)


async def _clarified(question: Question, desk: Desk, opened: Json) -> tuple[Question, Route]:
    """The question with its route, once people have said what they left out; where nobody says
    it, the question back stays the answer."""
    today = date.fromisoformat(opened["today"])
    route = choose_route(question, desk, today)
    for number in range(1, MOST_CLARIFICATIONS + 1):
        if not desk.approvals.clarify or not isinstance(route, MissingSlot):
            break
        asked = _ask_back(route, desk, today)
        needed = PersonNeeded(
            name=f"clarify.{number}",
            kind=ItemKind.CLARIFICATION,
            subject={
                "question": question.text,
                "asked": asked.text,
                "suggestedAnswers": list(asked.suggested_answers),
            },
            reversible=False,
            at=opened["at"],
        )
        decision = await desk.ask(needed)
        said = str(decision.choice.get(TEXT, "")).strip() if decision.approved else ""
        if not said:
            break
        question, route = _with_reply(question, asked.text, said, desk, today)
    return question, route


def _with_reply(
    question: Question, asked: str, said: str, desk: Desk, today: date
) -> tuple[Question, Route]:
    """The question with what was said, as one where a pattern knows it, else as the next turn."""
    whole = question.model_copy(update={"text": f"{question.text} {said}"})
    route = choose_route(whole, desk, today)
    if isinstance(route, PatternMatch | MissingSlot):
        return whole, route
    turn = Turn(question=question.text, answer=asked)
    reply = question.model_copy(update={"text": said, "thread": (*question.thread, turn)})
    route = choose_route(reply, desk, today)
    return reply, route if isinstance(route, PatternMatch) else NoMatch()


async def follow(
    route: Route, question: Question, desk: Desk, step: Step, opened: Json
) -> LoopOutcome:
    """The outcome of the way that was chosen; what a pattern can't do goes to the agent."""
    if isinstance(route, FastRoute):
        return await ways.chat(route, question, desk, step, opened)
    today = date.fromisoformat(opened["today"])
    if isinstance(route, MissingSlot):
        return _ask_back(route, desk, today)
    if isinstance(route, Which):
        return ask_which(route, desk, today)
    if isinstance(route, Request):
        return plainly(route, desk, today)
    if isinstance(route, PatternMatch):
        known = await ways.pattern(route, question, desk, step, opened)
        if known is not None:
            return known
    if desk.model is None:
        return unanswered(question, desk, today)
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
        tenant=desk.caller.tenant,
        model=desk.settings.model,
        ontology_hash=desk.feature.ontology_hash,
    )


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
        case Which():
            return Routed(at=at, route="askBack", reason="several questions")
        case Request():
            return Routed(at=at, route="chat", reason=route.value)
        case NoMatch():
            reason = "several patterns" if route.intents else "no pattern"
            skill = desk.skill.skill.name if desk.skill else None
            return Routed(at=at, route="agent", reason=reason, skill=skill)


def _answer(shown: Assured, hitl: Hitl | None, desk: Desk, opened: Json, closed: Json) -> Answer:
    outcome = shown.outcome
    elapsed = round((closed["at"] - opened["at"]) * 1000, 3)
    return Answer(
        kind=outcome.kind,
        text="\n\n".join((outcome.text, *_notes(outcome, hitl, desk))),
        language=desk.caller.language,
        trace_id=opened["traceId"],
        sources=outcome.sources,
        suggested_answers=outcome.suggested_answers,
        usage=outcome.usage.model_copy(update={"elapsed_ms": elapsed}),
        proof=shown.proof,
        quality=shown.quality,
        hitl=hitl,
    )


def _notes(outcome: LoopOutcome, hitl: Hitl | None, desk: Desk) -> tuple[str, ...]:
    """What whoever reads the answer must know of how it was approved."""
    if hitl is None or not hitl.auto_approved or not outcome.sources:
        return ()
    return (say("people.auto_approved", desk.caller.language, count=len(outcome.sources)),)
