"""A question that somebody asked and whose answer somebody confirmed."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from veridical.contracts.answer import AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.trace import AgentTrace, Answered, RunStarted, ToolCalled


@dataclass(frozen=True, slots=True)
class ConfirmedQuestion:
    """One question, the one call that its answer rests on, and the form of the answer."""

    text: str
    language: Language
    day: date
    """The day that it was asked on: what "last year" means."""
    feature: str
    call: dict[str, Any]
    """The call, ``tool`` among its arguments."""
    dialect: str
    columns: tuple[str, ...]
    facts: tuple[str, ...]
    """The forms of the answer's facts, each once."""
    person: str
    """Who confirmed it."""
    at: datetime


def confirmed_question(trace: AgentTrace, person: str, at: datetime) -> ConfirmedQuestion | None:
    """The question of a confirmed run. None where it is a known one already, where the answer rests
    on several calls, and where it is only understood within its conversation."""
    begun = next((each for each in trace.events if isinstance(each, RunStarted)), None)
    ended = next((each for each in reversed(trace.events) if isinstance(each, Answered)), None)
    if begun is None or ended is None or _was_settled(trace):
        return None
    answer, question = ended.answer, begun.question
    if answer.kind is not AnswerKind.AGENT or answer.is_blocked or question.thread:
        return None
    if len(answer.sources) != 1 or answer.sources[0].known or answer.sources[0].chunks:
        return None
    source = answer.sources[0]
    stated = answer.facts.facts.values() if answer.facts else ()
    return ConfirmedQuestion(
        text=question.text,
        language=answer.language,
        day=datetime.fromtimestamp(begun.at, at.tzinfo).date(),
        feature=question.feature,
        call={"tool": source.tool, **source.arguments},
        dialect=begun.dialect,
        columns=source.columns,
        facts=tuple(sorted({each.form for each in stated})),
        person=person,
        at=at,
    )


def _was_settled(trace: AgentTrace) -> bool:
    """True if rows of that day settled a refusal: a known question is for other days, too."""
    calls = (each for each in trace.events if isinstance(each, ToolCalled))
    return any(each.settled and not each.settled.doubted for each in calls)
