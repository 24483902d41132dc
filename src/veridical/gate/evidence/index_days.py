"""The days and periods that cells name: dates, months as ``2025-03``, years, years with months."""

from array import array
from bisect import bisect_left, bisect_right
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from veridical.gate.claim import Days
from veridical.gate.evidence.index import Cells, Numbering
from veridical.gate.evidence.sheet import Sheet
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import terms

_ISO = late_pattern(r"((?:1[89]|2[01])\d\d)-(0[1-9]|1[0-2])(?:-([0-2]\d|3[01])(?:[T ].*)?)?")
_QUARTER = late_pattern(r"(?:Q([1-4])[ /-]?((?:19|20)\d\d)|((?:19|20)\d\d)[ /-]?Q([1-4]))")
_YEAR_WORDS = frozenset({"year", "jahr", "geschaftsjahr", "fiscal", "年", "年度", "年份", "会计"})
_MONTH_WORDS = frozenset({"month", "monat", "月", "月份", "period", "periode"})
_QUARTER_WORDS = frozenset({"quarter", "quart", "quartal", "季", "季度"})
_LONGEST_MONTH = 31
_NO_YEAR = 1
"""Stands for the year of a month where nothing names it: no answer names that year either."""
_SECOND_YEAR = date(_NO_YEAR + 1, 1, 1).toordinal()
_FIRST_YEAR, _LAST_YEAR, _MONTHS, _QUARTERS = 1800, 2200, 12, 4


@dataclass(frozen=True, slots=True)
class Spans:
    """Every named day or period, ordered by its first day."""

    starts: "array[int]"
    ends: "array[int]"
    codes: "array[int]"
    months: dict[int, list[int]]

    def exactly(self, days: Days) -> list[int]:
        """The cells that name just these days."""
        return [code for end, code in self._starting(days) if end == days.end.toordinal()]

    def within(self, days: Days) -> list[int]:
        """The cells that name a day or a period inside these days."""
        begin = bisect_left(self.starts, days.start.toordinal())
        end = bisect_right(self.starts, days.end.toordinal())
        last = days.end.toordinal()
        return [self.codes[at] for at in range(begin, end) if self.ends[at] <= last]

    def ending(self, day: date) -> list[int]:
        """The cells that name a period of which this is the last day."""
        last = day.toordinal()
        end = bisect_right(self.starts, last)
        begin = bisect_left(self.starts, last - 366)
        return [self.codes[at] for at in range(begin, end) if self.ends[at] == last]

    def touch(self, days: Days) -> bool:
        """True where a cell names a day of these, or a month of no year, which may be any."""
        first, last = days.start.toordinal(), days.end.toordinal()
        return any(
            start <= last and (end >= first or end < _SECOND_YEAR)
            for start, end in zip(self.starts, self.ends, strict=True)
        )

    def in_month(self, month: int) -> list[int]:
        """The cells that name this month, or a day of it, in whatever year."""
        return self.months.get(month, [])

    def _starting(self, days: Days) -> Iterator[tuple[int, int]]:
        start = days.start.toordinal()
        for at in range(bisect_left(self.starts, start), bisect_right(self.starts, start)):
            yield self.ends[at], self.codes[at]


_NO_SPANS = Spans(array("q"), array("q"), array("q"), {})


def index_days(sheets: Sequence[Sheet], numbering: Numbering, cells: Cells) -> Spans:
    """The index of all days and periods."""
    calendar = any(names_calendar(name) for sheet in sheets for name in sheet.columns)
    if not calendar and not cells.days and not cells.dated:
        return _NO_SPANS
    found: list[tuple[int, int, int]] = [
        (day.toordinal(), day.toordinal(), code)
        for day, code in zip(cells.days, cells.day_codes, strict=True)
    ]
    for at in cells.dated:
        days = days_in_text(cells.texts[at])
        if days is not None:
            found.append((days.start.toordinal(), days.end.toordinal(), cells.text_codes[at]))
    for sheet, start in zip(sheets, numbering.starts, strict=True):
        for row, column, days in _period_cells(sheet):
            code = start + row * len(sheet.columns) + column
            found.append((days.start.toordinal(), days.end.toordinal(), code))
    found.sort()
    months: dict[int, list[int]] = {}
    for start, end, code in found:
        if end - start < _LONGEST_MONTH:
            months.setdefault(date.fromordinal(start).month, []).append(code)
    return Spans(
        array("q", [start for start, _, _ in found]),
        array("q", [end for _, end, _ in found]),
        array("q", [code for _, _, code in found]),
        months,
    )


