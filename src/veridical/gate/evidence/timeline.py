"""The rows of a sheet in time: which column says when, and which rows a stretch of time holds."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from statistics import median
from typing import Any

from veridical.gate.evidence.measured import Measured, is_figure, measured_columns
from veridical.gate.evidence.sheet import Sheet
from veridical.ontology.terms import terms

_FEWEST_ROWS = 3
_SHARE_READ = 0.9
_PROSE = 12
_FIRST_YEAR, _LAST_YEAR = 1000, 2999
_UNEVEN, _SHARE_STEADY = 0.1, 0.6
_YEAR_WORDS = frozenset(terms("date year time period datum jahr zeit"))


class Grain(StrEnum):
    """How finely a timeline tells its moments."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"
    HOUR = "hour"


Cell = tuple[float, int, int]
"""A figure with its row and column."""


@dataclass(frozen=True)
class Timeline:
    """When each row of one sheet is; none for a row without a moment.

    What is worked out of it is kept, since a result is often asked about more than once.
    """

    sheet: int
    column: int
    source: Sheet
    moments: tuple[datetime | None, ...]
    grain: Grain

    @cached_property
    def first(self) -> datetime:
        """The earliest moment."""
        return min(moment for moment in self.moments if moment)

    @cached_property
    def last(self) -> datetime:
        """The latest moment."""
        return max(moment for moment in self.moments if moment)

    @cached_property
    def days(self) -> tuple[date, ...]:
        """The days that have a row, in order."""
        return tuple(sorted({moment.date() for moment in self.moments if moment}))

    @cached_property
    def measures(self) -> tuple[Measured, ...]:
        """The columns of figures."""
        return measured_columns(self.source, self.column)

    @cached_property
    def _in_order(self) -> tuple[list[int], list[int]]:
        """The days as numbers in ascending order, and their rows."""
        order = sorted(
            (moment.toordinal(), row) for row, moment in enumerate(self.moments) if moment
        )
        return [day for day, _ in order], [row for _, row in order]

    @cached_property
    def _tracks(self) -> dict[int, "Track"]:
        return {}

    @cached_property
    def is_series(self) -> bool:
        """True for measurements, not for documents that happen to have dates.

        Documents come at no steady pace, and a name or a number tells them apart.
        """
        return self._is_steady or not any(map(self._tells_apart, range(len(self.source.columns))))

    @property
    def _is_steady(self) -> bool:
        moments = sorted({moment for moment in self.moments if moment})
        gaps = [(later - before).total_seconds() for before, later in pairwise(moments)]
        usual = median(gaps)
        steady = sum(abs(gap - usual) <= _UNEVEN * usual for gap in gaps)
        return steady >= _SHARE_STEADY * len(gaps)

    def _tells_apart(self, column: int) -> bool:
        if column == self.column:
            return False
        names = {row[column] for row in self.source.rows if isinstance(row[column], str)}
        return 2 * len(names) >= len(self.source.rows)

    def rows_on(self, stretches: Iterable[tuple[date, date]]) -> list[int]:
        """The rows that lie within any of these stretches, first and last day included.

        A row of a whole month or year stands for each of its days.
        """
        days, rows = self._in_order
        found: set[int] = set()
        for begin, end in stretches:
            first = self._row_day(begin).toordinal()
            low, high = bisect_left(days, first), bisect_right(days, end.toordinal())
            found.update(rows[low:high])
        return sorted(found)

    def _row_day(self, day: date) -> date:
        if self.grain is Grain.MONTH:
            return day.replace(day=1)
        return day.replace(month=1, day=1) if self.grain is Grain.YEAR else day

    def track(self, column: int) -> "Track":
        """One column in time."""
        known = self._tracks.get(column)
        if known is None:
            known = self._tracks[column] = self.part(column, range(len(self.source.rows)))
        return known

    def part(self, column: int, rows: Iterable[int]) -> "Track":
        """One column in these rows."""
        cells = self.source.rows
        return Track(
            [(float(value), row, column) for row in rows if is_figure(value := cells[row][column])]
        )


