"""Days in a text without their year: May 4th, 4. Mai, 5月4日."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from veridical.late_pattern import late_pattern
from veridical.reading.period_words import MONTH_NUMBERS

_MONTH = "|".join(sorted((name for name in MONTH_NUMBERS if name.isascii()), key=len, reverse=True))
_NAMES = rf"{_MONTH}|märz|mär|jänner"
_MONTH_DAY = late_pattern(
    rf"\b(?P<month>{_NAMES})\.?\s(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?![\d:])"
    rf"|\b(?P<day2>\d{{1,2}})(?:st|nd|rd|th|\.)?\s(?:of\s)?(?P<month2>{_NAMES})\b"
    r"|(?P<month3>\d{1,2})\s?月\s?(?P<day3>\d{1,2})\s?[日号]"
    r"|(?<![\d./])(?P<day4>\d{1,2})\.(?P<month4>\d{1,2})\.(?!\d)"
    r"|(?<![\d./])(?P<month5>\d{1,2})/(?P<day5>\d{1,2})(?![\d/])",
    re.IGNORECASE,
)


class DayOfYear(NamedTuple):
    """A month and a day, and their place in the text."""

    start: int
    end: int
    month: int
    day: int


def find_days_of_year(text: str) -> Iterator[DayOfYear]:
    """All of them in order; a year after them is ignored."""
    for found in _MONTH_DAY.finditer(text):
        parts = {name.rstrip("2345"): value for name, value in found.groupdict().items() if value}
        named = parts["month"].casefold()
        month = int(named) if named.isdecimal() else MONTH_NUMBERS[named]
        day = int(parts["day"])
        if 1 <= month <= 12 and 1 <= day <= 31:
            yield DayOfYear(found.start(), found.end(), month, day)
