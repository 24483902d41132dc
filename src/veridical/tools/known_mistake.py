"""What is wrong with how a known question was asked, and which one takes what was told."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.violation import Code, Refusal, Violation
from veridical.messages.hints import hint
from veridical.ontology.model import CanonicalQueryPattern, Slot, SlotKind
from veridical.ontology.nearest import nearest
from veridical.tools.known_slot import Names, example_of, expected, read_value
from veridical.tools.repertoire import Repertoire

QUESTION = "question"
"""The argument that names the question; all others are slots."""

Told = Mapping[str, Any]

_LONGEST_NAME = 40
_RATHER_LIKE = 50
_VARIANT = 0.5
"""How alike the names of two variants of one question are at least."""
_OF_TIME = frozenset({SlotKind.YEAR, SlotKind.MONTH, SlotKind.DAY})


@dataclass(frozen=True, slots=True)
class Mistake:
    """Why a question can't be answered as it was asked."""

    refusal: Refusal
    instead: dict[str, Any] | None = None
    """Arguments that can be: another question for the very values that were told."""


def unknown_question(intent: Any, known: Repertoire, language: Language) -> Mistake:
    """For an intent that there is none of. The nearest may mean something else: it is no more than
    a suggestion."""
    if not intent:
        told = hint("tools.missing", language, name=QUESTION)
        return _mistake(_violation(Code.SYNTAX_ERROR, QUESTION, told))
    named = str(intent)[:_LONGEST_NAME]
    told = hint("tools.unknown_question", language, name=named)
    near = nearest(named, known.patterns, _RATHER_LIKE)
    return _mistake(_violation(Code.VALUE_UNKNOWN, QUESTION, told, near))


def mistakes(
    pattern: CanonicalQueryPattern, told: Told, known: Repertoire, language: Language
) -> Mistake | None:
    """All that is wrong with what was told for a question; none when it can be filled."""
    slots = {slot.name: slot for slot in pattern.slots}
    variant = _variant(pattern, told, known)
    other = variant.intent if variant else None
    found = (
        *(_misplaced(name, pattern, other, language) for name in told if name not in slots),
        *_missing(slots, told, other, language),
        *_misfits(slots, told, known.names, other, language),
    )
    if not found:
        return None
    forgotten = slots.keys() - told.keys() and told.keys() <= slots.keys()
    same = variant is not None and variant.purpose == pattern.purpose and not forgotten
    return _mistake(*found, instead={QUESTION: other, **told} if same else None)


def _misplaced(
    name: str, pattern: CanonicalQueryPattern, other: str | None, language: Language
) -> Violation:
    told = hint("tools.no_such_slot", language, name=name[:_LONGEST_NAME], intent=pattern.intent)
    return _violation(Code.SYNTAX_ERROR, name, told, other)


def _missing(
    slots: Mapping[str, Slot], told: Told, other: str | None, language: Language
) -> Iterator[Violation]:
    for name, slot in slots.items():
        if name not in told:
            text = hint("tools.missing_slot", language, name=name, example=example_of(slot))
            yield _violation(Code.SYNTAX_ERROR, name, text, other)


def _misfits(
    slots: Mapping[str, Slot], told: Told, names: Names, other: str | None, language: Language
) -> Iterator[Violation]:
    for name, slot in slots.items():
        if name in told and read_value(slot, told[name], names) is None:
            text = hint("tools.no_such_value", language, name=name, expected=expected(slot))
            near = other or nearest(str(told[name])[:_LONGEST_NAME], slot.values)
            yield _violation(Code.VALUE_UNKNOWN, name, text, near)


def siblings(
    pattern: CanonicalQueryPattern, told: Told, known: Repertoire
) -> list[CanonicalQueryPattern]:
    """The other questions that take exactly what was told, the plainest first: the one that asks
    for the fewest notions, such as "per month", on top."""
    fitting = (each for each in known.patterns.values() if _fits(each, told, known.names))
    others = (each for each in fitting if each.intent != pattern.intent)
    return sorted(others, key=lambda each: (len(each.words), -_likeness(each, pattern)))


def _variant(
    pattern: CanonicalQueryPattern, told: Told, known: Repertoire
) -> CanonicalQueryPattern | None:
    """The question that takes exactly what was told: one with a like name, or the only one that
    takes such values. What leaves out more than a time would be another question."""
    named = {slot.name: slot.kind for slot in pattern.slots}
    left_out = {kind for name, kind in named.items() if name not in told}
    if told.keys() <= named.keys() and not left_out <= _OF_TIME:
        return None
    fitting = [each for each in known.patterns.values() if _fits(each, told, known.names)]
    best = max(fitting, key=lambda each: _likeness(each, pattern), default=None)
    if best is None or _likeness(best, pattern) >= _VARIANT:
        return best
    return best if len(fitting) == 1 and named.keys() == told.keys() else None


def _likeness(one: CanonicalQueryPattern, other: CanonicalQueryPattern) -> float:
    """The share of words that two intents have in common."""
    words, theirs = set(one.intent.split("_")), set(other.intent.split("_"))
    return len(words & theirs) / len(words | theirs)


def _fits(pattern: CanonicalQueryPattern, told: Told, names: Names) -> bool:
    return {slot.name for slot in pattern.slots} == set(told) and all(
        read_value(slot, told[slot.name], names) is not None for slot in pattern.slots
    )


def _mistake(*violations: Violation, instead: dict[str, Any] | None = None) -> Mistake:
    return Mistake(Refusal(violations=violations), instead)


def _violation(code: Code, field: str, told: str, suggestion: str | None = None) -> Violation:
    return Violation(code=code, field=field[:_LONGEST_NAME], suggestion=suggestion, hint=told)
