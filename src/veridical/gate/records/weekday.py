"""Days of the week as people write them: alone, in ranges, as weekdays, weekends, every day."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from veridical.gate.records.word_lists import alternatives
from veridical.late_pattern import late_pattern
from veridical.reading.weekday_words import WEEK, WEEKDAYS

ALL_DAYS = frozenset(range(7))
WORKING_DAYS = frozenset(range(5))
WEEKEND = frozenset({5, 6})

_NAMES = tuple(
    (*(f"{name}s?" for name in day.names), *day.short, day.two_letters, f"{WEEK}[{day.signs}]")
    for day in WEEKDAYS
)
_SETS = (
    (ALL_DAYS, alternatives("every_day")),
    (WORKING_DAYS, alternatives("working_days")),
    (WEEKEND, alternatives("weekend")),
)
_SHORT = 3
_DAY = "|".join(f"(?P<{{0}}{number}>{'|'.join(names)})" for number, names in enumerate(_NAMES))
_TO = rf"\s*(?:{alternatives('day_to_day')})\s*"
_HAN = r"[㐀-鿿]"
_ONE = rf"(?:(?<!\w)|(?={_HAN}))(?:{{}})(?:(?!\w)|(?<={_HAN})|(?={_HAN}))\.?"


def _day(prefix: str) -> str:
    return _ONE.format(_DAY.replace("{0}", prefix))


_FOUND = late_pattern(
    "|".join(
        (
            rf"(?P<range>{_day('a')}{_TO}{_day('b')})",
            *(
                rf"(?P<set{number}>\b(?:{form})|(?:{form})\b)"
                for number, (_, form) in enumerate(_SETS)
            ),
            rf"(?P<single>{_day('c')})",
        )
    ),
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class DaySet:
    """Some days of the week, 0 for Monday, at a place in the text."""

    days: frozenset[int]
    start: int
    end: int
    loose: bool = False
    """``weekdays`` and ``weekends``: people differ on where Friday and Sunday belong."""


def find_days(text: str) -> Iterator[DaySet]:
    """Every mention of days, in order."""
    for match in _FOUND.finditer(text):
        days = _days_of(match)
        if days:
            loose = not match["single"] and not match["range"] and days != ALL_DAYS
            yield DaySet(days, match.start(), match.end(), loose)


def read_day(name: str) -> int | None:
    """The day that a key names."""
    found = list(find_days(name))
    whole = len(found) == 1 and len(found[0].days) == 1
    return min(found[0].days) if whole and found[0].end - found[0].start == len(name) else None


def _days_of(match: re.Match[str]) -> frozenset[int]:
    if match["range"]:
        return _span(_number(match, "a"), _number(match, "b"))
    if match["single"]:
        said = match["single"]
        capital = said[0].isupper() or not said.isascii()
        return frozenset({_number(match, "c")}) if capital or len(said) > _SHORT else frozenset()
    return next(days for number, (days, _) in enumerate(_SETS) if match[f"set{number}"])


def _number(match: re.Match[str], prefix: str) -> int:
    return next(number for number in range(7) if match[f"{prefix}{number}"])


def _span(first: int, last: int) -> frozenset[int]:
    """From one day to another, over the end of the week where need be."""
    return frozenset((first + step) % 7 for step in range((last - first) % 7 + 1))
