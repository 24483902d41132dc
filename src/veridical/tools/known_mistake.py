"""Errors in the call of a known question, and the question that takes the given values."""

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

SlotInputs = Mapping[str, Any]

_LONGEST_NAME = 40
_RATHER_LIKE = 50
_VARIANT = 0.5
"""The least similarity of the names of two variants of one question."""
_OF_TIME = frozenset({SlotKind.YEAR, SlotKind.MONTH, SlotKind.DAY})


@dataclass(frozen=True, slots=True)
class Mistake:
    """The reason why a known question can't be answered as it was called."""

    refusal: Refusal
    instead: dict[str, Any] | None = None
    """Valid arguments: another question for the same values."""


def unknown_question(intent: Any, known: Repertoire, language: Language) -> Mistake:
    """The mistake of an unknown intent. The nearest one is only a suggestion."""
    if not intent:
        text = hint("tools.missing", language, name=QUESTION)
        return _mistake(_violation(Code.SYNTAX_ERROR, QUESTION, text))
    named = str(intent)[:_LONGEST_NAME]
    text = hint("tools.unknown_question", language, name=named)
    near = nearest(named, known.patterns, _RATHER_LIKE)
    return _mistake(_violation(Code.VALUE_UNKNOWN, QUESTION, text, near))


def mistakes(
    pattern: CanonicalQueryPattern, inputs: SlotInputs, known: Repertoire, language: Language
) -> Mistake | None:
    """All errors in the slots of a question; None if it can be filled."""
    slots = {slot.name: slot for slot in pattern.slots}
    variant = _variant(pattern, inputs, known)
    other = variant.intent if variant else None
    found = (
        *(_misplaced(name, pattern, other, language) for name in inputs if name not in slots),
        *_missing(slots, inputs, other, language),
        *_misfits(slots, inputs, known.names, other, language),
    )
    if not found:
        return None
    forgotten = slots.keys() - inputs.keys() and inputs.keys() <= slots.keys()
    same = variant is not None and variant.purpose == pattern.purpose and not forgotten
    return _mistake(*found, instead={QUESTION: other, **inputs} if same else None)


def _misplaced(
    name: str, pattern: CanonicalQueryPattern, other: str | None, language: Language
) -> Violation:
    text = hint("tools.no_such_slot", language, name=name[:_LONGEST_NAME], intent=pattern.intent)
    return _violation(Code.SYNTAX_ERROR, name, text, other)


def _missing(
    slots: Mapping[str, Slot], inputs: SlotInputs, other: str | None, language: Language
) -> Iterator[Violation]:
    for name, slot in slots.items():
        if name not in inputs:
            text = hint("tools.missing_slot", language, name=name, example=example_of(slot))
            yield _violation(Code.SYNTAX_ERROR, name, text, other)


def _misfits(
    slots: Mapping[str, Slot],
    inputs: SlotInputs,
    names: Names,
    other: str | None,
    language: Language,
) -> Iterator[Violation]:
    for name, slot in slots.items():
        if name in inputs and read_value(slot, inputs[name], names) is None:
            text = hint("tools.no_such_value", language, name=name, expected=expected(slot))
            near = other or nearest(str(inputs[name])[:_LONGEST_NAME], slot.values)
            yield _violation(Code.VALUE_UNKNOWN, name, text, near)


def siblings(
    pattern: CanonicalQueryPattern, inputs: SlotInputs, known: Repertoire
) -> list[CanonicalQueryPattern]:
    """The other questions that take exactly these values, the simplest first: the one with the
    fewest notions, such as "per month", on top."""
    fitting = (each for each in known.patterns.values() if _fits(each, inputs, known.names))
    others = (each for each in fitting if each.intent != pattern.intent)
    return sorted(others, key=lambda each: (len(each.words), -_likeness(each, pattern)))


def _variant(
    pattern: CanonicalQueryPattern, inputs: SlotInputs, known: Repertoire
) -> CanonicalQueryPattern | None:
    """The question that takes exactly these values: one with a similar name, or the only one that
    takes such values. A question without more than a time would be another question."""
    named = {slot.name: slot.kind for slot in pattern.slots}
    left_out = {kind for name, kind in named.items() if name not in inputs}
    if inputs.keys() <= named.keys() and not left_out <= _OF_TIME:
        return None
    fitting = [each for each in known.patterns.values() if _fits(each, inputs, known.names)]
    best = max(fitting, key=lambda each: _likeness(each, pattern), default=None)
    if best is None or _likeness(best, pattern) >= _VARIANT:
        return best
    return best if len(fitting) == 1 and named.keys() == inputs.keys() else None


def _likeness(one: CanonicalQueryPattern, other: CanonicalQueryPattern) -> float:
    """The share of words that two intents have in common."""
    words, theirs = set(one.intent.split("_")), set(other.intent.split("_"))
    return len(words & theirs) / len(words | theirs)


def _fits(pattern: CanonicalQueryPattern, inputs: SlotInputs, names: Names) -> bool:
    return {slot.name for slot in pattern.slots} == set(inputs) and all(
        read_value(slot, inputs[slot.name], names) is not None for slot in pattern.slots
    )


def _mistake(*violations: Violation, instead: dict[str, Any] | None = None) -> Mistake:
    return Mistake(Refusal(violations=violations), instead)


def _violation(code: Code, field: str, text: str, suggestion: str | None = None) -> Violation:
    return Violation(code=code, field=field[:_LONGEST_NAME], suggestion=suggestion, hint=text)
