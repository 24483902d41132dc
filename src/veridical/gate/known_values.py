"""The values known to a run: from the user, the ontology and results. Grows with each message, in
time proportional to the message's length."""

import re
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import lru_cache
from math import isclose, isfinite
from typing import Any

from veridical.gate.mention import mentions
from veridical.gate.relative_days import day_shifts, relative_days
from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import CORNERS, LIST_MARKS, marks, wide_marks
from veridical.reading.yearless import DayOfYear, find_days_of_year
from veridical.word_file import word_file

_TOKEN = late_pattern(
    rf"[^\s|\[\]{{}}<>\"'“”„«»‘’{CORNERS}{marks(',;:()')}{wide_marks('.')}{LIST_MARKS}]+"
)
_APART = late_pattern(r"[\s_\-–./+]+")
_RUN = late_pattern(r"[A-Za-z0-9][\w@.+/\-]*[A-Za-z0-9]|[A-Za-z0-9]", re.ASCII)
_PART_ENDS = late_pattern(r"[@/.=#&?_\-]")
_ISO = late_pattern(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)")
_THROUGH = late_pattern(word_file("veridical.gate")["through"]["form"], re.IGNORECASE)
_WIDEST_GAP = 24
_DEEPEST = 40
_SMALL_FACTORS = tuple(range(2, 10))
_SMALL = 100
_MOST_NUMBERS = 40
"""Beyond it, sums and differences are no longer tried: by then nearly everything is one."""
_REMEMBERED_LINES = 2048

Json = Any


