"""Claims that only repeat what the question said."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from veridical.contracts.proof import ClaimKind
from veridical.gate.claim import Days, Role
from veridical.gate.claims.draft import Draft, Yearless
from veridical.gate.claims.places import places, plain_digits

_TOLD_BY_TEXT = frozenset({ClaimKind.NAME, ClaimKind.IDENTIFIER})


class _Asked(NamedTuple):
    text: str
    values: frozenset[tuple[float, bool]]
    days: frozenset[Days]
    yearless: frozenset[Yearless]
    """Months and days without a year."""


def mark_quoted(text: str, drafts: Sequence[Draft], question: str) -> None:
    """Set apart every stated claim whose reading, days or text the question has as well."""
    asked = _asked(question)
    if not asked.text:
        return
    for draft in drafts:
        if draft.role is Role.STATED and _repeats(text, draft, asked):
            draft.role = Role.QUOTED


@lru_cache(maxsize=256)
def _asked(question: str) -> _Asked:
    drafts = places(plain_digits(question))
    return _Asked(
        question.casefold(),
        frozenset(value for draft in drafts for value in _values(draft)),
        frozenset(days for draft in drafts for days in draft.days),
        frozenset(draft.yearless for draft in drafts if draft.yearless is not None),
    )


def _repeats(text: str, draft: Draft, asked: _Asked) -> bool:
    if draft.kind in _TOLD_BY_TEXT:
        return text[draft.start : draft.end].casefold() in asked.text
    said = text[draft.start : draft.end]
    if said.isdecimal() and re.search(rf"(?<![\d.,'’]){said}(?![\d%]|[.,'’]\d)", asked.text):
        return True  # a year here, an account's number there
    if draft.yearless is not None and draft.yearless in asked.yearless:
        return True
    if draft.days:
        return any(days in asked.days for days in draft.days)
    return any(value in asked.values for value in _values(draft))


def _values(draft: Draft) -> list[tuple[float, bool]]:
    sign = -1.0 if draft.negative else 1.0
    return [
        (round(sign * value * scale * draft.factor, 6), draft.unit == "%")
        for value, _ in draft.digits
        for scale in draft.scales
    ]
