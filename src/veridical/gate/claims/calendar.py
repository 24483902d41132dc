"""Dates and periods of an answer as calendar days; a date that may be two is read as both."""

from calendar import monthrange
from datetime import date
from functools import lru_cache

from veridical.gate.claim import Days
from veridical.reading.period_words import MONTH_NUMBERS

_PIVOT = 70


def a_day(year: int, month: int, day: int) -> tuple[Days, ...]:
    """One day; nothing when the calendar has no such day."""
    if not (1 <= month <= 12 and 1 <= day <= 31 and 1 <= year <= 9999):
        return ()
    if day > monthrange(year, month)[1]:
        return ()
    only = date(year, month, day)
    return (Days(only, only),)


@lru_cache(maxsize=1024)
def a_month(year: int, month: int) -> tuple[Days, ...]:
    """A whole month."""
    if not 1 <= month <= 12:
        return ()
    return (Days(date(year, month, 1), date(year, month, monthrange(year, month)[1])),)


def months(year: int, first: int, count: int) -> tuple[Days, ...]:
    """Several months of one year: a quarter, a half, the year itself."""
    last = first + count - 1
    return (Days(date(year, first, 1), date(year, last, monthrange(year, last)[1])),)


@lru_cache(maxsize=256)
def a_year(year: int) -> tuple[Days, ...]:
    """A whole calendar year."""
    return months(year, 1, 12)


def across_years(year: int) -> tuple[Days, ...]:
    """A business year across two calendar years: 2023/24 from July to June, or both in full."""
    return (
        Days(date(year, 7, 1), date(year + 1, 6, 30)),
        Days(date(year, 1, 1), date(year + 1, 12, 31)),
    )


def at_its_end(days: tuple[Days, ...]) -> tuple[Days, ...]:
    """The last day first, then the whole: "Ende März" may mean either."""
    return (*(Days(each.end, each.end) for each in days), *days)


def full_year(said: str) -> int:
    """25 is 2025, 99 is 1999."""
    year = int(said)
    if len(said) > 2:
        return year
    return year + (2000 if year < _PIVOT else 1900)


def month_number(said: str) -> int:
    """The month of a name in German or English, short or in full."""
    return MONTH_NUMBERS[said.lower().rstrip(".")]
