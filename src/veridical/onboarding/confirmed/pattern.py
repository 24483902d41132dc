"""The known question behind alike questions: what differs between them becomes a slot."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.contracts.schema import ValueType
from veridical.late_pattern import late_pattern
from veridical.onboarding.confirmed.call_shape import CallShape, Literal, call_shape, with_literals
from veridical.onboarding.confirmed.question import ConfirmedQuestion
from veridical.onboarding.confirmed.question_values import QuestionValues, slot_name
from veridical.ontology.model import (
    Asks,
    CanonicalQueryPattern,
    OntologyDescriptor,
    Slot,
    SlotKind,
)
from veridical.reading.punctuation import marks
from veridical.route.pattern_index import telling_words
from veridical.route.patterns import PatternIndex, PatternMatch, index_patterns, match_pattern
from veridical.route.slots import Word, words_of

_NOT_A_NAME = late_pattern(r"[\W\d_]+")
_NAMELESS = "KNOWN_QUESTION"
_LONGEST_NAME = 50
_VALUE = "value"
_WORD = late_pattern(r"\w+")
_SQL = "sql"


@dataclass(frozen=True, slots=True)
class Member:
    """One question of a cluster, read."""

    question: ConfirmedQuestion
    values: QuestionValues
    shape: CallShape


def pattern_of(members: Sequence[Member]) -> CanonicalQueryPattern | None:
    """The pattern that leads each of these questions back to its own call, if there is one."""
    first = members[0]
    call = _slotted(members)
    if call is None:
        return None
    drafts = filter(None, (_pattern(first, call, asks) for asks in Asks))
    for made in sorted(drafts, key=lambda each: len(each.words)):  # how one asks is no word of it
        alone = OntologyDescriptor(feature_code=first.question.feature, canonical_patterns=(made,))
        index = index_patterns(alone)
        if all(_leads_back(index, each) for each in members):
            return made
    return None


def _leads_back(index: PatternIndex, member: Member) -> bool:
    """True if the pattern recognises the question by its words and makes the same call of it."""
    question = member.question
    found = match_pattern(question.text, index, question.language, question.day)
    if not isinstance(found, PatternMatch):
        return False
    return call_shape(found.call, question.dialect) == member.shape


@dataclass(frozen=True, slots=True)
class _Slotted:
    """A call with slots, and the values that the question chooses from by their words."""

    call: dict[str, Any]
    chosen: tuple[str, ...]
    types: Mapping[SlotKind, ValueType]


def _slotted(members: Sequence[Member]) -> _Slotted | None:
    """The call with its slots. None where a value differs and no question names it, or where a
    question names a value that its call doesn't have."""
    first = members[0]
    literals: list[Literal] = []
    used: dict[SlotKind, ValueType] = {}
    chosen: tuple[str, ...] = ()
    for place, own in enumerate(first.shape.literals):
        made = _marked(own, first.values.values)
        if made is not None:
            kind = next(each for each in first.values.values if _mark(each) in str(made))
            used.update(_types(made, own, first.values.values, used, kind))
            literals.append(made)
            continue
        others = tuple(dict.fromkeys(each.shape.literals[place] for each in members))
        if len(others) == 1:
            literals.append(own)
            continue
        if chosen or not all(_is_named(each, place) for each in members):
            return None
        chosen = tuple(map(str, others))
        literals.append(f"{{{_VALUE}}}")
    if used.keys() != first.values.values.keys():
        return None
    call = with_literals(first.question.call, first.question.dialect, literals)
    return None if call is None else _Slotted(call, chosen, used)


def _types(
    made: Literal,
    own: Literal,
    values: Mapping[SlotKind, str | int],
    used: Mapping[SlotKind, ValueType],
    first: SlotKind,
) -> Iterator[tuple[SlotKind, ValueType]]:
    """The slots in this literal, each with the type of what stands there."""
    is_whole = isinstance(own, int)
    for kind in values:
        if _mark(kind) in str(made):
            yield kind, ValueType.INTEGER if is_whole else used.get(kind, ValueType.TEXT)


def _marked(literal: Literal, values: Mapping[SlotKind, str | int]) -> Literal | None:
    """The literal with the places of the question's values marked; None if it has none."""
    text = str(literal)
    marked = text
    for kind, value in values.items():
        if isinstance(literal, int) and text != str(value):
            continue
        if kind in (SlotKind.COUNT, SlotKind.MONTH) and text != str(value):
            continue
        marked = marked.replace(str(value), _mark(kind))
    return marked if marked != text else None


def _mark(kind: SlotKind) -> str:
    return f"{{{slot_name(kind)}}}"


def _is_named(member: Member, place: int) -> bool:
    """True if the question names this value of its call, as one word that a statement may take."""
    value = str(member.shape.literals[place])
    words = [each.folded for each in words_of(value)]
    fits = _SQL not in member.question.call or _WORD.fullmatch(value) is not None
    return bool(words) and fits and _at(words, [each.folded for each in member.values.words])


def _at(words: list[str], within: list[str]) -> bool:
    return any(within[at : at + len(words)] == words for at in range(len(within)))


def _pattern(first: Member, slotted: _Slotted, asks: Asks) -> CanonicalQueryPattern | None:
    question, values = first.question, first.values
    words, wording = values.words, values.wording
    if slotted.chosen:
        own = next(each for each in slotted.chosen if each in map(str, first.shape.literals)
                   and _at(_folded(each), [word.folded for word in words]))  # fmt: skip
        words = _without(words, _folded(own))
        wording = _with_mark(wording, own)
    notions = telling_words(words, question.language, asks)
    if not notions:
        return None
    bare = wording.strip().rstrip(marks("?")).strip()
    return CanonicalQueryPattern(
        intent=_name(notions),
        pattern=slotted.call,
        slots=tuple(_slots(first, slotted)),
        questions={question.language.value: (wording,)},
        words=tuple({question.language.value: (each,)} for each in notions),
        asks=asks,
        period=values.period,
        title={question.language: bare},
    )


def _slots(first: Member, slotted: _Slotted) -> Iterator[Slot]:
    for kind, value in first.values.values.items():
        yield Slot(name=slot_name(kind), type=slotted.types[kind], examples=(value,), kind=kind)
    if slotted.chosen:
        yield Slot(name=_VALUE, kind=SlotKind.VALUE, values=slotted.chosen)


def _folded(text: str) -> list[str]:
    return [each.folded for each in words_of(text)]


def _without(words: tuple[Word, ...], gone: list[str]) -> tuple[Word, ...]:
    folded = [each.folded for each in words]
    at = next(at for at in range(len(folded)) if folded[at : at + len(gone)] == gone)
    return (*words[:at], *words[at + len(gone) :])


def _with_mark(wording: str, value: str) -> str:
    at = wording.casefold().find(value.casefold())
    mark = f"{{{_VALUE}}}"
    return wording if at < 0 else f"{wording[:at]}{mark}{wording[at + len(value) :]}"


def _name(notions: Sequence[str]) -> str:
    name = _NOT_A_NAME.sub("_", " ".join(notions)).strip("_").upper()
    return name[:_LONGEST_NAME].strip("_") or _NAMELESS