def cell_days(sheet: Sheet, row: int, column: int) -> Days | None:
    """The day or period that one cell names."""
    cell = sheet.rows[row][column]
    if isinstance(cell, date):
        day = date(cell.year, cell.month, cell.day)
        return Days(day, day)
    if isinstance(cell, str):
        days = days_in_text(cell)
        if days is not None:
            return days
    if not _calendar(sheet.columns[column]):
        return None
    calendar = _calendar_of(sheet)
    return next(
        (days for at, days in _row_periods(sheet.rows[row], calendar) if at == column), None
    )


def days_in_text(text: str) -> Days | None:
    """The day, month or quarter that a cell is, as machines write them; none for other texts."""
    if text[4:5] == "-" or text[:1] == "Q" or text[4:5] in " /Q":
        iso = _ISO.fullmatch(text)
        if iso is not None:
            return _days(int(iso[1]), int(iso[2]), int(iso[3] or 0))
        quarter = _QUARTER.fullmatch(text)
        if quarter is not None:
            return quarter_days(int(quarter[2] or quarter[3]), int(quarter[1] or quarter[4]))
    return None


def _days(year: int, month: int, day: int) -> Days | None:
    if not day:
        return month_days(year, month)
    if day > monthrange(year, month)[1]:
        return None
    return Days(date(year, month, day), date(year, month, day))


def month_days(year: int, month: int) -> Days:
    """The first and last day of a month."""
    return Days(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def quarter_days(year: int, quarter: int) -> Days:
    """The first and last day of a quarter."""
    return Days(date(year, quarter * 3 - 2, 1), month_days(year, quarter * 3).end)


def year_days(year: int) -> Days:
    """The first and last day of a year."""
    return Days(date(year, 1, 1), date(year, 12, 31))


def _period_cells(sheet: Sheet) -> Iterator[tuple[int, int, Days]]:
    """Years, and months or quarters of the year that stands beside them or holds for all rows."""
    calendar = _calendar_of(sheet)
    if calendar == _NO_CALENDAR:
        return
    for row, cells in enumerate(sheet.rows):
        for column, days in _row_periods(cells, calendar):
            yield row, column, days


@dataclass(frozen=True, slots=True)
class _Calendar:
    """The columns of a sheet that hold years, months and quarters as plain numbers."""

    year: int | None
    month: int | None
    quarter: int | None
    held: Any


_NO_CALENDAR = _Calendar(None, None, None, None)


def _calendar_of(sheet: Sheet) -> _Calendar:
    named = {_calendar(name): at for at, name in reversed(list(enumerate(sheet.columns)))}
    held = next((v for k, v in sheet.source.held.items() if _calendar(str(k)) == "year"), None)
    return _Calendar(named.get("year"), named.get("month"), named.get("quarter"), held)


def _row_periods(cells: Sequence[Any], calendar: _Calendar) -> Iterator[tuple[int, Days]]:
    said = calendar.held if calendar.year is None else cells[calendar.year]
    year = _in_range(said, _FIRST_YEAR, _LAST_YEAR)
    if year and calendar.year is not None:
        yield calendar.year, year_days(year)
    year = year or _NO_YEAR
    if calendar.month is not None and (month := _in_range(cells[calendar.month], 1, _MONTHS)):
        yield calendar.month, month_days(year, month)
    if calendar.quarter is not None and (
        quarter := _in_range(cells[calendar.quarter], 1, _QUARTERS)
    ):
        yield calendar.quarter, quarter_days(year, quarter)


def names_calendar(name: str) -> bool:
    """True for the name of a column of years, months or quarters."""
    return bool(_calendar(name))


@lru_cache(maxsize=10_000)
def _calendar(name: str) -> str:
    words = set(terms(name))
    if words & _YEAR_WORDS:
        return "year"
    if words & _MONTH_WORDS:
        return "month"
    return "quarter" if words & _QUARTER_WORDS else ""


def _in_range(cell: object, low: int, high: int) -> int:
    """The whole number in this range that the cell is, else 0."""
    if isinstance(cell, str):
        cell = cell.strip("Qq ")
        cell = int(cell) if cell.isdecimal() else None
    if isinstance(cell, bool) or not isinstance(cell, int | float) or cell != cell // 1:
        return 0
    return int(cell) if low <= cell <= high else 0
