"""The values that a question names, and its wording with their places marked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from veridical.contracts.language import Language
from veridical.late_pattern import late_pattern
from veridical.ontology.model import PeriodKind, SlotKind
from veridical.reading.periods import At, Period, find_periods
from veridical.route.slots import Count, Word, read_tokens
from veridical.word_file import word_file

_MONTHS = word_file("veridical.onboarding.confirmed")["months"]
"""By language: how a month of a year is written, and how with both marked."""
_DAY = late_pattern(r"\d{4}-\d{2}-\d{2}|\d{1,2}\.\s?\d{1,2}\.\s?\d{4}")
_SLOTS = {
    PeriodKind.YEAR: (SlotKind.YEAR,),
    PeriodKind.YEAR_END: (SlotKind.YEAR,),
    PeriodKind.SINCE_YEAR: (SlotKind.YEAR,),
    PeriodKind.MONTH: (SlotKind.YEAR, SlotKind.MONTH),
    PeriodKind.MONTH_END: (SlotKind.YEAR, SlotKind.MONTH),
    PeriodKind.DAY: (SlotKind.DAY,),
}
_KINDS = (*(each for each in PeriodKind if each is not PeriodKind.DAY), PeriodKind.DAY)
"""The day last: it fits every end of a period as well."""


@dataclass(frozen=True, slots=True)
class QuestionValues:
    """What one question names."""

    wording: str
    """The question with ``{slots}``."""
    period: PeriodKind | None = None
    values: Mapping[SlotKind, str | int] = field(default_factory=dict[SlotKind, str | int])
    words: tuple[Word, ...] = ()
    """Its other words."""


def question_values(text: str, language: Language, day: date) -> QuestionValues | None:
    """The period and the count of a question. None where it names several, or one of a kind that no
    known question has: a quarter, "last year"."""
    tokens = read_tokens(text, language, day, ())
    if tokens is None:
        return None
    values = [each for each in tokens if not isinstance(each, Word)]
    words = tuple(each for each in tokens if isinstance(each, Word))
    periods = list(dict.fromkeys(each for each in values if isinstance(each, Period)))
    counts = [each for each in values if isinstance(each, Count)]
    if len(periods) > 1 or len(counts) > 1 or len(periods) + len(counts) < len(set(values)):
        return None
    named: dict[SlotKind, str | int] = {}
    wording: str | None = text
    kind = None
    if periods:
        kind = next((each for each in _KINDS if periods[0].fits(each)), None)
        if kind is None:
            return None
        named |= _parts(kind, periods[0])
        wording = _without_period(text, kind, named, language, day)
    if counts and wording is not None:
        named[SlotKind.COUNT] = counts[0].number
        wording = _replaced(wording, rf"(?<!\d){counts[0].number}(?!\d)", SlotKind.COUNT)
    if wording is None:
        return None
    return QuestionValues(wording, kind, named, words)


def slot_name(kind: SlotKind) -> str:
    """The name of the slot of this kind."""
    return kind.value.lower()


def _parts(kind: PeriodKind, period: Period) -> dict[SlotKind, str | int]:
    day = period.start if period.at is At.SINCE else period.end
    parts: dict[SlotKind, str | int] = {
        SlotKind.YEAR: day.year,
        SlotKind.MONTH: day.month,
        SlotKind.DAY: day.isoformat(),
    }
    return {each: parts[each] for each in _SLOTS[kind]}


def _without_period(
    text: str,
    kind: PeriodKind,
    named: Mapping[SlotKind, str | int],
    language: Language,
    day: date,
) -> str | None:
    """The question with the period's place marked; None where it is in other words."""
    if SlotKind.DAY in named:
        return _replaced(text, _DAY.pattern, SlotKind.DAY)
    if SlotKind.MONTH not in named:
        return _replaced(text, rf"(?<!\d){named[SlotKind.YEAR]}(?!\d)", SlotKind.YEAR)
    (found, *_) = find_periods(text.lower(), language, day)
    span = text[found.begin : found.stop]
    month = _MONTHS[language]
    marked, times = re.subn(month["written"], month["marked"], span)
    return f"{text[: found.begin]}{marked}{text[found.stop :]}" if times == 1 else None


def _replaced(text: str, expression: str, kind: SlotKind) -> str | None:
    marked, times = re.subn(expression, f"{{{slot_name(kind)}}}", text)
    return marked if times == 1 else None
