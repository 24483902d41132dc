"""Claims that repeat what the question said: spoken of, or asserted of the data."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from veridical.contracts.proof import ClaimKind
from veridical.gate.claim import Days, Role
from veridical.gate.claims.dates import CLOCK
from veridical.gate.claims.draft import Draft, Yearless
from veridical.gate.claims.places import places, plain_digits
from veridical.gate.claims.stance import asserts, is_led_by_being, is_said_to_be
from veridical.gate.evidence.unit import is_currency
from veridical.gate.notions import Notion, asks_whether, follows, leads
from veridical.reading.units import DAYS_OF, MONTHS_OF

_TOLD_BY_TEXT = frozenset({ClaimKind.NAME, ClaimKind.IDENTIFIER})
_TIMES = frozenset({ClaimKind.DATE, ClaimKind.PERIOD})
_COUNTING = frozenset({ClaimKind.AMOUNT, ClaimKind.PERCENT, ClaimKind.COUNT})
_HUNDRED = 100.0
_NEAR = 60
_LONGEST = 20_000
"""Of a question; what is said further down is asked for by nobody."""
_DURATIONS = frozenset({*DAYS_OF, *MONTHS_OF})


class _Asked(NamedTuple):
    text: str
    values: frozenset[tuple[float, bool]]
    days: frozenset[Days]
    yearless: frozenset[Yearless]
    """Months and days without a year."""
    lengths: frozenset[tuple[float, bool]]
    """How many days, months or years."""
    whether: bool
    """A yes or a no is asked for."""


def mark_quoted(text: str, drafts: Sequence[Draft], question: str) -> None:
    """Set apart every stated claim whose reading, days or text the question has as well.

    What is only spoken of is quoted. A figure that is asserted stays a claim like any other; a time
    that is asserted where a yes or a no was asked is held against the times of the evidence.
    """
    asked = _asked(question[:_LONGEST])
    if not asked.text:
        return
    for draft in drafts:
        if draft.role is not Role.STATED or not _repeats(text, draft, asked):
            continue
        looked_at = asked.whether if draft.kind in _TIMES else draft.kind not in _TOLD_BY_TEXT
        draft.asked = looked_at and _is_asserted(text, draft, drafts, asked)
        if not draft.asked or draft.kind in _TIMES:
            draft.role = Role.QUOTED


def _is_asserted(text: str, draft: Draft, drafts: Sequence[Draft], asked: _Asked) -> bool:
    """False for what tells what is looked at and how: a time of day, how long ago, how many digits,
    an account's number beside a figure."""
    if draft.unit == CLOCK or follows(Notion.PRECISION, text, draft.end):
        return False
    if draft.unit in _DURATIONS or _may_be_name(draft):
        since = bool(draft.mark) or leads(Notion.SINCE, text, draft.start)
        if since or not is_said_to_be(text, draft.start):
            return False
    if draft.kind is ClaimKind.NUMBER:
        if asked.lengths.intersection(_values(draft)):
            return False
        if text[draft.start : draft.end].isdecimal():
            others = any(each is not draft and _is_near(each, draft) for each in drafts)
            if others and not is_led_by_being(text, draft.start):
                return False
    return asserts(text, draft.start, draft.end)


def _may_be_name(draft: Draft) -> bool:
    """True for digits with a letter that may be a scale, and no currency: 3M."""
    return len(draft.scales) > 1 and not is_currency(draft.unit)


def _is_near(other: Draft, draft: Draft) -> bool:
    return bool(other.digits) and abs(other.start - draft.start) < _NEAR


@lru_cache(maxsize=256)
def _asked(question: str) -> _Asked:
    drafts = places(plain_digits(question))
    return _Asked(
        question.casefold(),
        frozenset(
            value for draft in drafts if draft.kind not in _TIMES for value in _values(draft)
        ),
        frozenset(days for draft in drafts for days in draft.days),
        frozenset(draft.yearless for draft in drafts if draft.yearless is not None),
        frozenset(
            value for draft in drafts if draft.unit in _DURATIONS for value in _values(draft)
        ),
        asks_whether(question),
    )


def _repeats(text: str, draft: Draft, asked: _Asked) -> bool:
    if draft.kind in _TOLD_BY_TEXT:
        return text[draft.start : draft.end].casefold() in asked.text
    said = text[draft.start : draft.end]
    if (
        draft.kind not in _COUNTING
        and said.isdecimal()
        and said in asked.text
        and re.search(rf"(?<![\d.,'’]){said}(?![\d%]|[.,'’]\d)", asked.text)
    ):
        return True  # a year here, an account's number there
    if draft.yearless is not None and draft.yearless in asked.yearless:
        return True
    if draft.days:
        return any(days in asked.days for days in draft.days)
    return any(
        (value, percent) in asked.values
        or (not percent and (value * _HUNDRED, True) in asked.values)
        for value, percent in _values(draft)
    )


def _values(draft: Draft) -> list[tuple[float, bool]]:
    sign = -1.0 if draft.negative else 1.0
    return [
        (round(sign * value * scale * draft.factor, 6), draft.unit == "%")
        for value, _ in draft.digits
        for scale in draft.scales
    ]
