"""The canonical questions nearest to a request, where the pattern path requires identity.

Nothing is answered by them. A model that must choose among many questions gets the nearest.
"""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from veridical.contracts.language import Language
from veridical.ontology.model import CanonicalQueryPattern, PeriodKind, SlotKind
from veridical.reading.periods import Period, at_end
from veridical.route.pattern_cover import Meaning, QuestionPhrases, question_phrases, readings
from veridical.route.pattern_index import PatternIndex, Reader
from veridical.route.slots import Code, Count, Quoted, Token, Word, read_tokens

MOST = 3
_NOTION, _SLOT, _PERIOD = 2.0, 2.0, 1.0
_UNEXPLAINED, _NO_PLACE, _MISSING = 0.15, 0.75, 1.0
_FIRST = 0.1
"""Points for the first notion, which is what is asked for."""
_LEAST = 0.75
_NOTHING = -100.0
"""Points of a question that has no word of the request."""
_ENDS = frozenset({PeriodKind.YEAR_END, PeriodKind.MONTH_END})
_NAMING = frozenset({SlotKind.SUBCLASS, SlotKind.VALUE, SlotKind.CODE})
_FAR_BEHIND = 0.5
"""The least share of the best score."""


@dataclass(frozen=True, slots=True)
class Likely:
    """A canonical question with the slot values found so far."""

    intent: str
    slots: dict[str, Any] = field(default_factory=dict[str, Any])
    points: float = 0.0
    left_out: tuple[Token, ...] = ()
    """The words and values of the request that it has no place for."""

    def __str__(self) -> str:
        filled = ", ".join(f"{name}={value}" for name, value in self.slots.items())
        return f"{self.intent}({filled})" if filled else self.intent


def likely_patterns(
    text: str,
    index: PatternIndex,
    language: Language,
    today: date,
    without: frozenset[str] = frozenset(),
    *,
    also_far: bool = False,
) -> tuple[Likely, ...]:
    """The questions nearest to these words, the nearest first; none if all are far, unless these
    are wanted as well. Intents in ``without`` are left out."""
    tokens = read_tokens(text, language, today, index.codes[language]) or ()
    question = question_phrases(tokens, index.longest[language])
    best: dict[str, Likely] = {}
    for reader in index.readers[language]:
        if reader.pattern.intent in without:
            continue
        found = _likely(reader, question)
        if found.points > best.get(found.intent, Likely("", points=_NOTHING)).points:
            best[found.intent] = found
    top = max((each.points for each in best.values()), default=0.0)
    near = [each for each in best.values() if each.points >= max(_LEAST, _FAR_BEHIND * top)]
    near = near or (list(best.values()) if also_far else [])
    return tuple(sorted(near, key=lambda each: (-each.points, each.intent))[:MOST])


def _likely(reader: Reader, question: QuestionPhrases) -> Likely:
    pattern, tokens = reader.pattern, question.tokens
    notions: set[int] = set()
    slots: dict[str, Any] = {}
    left_out: list[Token] = []
    at = 0
    while at < len(tokens):
        length, meanings = next(readings(question, at, reader.vocabulary), (1, ()))
        left_out += () if meanings else question.tokens[at : at + length]
        for each in meanings:
            if isinstance(each, Meaning):
                notions |= each.required
                slots |= {each.slot: each.value} if each.slot else {}
        at += length
    values = [token for token in tokens if not isinstance(token, Word)]
    unexplained = len(left_out)
    placed = 0.0
    for value in values:
        points = _placed(value, pattern, slots)
        placed += points
        left_out += (value,) if points < 0 else ()
    noted = _NOTION * len(notions) / max(1, len(reader.required)) if reader.required else 0.0
    missing = _MISSING * len(reader.required - notions)
    own = [slot for slot in pattern.slots if slot.name in slots]
    points = noted + _SLOT * len(own) / max(1, len(pattern.slots)) + placed
    named = noted or any(slot.kind in _NAMING for slot in own)
    points += _FIRST if 0 in notions else 0.0
    points -= _UNEXPLAINED * unexplained + missing
    return Likely(pattern.intent, slots, points if named else _NOTHING, tuple(left_out))


def _placed(value: Token, pattern: CanonicalQueryPattern, slots: dict[str, Any]) -> float:
    """Minus points if the pattern has no slot for a value; fills ``slots`` otherwise."""
    kinds = {slot.kind: slot.name for slot in pattern.slots}
    match value:
        case Period():
            return _period_fits(value, pattern.period)
        case Code(slot=name, digits=digits) if name in kinds.values():
            slots[name] = digits
        case Count(number=number) if SlotKind.COUNT in kinds:
            slots[kinds[SlotKind.COUNT]] = number
        case Quoted(text=text) if SlotKind.QUOTED in kinds:
            slots[kinds[SlotKind.QUOTED]] = text
        case _:
            return -_NO_PLACE
    return 0.0


def _period_fits(value: Period, kind: PeriodKind | None) -> float:
    """Points for the period; a year may stand for its end, as in a balance of 2024."""
    if kind is None:
        return -_PERIOD
    if value.fits(kind):
        return _PERIOD
    may_be = kind in _ENDS and at_end(value).fits(kind)
    return 0.0 if may_be else -_PERIOD
