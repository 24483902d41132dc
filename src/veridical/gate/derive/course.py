"""A figure that rose from one value to another must have risen: ``fell from 12 to 15`` is false."""

import re
from collections.abc import Sequence
from itertools import pairwise

from veridical.contracts.proof import Ground, Standing
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim
from veridical.gate.derive.known import is_figure
from veridical.late_pattern import late_pattern

_LEAD = 80
_LONGEST_BETWEEN = 60
_STARTS = ("from ", "von ", "从", "由")
_UP = late_pattern(
    r"\b(?:increas\w*|rose|ris(?:en|ing)|grew|grown|growth|climb\w*|gestiegen|stieg\w*|anstieg\w*"
    r"|zunahme|zugenommen|erhöht\w*|wuchs\w*|gewachsen)\b",
    re.IGNORECASE,
)
_DOWN = late_pattern(
    r"\b(?:decreas\w*|fell|fallen|falling|declin\w*|drop(?:s|ped|ping)?|reduc\w*|sank\w*|gesunken"
    r"|gefallen|fiel\w*|rückgang\w*|abnahme|abgenommen|verringert\w*|reduziert\w*)\b",
    re.IGNORECASE,
)
_NOT = late_pattern(
    r"\b(?:not|no|never|nor|without|instead|nicht|kein\w*|nie|statt)\b|n't|不|没|未", re.I
)
_FROM = late_pattern(r"(?:\b(?:from|von)|[从由])(?:\s+\w+)?[\s$€£¥(]*\Z", re.IGNORECASE)
_TO = late_pattern(r"\b(?:to|auf)(?:\s+\w+)?[\s$€£¥(]*\Z", re.IGNORECASE)
_HAN_UP = late_pattern(r"[增升涨][长加]?[至到]\s*\Z")
_HAN_DOWN = late_pattern(r"[降减跌][低少]?[至到]\s*\Z")
_SENTENCE_END = late_pattern(r"[.!?;](?=\s)|[\n。！？；]")


def check_courses(bounds: Sequence[Bound], text: str) -> dict[int, Bound]:
    """The later value of each course that goes the other way than its words say."""
    if not any(word in text for word in _STARTS):
        return {}
    figures = [(at, bound.claim) for at, bound in enumerate(bounds) if is_figure(bound)]
    changed: dict[int, Bound] = {}
    for (_, early), (at, late) in pairwise(figures):
        said = _direction(early, late, text)
        if said and _is_against(said, early, late):
            shown = f"{early.text} → {late.text}"
            changed[at] = Bound(
                late, Standing.CONTRADICTED, Ground.DERIVATION, bounds[at].place, derivation=shown
            )
    return changed


def _direction(early: Claim, late: Claim, text: str) -> int:
    """1 or -1 where words say that a value rose or fell from the one to the other, else 0."""
    if not 0 <= late.start - early.end <= _LONGEST_BETWEEN:
        return 0
    between = text[early.end : late.start]
    lead = _SENTENCE_END.split(text[max(0, early.start - _LEAD) : early.start])[-1]
    if not _FROM.search(lead) or _SENTENCE_END.search(between) or _NOT.search(lead):
        return 0
    if _TO.search(between):
        return _one_of(_UP.search(lead), _DOWN.search(lead))
    return _one_of(_HAN_UP.search(between), _HAN_DOWN.search(between))


def _one_of(up: re.Match[str] | None, down: re.Match[str] | None) -> int:
    return bool(up) - bool(down)


def _is_against(said: int, early: Claim, late: Claim) -> bool:
    """True where no reading of the two values goes that way; losses may be told without a sign."""
    pairs = [
        (first.value, second.value)
        for first in early.readings
        for second in late.readings
        if first.unit == second.unit and first.scale == second.scale
    ]
    return bool(pairs) and all(
        first > 0 and second > 0 and (second - first) * said < 0 for first, second in pairs
    )
