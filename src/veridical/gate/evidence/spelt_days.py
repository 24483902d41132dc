"""Days and periods as people spell them inside a text cell: ``2014, March``, ``5 May 2014``."""

import re
from collections.abc import Iterator

from veridical.gate.claim import Days
from veridical.gate.evidence.index_days import month_days, quarter_days
from veridical.late_pattern import late_pattern
from veridical.reading.period_words import MONTH_NUMBERS

_NAMES = "|".join(
    sorted((name for name in MONTH_NUMBERS if name[0] < "\u2e80"), key=len, reverse=True)
)
_YEAR = r"(?<!\d)(?P<year>(?:1[89]|20)\d\d)(?!\d)"
_MONTH = rf"(?P<month>{_NAMES})\b\.?"
_DAY = r"(?<!\d)(?P<day>[0-3]?\d)(?!\d)(?:st|nd|rd|th|\.)?"
_QUARTER = r"(?:q(?P<quarter>[1-4])|(?P<quarter2>[1-4])q)\b"
_SPELLINGS = tuple(
    late_pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_YEAR},?\s+{_MONTH}(?:\s+{_DAY})?",
        rf"\b{_MONTH}\s+(?:{_DAY},?\s+)?{_YEAR}",
        rf"{_DAY}\s+{_MONTH},?\s+{_YEAR}",
        rf"{_YEAR},?\s+{_QUARTER}",
        rf"\b{_QUARTER},?\s+{_YEAR}",
    )
)


def days_spelt_in(text: str) -> Iterator[Days]:
    """Every day, month and quarter that the text spells out with its year."""
    for spelling in _SPELLINGS:
        for match in spelling.finditer(text):
            days = _days(match.groupdict())
            if days is not None:
                yield days


def _days(said: dict[str, str | None]) -> Days | None:
    year = int(said["year"] or 0)
    quarter = said.get("quarter") or said.get("quarter2")
    if quarter:
        return quarter_days(year, int(quarter))
    month = month_days(year, MONTH_NUMBERS[(said["month"] or "").casefold()])
    if not said.get("day"):
        return month
    number = int(said["day"] or 0)
    if not 1 <= number <= month.end.day:
        return None
    day = month.start.replace(day=number)
    return Days(day, day)
