"""The pattern path: a question that is exactly one canonical question needs no model.

A pattern answers a question only if it explains every word of it, and no other pattern does. If one
word is left over, a slot has two values, or the period is of another kind, the question is left to
the agent. That costs coverage, but a pattern never answers another question.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from veridical.contracts.language import Language
from veridical.ontology.model import CanonicalQueryPattern, PeriodKind, Slot, SlotKind
from veridical.reading.periods import At, Period
from veridical.route.pattern_call import fill_call
from veridical.route.pattern_cover import Meaning, explain, question_phrases
from veridical.route.pattern_index import Form, PatternIndex, index_patterns
from veridical.route.slots import Code, Count, Quoted, Token, Value, Word, read_tokens

__all__ = ["FutureMatch", "Matched", "MissingSlot", "NoMatch", "PatternIndex", "PatternMatch",
           "index_patterns", "match_pattern", "match_tokens"]  # fmt: skip

PERIOD = "period"
"""The name of a missing year, month or day."""
_OF_PERIOD = frozenset({SlotKind.YEAR, SlotKind.MONTH, SlotKind.DAY})
_WILDCARDS = frozenset("%_\\")
_REMEMBERED_FORMS = 4096


@dataclass(frozen=True, slots=True)
class PatternMatch:
    """The one pattern that a question is, with the call that answers it."""

    intent: str
    call: dict[str, Any]
    """A tool call as a model would write it, ``tool`` among its arguments."""
    slots: dict[str, Any]
    """JSON values, as a trace records them."""
    period: Period | None
    unfinished: bool
    """True when the period still runs: the figures are those to date."""
    pattern: CanonicalQueryPattern
    index: PatternIndex = field(repr=False)
    wordings: Mapping[str, str] = field(default_factory=dict[str, str], compare=False)
    """The words of the question that chose each slot's value."""

    @property
    def tool(self) -> str:
        """The tool to call."""
        return self.call["tool"]

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of the call."""
        return {name: value for name, value in self.call.items() if name != "tool"}


@dataclass(frozen=True, slots=True)
class FutureMatch:
    """A canonical question about a time that has not come. It is never run: figures recorded today
    would be shown as if they were of that time."""

    match: PatternMatch


@dataclass(frozen=True, slots=True)
class MissingSlot:
    """A canonical question without one of its values."""

    intents: tuple[str, ...]
    name: str
    slot: Slot | None
    """None when the period is missing."""
    periods: frozenset[PeriodKind]
    """The kinds of period that would do."""
    index: PatternIndex = field(repr=False)


@dataclass(frozen=True, slots=True)
class NoMatch:
    """No pattern, or more than one: ``intents`` names those."""

    intents: tuple[str, ...] = ()


Matched = PatternMatch | FutureMatch | MissingSlot | NoMatch


def match_pattern(text: str, index: PatternIndex, language: Language, today: date) -> Matched:
    """The result of matching a question. Pure: the same question and day give the same result."""
    tokens = read_tokens(text, language, today, index.codes[language])
    return match_tokens(tokens, index, language, today) if tokens else NoMatch()


def match_tokens(
    tokens: tuple[Token, ...], index: PatternIndex, language: Language, today: date
) -> Matched:
    """The same for a question that was read already, or put together from several."""
    given = tuple(each for each in tokens if not isinstance(each, Word))
    readings = [
        reading
        for form in _forms(tokens, index, language)
        if (reading := _read(form, given)) is not None
    ]
    whole = [reading for reading in readings if not reading.missing]
    if len({reading.intent for reading in whole}) > 1:
        return NoMatch(tuple(dict.fromkeys(reading.intent for reading in whole)))
    if whole:
        match = _match(whole[0], index, today)
        has_come = match.period is None or match.period.has_come(today)
        return match if has_come else FutureMatch(match)
    return _missing([reading for reading in readings if reading.specific], index)


@dataclass(frozen=True, slots=True)
class _Reading:
    """A pattern that explains every word, with the values it found."""

    pattern: CanonicalQueryPattern
    values: dict[str, Any]
    period: Period | None
    missing: tuple[str, ...]
    specific: bool
    """True when a word of the business was among those explained."""
    wordings: Mapping[str, str]

    @property
    def intent(self) -> str:
        return self.pattern.intent


def _forms(tokens: tuple[Token, ...], index: PatternIndex, language: Language) -> tuple[Form, ...]:
    """The patterns that explain every word. These follow from the words alone, so questions which
    differ only in their values are explained once."""
    words = (language, *(each.folded if isinstance(each, Word) else None for each in tokens))
    known = index.forms.get(words)
    if known is None:
        if len(index.forms) >= _REMEMBERED_FORMS:
            index.forms.clear()
        known = index.forms[words] = tuple(_explained(tokens, index, language))
    return known


def _explained(
    tokens: tuple[Token, ...], index: PatternIndex, language: Language
) -> Iterator[Form]:
    question = question_phrases(tokens, index.longest[language])
    for place in index.vocabularies[language].able(question):
        reader = index.readers[language][place]
        explained = explain(question, reader.vocabulary)
        if explained is None:
            continue
        meanings = [each for each in explained if isinstance(each, Meaning)]
        if frozenset[int]().union(*(each.required for each in meanings)) == reader.required:
            specific = bool(reader.required) or any(each.slot for each in meanings)
            parts = (each if isinstance(each, Meaning) else None for each in explained)
            filling = (each for each in parts if each is None or each.slot is not None)
            yield Form(reader, tuple(filling), specific)


def _read(form: Form, given: tuple[Value, ...]) -> _Reading | None:
    reader = form.reader
    left = iter(given)
    values: dict[str, Any] = {}
    for meaning in form.meanings:
        slot, value = (
            _placed(next(left), reader.pattern)
            if meaning is None
            else (meaning.slot, meaning.value)
        )
        if slot is None or values.setdefault(slot, value) != value:
            return None
    period = values.pop(PERIOD, None)
    if period is not None and not _suits(period, reader.pattern):
        return None
    values |= _parts(reader.pattern, period)
    wanted = _wanted(reader.pattern)
    missing = tuple(
        name for name in wanted if name not in values and (name != PERIOD or not period)
    )
    wordings = {
        each.slot: each.wording for each in form.meanings if each and each.slot and each.wording
    }
    return _Reading(reader.pattern, values, period, missing, form.specific, wordings)


def _placed(value: Value, pattern: CanonicalQueryPattern) -> tuple[str | None, Any]:
    """The slot for a value, or None if the pattern has no slot for it, and the value."""
    match value:
        case Period():
            return PERIOD if pattern.period else None, value
        case Code(slot=named, digits=digits):
            return named if any(slot.name == named for slot in pattern.slots) else None, digits
        case Count(number=number):
            return _slot_for(SlotKind.COUNT, pattern), number
        case Quoted(text=text):
            clean = _WILDCARDS.isdisjoint(text)
            return _slot_for(SlotKind.QUOTED, pattern) if clean else None, text


def _slot_for(kind: SlotKind, pattern: CanonicalQueryPattern) -> str | None:
    return next((slot.name for slot in reversed(pattern.slots) if slot.kind is kind), None)


def _suits(period: Period, pattern: CanonicalQueryPattern) -> bool:
    return pattern.period is not None and period.fits(pattern.period)


def _parts(pattern: CanonicalQueryPattern, period: Period | None) -> dict[str, Any]:
    if period is None:
        return {}
    day = period.start if period.at is At.SINCE else period.end
    parts: dict[SlotKind | None, str | int] = {
        SlotKind.YEAR: day.year,
        SlotKind.MONTH: day.month,
        SlotKind.DAY: day.isoformat(),
    }
    return {slot.name: parts[slot.kind] for slot in pattern.slots if slot.kind in parts}


def _wanted(pattern: CanonicalQueryPattern) -> tuple[str, ...]:
    own = (slot.name for slot in pattern.slots if slot.kind not in _OF_PERIOD)
    return (*own, PERIOD) if pattern.period else tuple(own)


def _match(reading: _Reading, index: PatternIndex, today: date) -> PatternMatch:
    call = fill_call(reading.pattern, reading.values, index.conditions)
    period = reading.period
    unfinished = period is not None and _runs(period, today)
    return PatternMatch(
        reading.intent,
        call,
        reading.values,
        period,
        unfinished,
        reading.pattern,
        index,
        reading.wordings,
    )


def _runs(period: Period, today: date) -> bool:
    return period.at is At.SINCE or (period.at is At.DURING and period.end >= today)


def _missing(readings: list[_Reading], index: PatternIndex) -> MissingSlot | NoMatch:
    """One thing to ask for, where that alone would settle it."""
    intents = tuple(dict.fromkeys(reading.intent for reading in readings))
    gaps = {reading.missing for reading in readings}
    if len(gaps) != 1 or len(names := next(iter(gaps))) != 1:
        return NoMatch(intents)
    (name,) = names
    kinds = frozenset(kind for each in readings if (kind := each.pattern.period))
    slot = next((slot for slot in readings[0].pattern.slots if slot.name == name), None)
    settled = len(kinds) == len(intents) if slot is None else len(intents) == 1
    return MissingSlot(intents, name, slot, kinds, index) if settled else NoMatch(intents)
