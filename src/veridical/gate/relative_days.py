"""Days that a text names from today on: tomorrow, next Monday, in 3 days, last week, 明天."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from veridical.late_pattern import late_pattern
from veridical.reading.period_words import WEEK, WEEKDAYS
from veridical.word_file import word_file

_DAY = timedelta(days=1)
_WORDS = word_file("veridical.gate")["days"]
_SHIFTS: tuple[tuple[re.Pattern[str], int], ...] = tuple(
    (late_pattern(text, re.IGNORECASE), shift) for text, shift in _WORDS["shifts"]
)
_WEEKDAY = tuple(
    late_pattern(rf"\b(?:{names})s?\b|{WEEK}[{signs}]", re.IGNORECASE) for names, signs in WEEKDAYS
)
_AHEAD, _AGO, _SHIFTED = (
    late_pattern(_WORDS[name], re.IGNORECASE) for name in ("ahead", "ago", "shifted")
)
_SPANS: tuple[tuple[re.Pattern[str], int, int], ...] = tuple(
    (late_pattern(text, re.IGNORECASE), first, last) for text, first, last in _WORDS["spans"]
)
_WEEKS = frozenset(_WORDS["weeks"].split())


def relative_days(text: str, today: date) -> Iterator[tuple[date, date]]:
    """The first and the last day of each time that the text names from today on."""
    for pattern, shift in _SHIFTS:
        if pattern.search(text):
            yield _span(today, shift, shift)
    for number, pattern in enumerate(_WEEKDAY):
        if pattern.search(text):
            ahead = (number - today.weekday()) % 7
            for weeks in (-1, 0, 1):
                yield _span(today, ahead + 7 * weeks, ahead + 7 * weeks)
    for pattern, sign in ((_AHEAD, 1), (_AGO, -1)):
        for found in pattern.finditer(text):
            groups = {
                name.rstrip("23"): value for name, value in found.groupdict().items() if value
            }
            weeks = groups["u"].casefold().startswith("w") or groups["u"] in _WEEKS
            shift = sign * int(groups["n"]) * (7 if weeks else 1)
            yield _span(today, shift, shift)
    for pattern, first, last in _SPANS:
        if pattern.search(text):
            yield _span(today, first, last)


def day_shifts(text: str) -> Iterator[int]:
    """By how many days the text moves some other day: the day after, 2 days earlier, 次日."""
    for found in _SHIFTED.finditer(text):
        groups = {name.rstrip("234"): value for name, value in found.groupdict().items() if value}
        count = int(groups["n"]) if groups.get("n", "").isdecimal() else 1
        yield count if "later" in groups else -count


def _span(today: date, first: int, last: int) -> tuple[date, date]:
    return today + first * _DAY, today + last * _DAY
