"""Times as texts and cells name them: years, quarters, months, weeks, days and clocks."""

import re
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache, lru_cache
from typing import Any

from veridical.contracts.input_budget import keep_time
from veridical.late_pattern import late_pattern
from veridical.reading.period_words import LATIN_MONTHS
from veridical.word_file import word_file


@dataclass(frozen=True, slots=True)
class Moment:
    """A time named in a text; its open parts are none."""

    year: int | None = None
    half: int | None = None
    quarter: int | None = None
    month: int | None = None
    week: int | None = None
    day: int | None = None
    clock: tuple[int, int] | None = None

    def covers(self, other: "Moment") -> bool:
        """True if the other lies within this one, by the parts that both have, at least one."""
        shared = False
        for mine, its in zip(_parts(self), _parts(other.filled), strict=True):
            if mine is None:
                continue
            if mine != its:
                return False
            shared = True
        return shared

    def meets(self, other: "Moment") -> bool:
        """True if both share a part, and no shared part differs."""
        pairs = list(zip(_parts(self.filled), _parts(other.filled), strict=True))
        both = [(mine, its) for mine, its in pairs if mine is not None and its is not None]
        return bool(both) and all(mine == its for mine, its in both)

    @property
    def filled(self) -> "Moment":
        """The moment with the quarter and the half of its month."""
        month, quarter = self.month, self.quarter
        if month is not None:
            quarter = (month + 2) // 3
        if quarter is None:
            return self
        half = 1 if quarter <= _HALF // 3 else 2
        return Moment(self.year, half, quarter, month, self.week, self.day, self.clock)

    @property
    def is_calendar(self) -> bool:
        """True if it is a year, a month of one or a day of one, and nothing else."""
        others = (self.half, self.quarter, self.week, self.clock)
        whole = self.year is not None and (self.month is not None or self.day is None)
        return whole and others == (None, None, None, None)

    @property
    def as_day(self) -> date | None:
        """The day, where it is one."""
        if self.year is None or self.month is None or self.day is None:
            return None
        try:
            return date(self.year, self.month, self.day)
        except ValueError:
            return None

    @property
    def order(self) -> tuple[int, ...]:
        """The sort key of times."""
        month = self.month or (self.quarter or 0) * 3 or (self.half or 0) * 6
        clock = self.clock or (0, 0)
        return (self.year or 0, month, self.week or 0, self.day or 0, *clock)


_HALF = 6
_PLAIN = late_pattern(r"((?:19|20)\d\d)-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?", re.ASCII)
"""The usual form of months and days, matched without a search."""
_MONTHS, _QUARTERS = 12, 4


def _parts(moment: Moment) -> tuple[Any, ...]:
    return (
        moment.year,
        moment.half,
        moment.quarter,
        moment.month,
        moment.week,
        moment.day,
        moment.clock,
    )


@dataclass(frozen=True, slots=True)
class FoundMoment:
    """A time and where the text names it."""

    start: int
    end: int
    moment: Moment


def of_date(value: date | datetime) -> Moment:
    """A cell's day or point in time."""
    clock = (value.hour, value.minute) if isinstance(value, datetime) else None
    return Moment(year=value.year, month=value.month, day=value.day, clock=clock)


def read_moment(text: str) -> Moment | None:
    """The time that a text is as a whole: a cell, a column's name."""
    keep_time()  # called for every cell of a column
    return _whole(text.strip())


@lru_cache(maxsize=4096)
def _whole(text: str) -> Moment | None:
    plain = _PLAIN.fullmatch(text)
    if plain:
        year, month, day = plain.groups()
        return Moment(year=int(year), month=int(month), day=int(day) if day else None)
    for found in find_moments(text):
        if found.start == 0 and found.end == len(text):
            return found.moment
    return None


def forget() -> None:
    """Clears the cache of texts that were read."""
    _whole.cache_clear()


