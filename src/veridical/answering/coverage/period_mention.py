"""The periods that a question names, without numbers that are no year."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from veridical.answering.coverage.code_mention import IDENTIFIER
from veridical.contracts.language import Language
from veridical.late_pattern import late_pattern
from veridical.reading.period_words import MONTH_NUMBERS
from veridical.reading.periods import At, FoundPeriod, Period, find_periods
from veridical.word_file import word_file

SPAN = "span"
"""The grain of a period that begins or ends a longer one."""
_WORDS = word_file("veridical.answering.coverage")["periods"]
_COMPARED_BEFORE, _MEASURED_AFTER, _UP_TO, _BETWEEN, _AND, _MOVED = (
    late_pattern(_WORDS[name])
    for name in ("compared_before", "measured_after", "up_to", "between", "and", "moved")
)
_MONTH_NAMES = "|".join(name for name in MONTH_NUMBERS if len(name) > 3 and name.isalpha())
_PARTS_OF_YEAR = late_pattern(_WORDS["parts_of_year"].replace("<MONTHS>", _MONTH_NAMES))


@dataclass(frozen=True, slots=True)
class PeriodMention:
    """A period as a question names it."""

    words: str
    period: Period
    names_months: bool = False
    """True when the question also names parts of a year in a way that is not resolved."""
    is_inherited: bool = False
    """True when it was named earlier in the conversation."""

    @property
    def is_narrow(self) -> bool:
        """True when a total over all times can't be the answer."""
        whole = self.period.grain == SPAN or self.period.at is At.SINCE
        return not whole and not self.is_inherited


def period_mentions(
    text: str, language: Language, today: date, *, relative: bool = True
) -> tuple[PeriodMention, ...]:
    """The periods that a text names; codes and quoted texts are blanked out in it already.

    A time relative to today counts only where no other is named: "the previous year" beside 2024
    means another year. Today itself asks for the latest data, whichever period that is.
    """
    lowered = text.lower()
    if len(lowered) != len(text):
        return ()
    plain = IDENTIFIER.sub(lambda match: "\0" * len(match[0]), lowered)
    found = [each for each in find_periods(plain, language, today) if _is_time(plain, each)]
    written = [each for each in found if _has_digits(plain, each)]
    kept = written or (found if relative else [])
    kept = [each for each in kept if (each.period.start, each.period.end) != (today, today)]
    names_months = _names_months(plain, kept)
    return tuple(
        PeriodMention(text[each.begin : each.stop].strip(), each.period, names_months)
        for each in _ranged(plain, kept)
    )


def names_time(text: str, language: Language, today: date) -> bool:
    """True when a text names any period at all, also one that is relative to another."""
    lowered = text.lower()
    return bool(find_periods(lowered, language, today)) or _MOVED.search(lowered) is not None


def _is_time(text: str, found: FoundPeriod) -> bool:
    """False for a number beside a currency or a comparison: over 2000 is no year."""
    if found.period.grain != "year" or not text[found.begin : found.stop].strip().isdecimal():
        return True
    return not (
        _COMPARED_BEFORE.search(text[: found.begin]) or _MEASURED_AFTER.match(text, found.stop)
    )


def _has_digits(text: str, found: FoundPeriod) -> bool:
    return any(sign.isdigit() for sign in text[found.begin : found.stop])


def _names_months(text: str, found: list[FoundPeriod]) -> bool:
    left = text
    for each in found:
        left = left[: each.begin] + "\0" * (each.stop - each.begin) + left[each.stop :]
    return _PARTS_OF_YEAR.search(left) is not None


def _ranged(text: str, found: list[FoundPeriod]) -> Iterator[FoundPeriod]:
    """The periods, with both ends of a range marked: neither is requested by itself."""
    edges = {
        id(edge)
        for first, last in pairwise(found)
        if _leads(text, first, last)
        for edge in (first, last)
    }
    for each in found:
        period = each.period
        yield replace(each, period=replace(period, grain=SPAN)) if id(each) in edges else each


def _leads(text: str, first: FoundPeriod, last: FoundPeriod) -> bool:
    if first.period.start > last.period.end:
        return False
    between = text[first.stop : last.begin]
    if _UP_TO.fullmatch(between):
        return True
    return bool(_AND.fullmatch(between) and _BETWEEN.search(text[: first.begin]))