@dataclass(slots=True)
class KnownValues:
    """Identifiers, numbers and days with a known source."""

    today: date | None = None
    words: set[str] = field(default_factory=set[str])
    """Identifiers, addresses and words, without case and separators."""
    numbers: list[float] = field(default_factory=list[float])
    """In order, each once."""
    days: set[date] = field(default_factory=set[date])
    days_of_year: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    """Month and day of dates without a year."""
    shifts: set[int] = field(default_factory=set[int])
    """The number of days by which a text moves a day: the day after."""
    periods: list[tuple[date, date]] = field(default_factory=list[tuple[date, date]])

    def __post_init__(self) -> None:
        if self.today is not None:
            self.days.add(self.today)

    def add_text(self, text: str) -> None:
        """Adds a message of the user, or the run's instructions."""
        self._add_words(text)
        for named in mentions(text):
            for reading in named.readings:
                self._add_number(reading.value)
            if named.days is not None:
                self._add_period(*named.days)
        self._add_days(text)

    def add_words(self, words: Iterable[str]) -> None:
        """Adds names and values of the ontology: much the same in every run, so each line is read
        once and cached."""
        for word in words:
            self.words.update(*map(_remembered_words, word.splitlines()))

    def add_result(
        self, result: Json, arguments: Mapping[str, Json] | None = None, *, success: bool = True
    ) -> None:
        """Adds the result of a call.

        A failed call adds nothing that it merely repeats from its arguments; a calculation counts
        only if it used known numbers.
        """
        given = arguments or {}
        expression = given.get("expression")
        if isinstance(expression, str) and not self._is_known_sum(expression):
            return
        if success:
            self._add_record(result)
            return
        echoed = KnownValues()
        echoed._add_record(given)
        returned = KnownValues()
        returned._add_record(result)
        self.words |= returned.words - echoed.words
        self.days |= returned.days - echoed.days
        for number in returned.numbers:
            if number not in echoed.numbers:
                self._add_number(number)

    def has_word(self, word: str) -> bool:
        """True for a known identifier, whatever its case and separators."""
        return plain(word) in self.words

    def has_number(self, value: float, *, derived: bool = True) -> bool:
        """True for a known number, or for simple arithmetic on such numbers."""
        numbers = self.numbers
        if self._holds(value):
            return True
        if not derived:
            return False
        if any(self._holds(value / factor) for factor in _SMALL_FACTORS):
            return True
        if len(numbers) > _MOST_NUMBERS:
            return False
        return any(self._holds(value - one) or self._holds(value + one) for one in numbers if one)

    def has_day(self, day: date) -> bool:
        """True for a known day in any spelling, or a day within a known period."""
        if day in self.days or (day.month, day.day) in self.days_of_year:
            return True
        if any(start <= day <= end for start, end in self.periods):
            return True
        moved = (day - timedelta(days=shift) for shift in self.shifts)
        return any(
            each in self.days or (each.month, each.day) in self.days_of_year for each in moved
        )

    def has_year(self, year: int) -> bool:
        """True for a year in which a known day or period lies."""
        if self.today is not None and abs(year - self.today.year) <= 1:
            return True
        return self._holds(float(year)) or any(day.year == year for day in self.days)

    def _holds(self, value: float) -> bool:
        at = bisect_left(self.numbers, value)
        return any(
            isclose(self.numbers[near], value, rel_tol=1e-9, abs_tol=0.005)
            for near in (at - 1, at)
            if 0 <= near < len(self.numbers)
        )

    def _is_known_sum(self, expression: str) -> bool:
        """True when every number in it is small or known."""
        return all(
            value <= _SMALL or self.has_number(value)
            for value in map(float, re.findall(r"\d+(?:\.\d+)?", expression))
        )

    def _add_record(self, record: Json, depth: int = 0) -> None:
        if isinstance(record, str):
            self._add_string(record)
        elif isinstance(record, bool) or record is None or depth > _DEEPEST:
            return
        elif isinstance(record, int | float):
            self._add_number(float(record))
            self.words.add(plain(str(record)))
        elif isinstance(record, Mapping):
            for key, value in record.items():
                self._add_words(str(key))
                self._add_record(value, depth + 1)
        elif isinstance(record, list | tuple):
            for value in record:
                self._add_record(value, depth + 1)
        elif isinstance(record, date):
            self.days.add(date(record.year, record.month, record.day))

    def _add_string(self, text: str) -> None:
        self._add_words(text)
        if any(map(str.isdigit, text)):
            for year, month, day in _ISO.findall(text):
                self.days.update(_day(int(year), int(month), int(day)))
            for figure in re.findall(r"(?<![\w.])\d[\d,']*(?:\.\d+)?(?!\w)", text):
                self._add_number(float(figure.replace(",", "").replace("'", "")))

    def _add_words(self, text: str) -> None:
        self.words.update(_words(text))

    def _add_number(self, value: float) -> None:
        value = abs(value)
        if not isfinite(value):
            return
        at = bisect_left(self.numbers, value)
        if at == len(self.numbers) or self.numbers[at] != value:
            insort(self.numbers, value)

    def _add_period(self, start: date, end: date) -> None:
        if start == end:
            self.days.add(start)
        else:
            self.periods.append((start, end))

    def _add_days(self, text: str) -> None:
        last: DayOfYear | None = None
        for found in find_days_of_year(text):
            self.days_of_year.add((found.month, found.day))
            gap = text[last.end : found.start] if last else ""
            if last and len(gap) <= _WIDEST_GAP and _THROUGH.search(gap) and self.today:
                year = self.today.year
                first, final = (_day(year, each.month, each.day) for each in (last, found))
                self.periods += [(one, other) for one in first for other in final if one < other]
            last = found
        self.shifts.update(day_shifts(text))
        if self.today is not None:
            for start, end in relative_days(text, self.today):
                self._add_period(start, end)


def _words(text: str) -> Iterator[str]:
    for token in _TOKEN.findall(text):
        yield plain(token)
        if not token.isalnum() or not token.isascii():
            yield from map(plain, _RUN.findall(token))
            yield from (plain(part) for part in _PART_ENDS.split(token) if part)


@lru_cache(_REMEMBERED_LINES)
def _remembered_words(line: str) -> frozenset[str]:
    return frozenset(_words(line))


def plain(word: str) -> str:
    """A word without case and separators: ``credit_card_42`` is ``CreditCard42``."""
    return _APART.sub("", word.casefold()) or word


def _day(year: int, month: int, day: int) -> tuple[date, ...]:
    try:
        return (date(year, month, day),)
    except ValueError:
        return ()