def find_moments(text: str) -> list[FoundMoment]:
    """All times that a text names, in order; each takes its part of the text."""
    taken = bytearray(len(text))
    found: list[FoundMoment] = []
    lowered = text.lower()
    there: dict[tuple[str, ...], bool] = {}
    for pattern, needed in _patterns():
        if needed not in there:
            there[needed] = any(each in lowered for each in needed)
        if not there[needed]:
            continue
        for match in pattern.finditer(text):
            keep_time()
            start, end = match.span()
            if any(taken[start:end]):
                continue
            moment = _of_match(match.groupdict())
            if moment is not None:
                taken[start:end] = b"\1" * (end - start)
                found.append(FoundMoment(start, end, moment))
    return sorted(found, key=lambda each: each.start)


def week_text(number: int) -> str:
    """A week of no known year, as a cell keeps it and ``read_moment`` reads it."""
    text: str = _loaded()["week"]
    return text.format(number=number)


def month_text(number: int) -> str:
    """The same for a month."""
    text: str = _loaded()["month"]
    return text.format(number=number)


def month_names() -> frozenset[str]:
    """The names of months, in lower case."""
    return frozenset(_words()["months"])


def _of_match(parts: dict[str, str | None]) -> Moment | None:
    month = _month(parts.get("month") or parts.get("m"))
    quarter = _counted(parts.get("q"))
    half = _counted(parts.get("half"))
    day = int(parts["d"] or 0) or None if parts.get("d") else None
    hour = parts.get("hour")
    clock = (int(hour), int(parts.get("minute") or 0)) if hour else None
    if clock and (clock[0] > 24 or clock[1] > 59):
        return None
    if (day or 1) > 31 or (month or 1) > _MONTHS or (quarter or 1) > _QUARTERS:
        return None
    year = _year(parts.get("y"))
    week = int(parts["w"] or 0) if parts.get("w") else None
    found = Moment(year, half, quarter, month, week, day, clock)
    return found if any(part is not None for part in _parts(found)) else None


def _year(text: str | None) -> int | None:
    if not text:
        return None
    return int(text) if len(text) == 4 else 2000 + int(text)


def _month(text: str | None) -> int | None:
    if not text:
        return None
    return int(text) if text.isdecimal() else _words()["months"].get(text.casefold().rstrip("."))


def _counted(text: str | None) -> int | None:
    if not text:
        return None
    return int(text) if text.isdecimal() else _words()["counted"].get(text.casefold())


def _loaded() -> dict[str, Any]:
    return word_file("veridical.evidence", "moments.toml")


@cache
def _words() -> dict[str, dict[str, int]]:
    raw = _loaded()
    counted = {
        name: number
        for names in raw["counted"].values()
        for number, each in enumerate(names.split(), start=1)
        for name in each.split("|")
    }
    return {"months": LATIN_MONTHS, "counted": counted}


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    """Each with the signs and words of which a text must have one to be searched for it."""
    raw = _loaded()
    words = _words()
    latin = sorted((name for name in words["months"] if name.isalpha()), key=len, reverse=True)
    counted = sorted(words["counted"], key=len, reverse=True)
    fields = {
        "<MONTH>": rf"(?P<month>{'|'.join(map(re.escape, latin))})",
        "<COUNTED>": "|".join(map(re.escape, counted)),
        "<Y>": r"(?P<y>(?:19|20)\d\d)(?!\d|[.,'’]\d)",
        "<D>": r"(?<![\d.,'’])(?P<d>0?[1-9]|[12]\d|3[01])",
    }
    months = " ".join(latin)
    return tuple(
        (
            _compiled(each["form"], fields),
            tuple(each["needs"].replace("<MONTH>", months).split()),
        )
        for each in raw["patterns"]
    )


def _compiled(pattern: str, fields: dict[str, str]) -> re.Pattern[str]:
    for name, form in fields.items():
        pattern = pattern.replace(name, form)
    return late_pattern(pattern, re.IGNORECASE)
