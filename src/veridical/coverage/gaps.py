"""What a question names and no result speaks of."""

from collections.abc import Iterator, Sequence
from datetime import date

from veridical.contracts.answer import Source
from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode
from veridical.contracts.question import Question
from veridical.coverage.asked import Asked, read_question
from veridical.coverage.call import ReadCall, read_call
from veridical.coverage.call_subjects import code_gap, currency_gap, name_gap
from veridical.coverage.call_times import period_gap
from veridical.coverage.lexicon import Lexicon, lexicon_of
from veridical.feature import Feature
from veridical.gate.rules.problem import Problem

_LONGEST_FOUND = 60
_INSTEAD = "instead"


def uncovered(
    question: Question,
    sources: Sequence[Source],
    feature: Feature,
    language: Language,
    today: date,
    idle_tools: Sequence[str] = (),
) -> tuple[Problem, ...]:
    """One problem for each thing that the question names and no source speaks of.

    Nothing is said where there is no data, or where a source is no readable query on tables.
    """
    if feature.patterns is None:
        return ()
    calls: list[ReadCall] = []
    for source in sources:
        if source.tool in idle_tools:
            continue
        call = read_call(source, feature.checker)
        if call is None:
            return ()
        calls.append(call)
    if not calls:
        return ()
    lexicon = lexicon_of(feature)
    asked = read_question(question, language, today, lexicon)
    return tuple(_problem(said, found) for said, found in _gaps(asked, calls, lexicon))


def _gaps(asked: Asked, calls: Sequence[ReadCall], lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    """What was asked for, and what the calls have instead."""
    for period in asked.periods:
        found = period_gap(period, calls, lexicon.calendar)
        if found is not None:
            yield period.said, found
    for code in asked.codes:
        found = code_gap(code, calls)
        if found is not None:
            yield code.said, found
    others = [currency_gap(each, calls, lexicon) for each in asked.currencies]
    if others and None not in others:
        yield ", ".join(asked.currencies), others[0] or ""
    for name in asked.names:
        found = name_gap(name, calls)
        if found is not None:
            yield name, found


def _problem(asked: str, found: str) -> Problem:
    found = found[:_LONGEST_FOUND]
    return Problem(
        GateCode.QUESTION_NOT_COVERED,
        _INSTEAD if found else "",
        claim=asked,
        instead=found,
    )