@dataclass(frozen=True)
class Track:
    """The figures of one column, in the order of the rows."""

    cells: list[Cell]

    @cached_property
    def by_value(self) -> list[Cell]:
        """The figures in ascending order."""
        return sorted(self.cells)

    def around(self, value: float, reach: float) -> list[Cell]:
        """The figures that are no further away than this."""
        order = self.by_value
        low = bisect_left(order, (value - reach, -1, -1))
        high = bisect_right(order, (value + reach, len(order) + 1, 0))
        return order[low:high]

    def nearest(self, value: float) -> Cell:
        """The figure that comes closest."""
        order = self.by_value
        at = bisect_left(order, (value, -1, -1))
        return min(order[max(0, at - 1) : at + 1] or order[-1:], key=lambda it: abs(it[0] - value))


def timelines_of(sheets: Sequence[Sheet]) -> tuple[Timeline, ...]:
    """The timelines of all sheets that have one."""
    found = (timeline_of(index, sheet) for index, sheet in enumerate(sheets))
    return tuple(timeline for timeline in found if timeline is not None)


def timeline_of(index: int, sheet: Sheet) -> Timeline | None:
    """The timeline of a sheet: its first column in which nearly every cell is another moment."""
    some = sheet.rows[:_FEWEST_ROWS]
    if len(some) < _FEWEST_ROWS:
        return None
    for column, name in enumerate(sheet.columns):
        if not isinstance(some[0][column], str | int | date):
            continue
        by_year = not _YEAR_WORDS.isdisjoint(terms(name))
        if not any(_moment(row[column], by_year) for row in some):
            continue
        if any(map(_is_prose, some[0])):
            return None
        moments, grain = _moments([row[column] for row in sheet.rows], by_year)
        known = {moment for moment in moments if moment}
        if len(known) >= max(_FEWEST_ROWS, _SHARE_READ * len(sheet.rows)):
            return Timeline(index, column, sheet, moments, grain)
    return None


def _moments(cells: list[Any], by_year: bool) -> tuple[tuple[datetime | None, ...], Grain]:
    """When each cell is, and how finely the finest of them tells it."""
    lengths = {len(cell) if isinstance(cell, str) else 0 for cell in cells}
    if lengths in ({len("2025-01-31")}, {len("2025-01-31 06:00:00")}):
        try:
            grain = Grain.DAY if lengths == {len("2025-01-31")} else Grain.HOUR
            return tuple(map(datetime.fromisoformat, cells)), grain
        except ValueError:
            pass
    read = [_moment(cell, by_year) for cell in cells]
    grains = [found[1] for found in read if found] or [Grain.DAY]
    return tuple(found[0] if found else None for found in read), _finest(grains)


def _finest(grains: list[Grain]) -> Grain:
    return max(grains, key=tuple(Grain).index)


def _moment(cell: Any, by_year: bool) -> tuple[datetime, Grain] | None:
    if isinstance(cell, datetime):
        return cell.replace(tzinfo=None), Grain.HOUR
    if isinstance(cell, date):
        return datetime(cell.year, cell.month, cell.day), Grain.DAY
    if isinstance(cell, int) and not isinstance(cell, bool):
        return _year(cell) if by_year else None
    return _written(cell, by_year) if isinstance(cell, str) else None


def _year(number: int) -> tuple[datetime, Grain] | None:
    return (datetime(number, 1, 1), Grain.YEAR) if _FIRST_YEAR <= number <= _LAST_YEAR else None


def _written(cell: str, by_year: bool) -> tuple[datetime, Grain] | None:
    text = cell.strip()
    if not text[:4].isdigit():
        return None
    if by_year and text.isdigit() and len(text) == len("2025"):
        return _year(int(text))
    if len(text) == len("2025-01") and text[4] == "-":
        text, grain = f"{text}-01", Grain.MONTH
    else:
        grain = Grain.DAY if len(text) == len("2025-01-31") else Grain.HOUR
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None), grain
    except ValueError:
        return None


def days_of_month(year: int, month: int) -> tuple[date, date]:
    """The first and the last day of a month."""
    following = date(year + month // 12, month % 12 + 1, 1)
    return date(year, month, 1), following - timedelta(days=1)


def _is_prose(cell: Any) -> bool:
    """Reviews and remarks have dates, yet what they say is no series of measurements."""
    return isinstance(cell, str) and cell.count(" ") >= _PROSE
