"""Days in a text without their year: May 4th, 4. Mai, 5月4日."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from veridical.late_pattern import late_pattern
from veridical.reading.period_words import LATIN_MONTHS
from veridical.word_file import word_file

_NAMES = "|".join(sorted(LATIN_MONTHS, key=len, reverse=True))
_FORM: str = word_file("veridical.reading", "times.toml")["yearless"]["form"]
_MONTH_DAY = late_pattern(_FORM.replace("<NAMES>", _NAMES), re.IGNORECASE)


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
        month = int(named) if named.isdecimal() else LATIN_MONTHS[named]
        day = int(parts["day"])
        if 1 <= month <= 12 and 1 <= day <= 31:
            yield DayOfYear(found.start(), found.end(), month, day)
