"""Whether a cell has a value, however either is written: ``2025-12`` is December 2025.

Looked up before a finding states that no result has a value.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from veridical.contracts.input_budget import keep_time
from veridical.evidence.moment import find_moments
from veridical.gate.mention import Days, days_of, is_currency, mentions
from veridical.reading.figure import Reading
from veridical.reading.numbers import read_figure

_WHOLE_STEP = 0.5
"""Half a unit of a figure without decimals, which must match exactly."""
_PERCENT = "%"
_MOST_CELLS = 50_000
_CLOSE = 1e-9


Place = tuple[int, int, int]
"""Grid, row and column."""


class AnswerValue(NamedTuple):
    """A value as an answer writes it."""

    readings: tuple[Reading, ...] = ()
    days: Days | None = None

    @property
    def is_value(self) -> bool:
        """False for a word that is no figure and no time."""
        return bool(self.readings) or self.days is not None

    def fits(self, unit: str) -> bool:
        """False where it is in another currency than a cell in this unit."""
        units = {reading.unit for reading in self.readings}
        return not is_currency(unit) or unit in units or not all(map(is_currency, units))


def value_in(text: str, readings: tuple[Reading, ...] = ()) -> AnswerValue:
    """The value of a text that is one figure or one time; its readings where they are known."""
    if readings:
        return AnswerValue(readings)
    found = [each for each in mentions(text) if len(each.text) * 2 > len(text.strip())]
    return AnswerValue(found[0].readings, found[0].days) if found else AnswerValue()


class CellValues:
    """The values of all cells, read once for every claim that is looked up in them."""

    def __init__(self, grids: Iterable[Sequence[Sequence[Any]]]) -> None:
        self._cells = list(islice(_in_order(grids), _MOST_CELLS))

    def first_place(self, value: AnswerValue) -> Place | None:
        """Grid, row and column of the first cell that has the value."""
        in_time = () if value.days is None else self._days
        figures = self._numbers if value.readings else ()
        places = (
            *(place for place, days in in_time if _lie_in(days, value)),
            *(place for place, numbers in figures if _are_read(numbers, value)),
        )
        return min(places, default=None)

    @cached_property
    def _numbers(self) -> list[tuple[Place, list[float]]]:
        return [(place, found) for place, cell in self._cells if (found := _numbers(cell))]

    @cached_property
    def _days(self) -> list[tuple[Place, list[Days]]]:
        return [(place, found) for place, cell in self._cells if (found := _days(cell))]


def _in_order(grids: Iterable[Sequence[Sequence[Any]]]) -> Iterator[tuple[Place, Any]]:
    for grid, rows in enumerate(grids):
        for at, row in enumerate(rows):
            for column, cell in enumerate(row):
                yield (grid, at, column), cell


def has_value(cell: Any, value: AnswerValue) -> bool:
    """True where the cell is the figure as it is written, or lies in the time."""
    return _are_read(_numbers(cell), value) or _lie_in(_days(cell), value)


def _lie_in(found: Sequence[Days], value: AnswerValue) -> bool:
    days = value.days
    if days is None:
        return False
    return any(days.start <= span.start and span.end <= days.end for span in found)


def _are_read(numbers: Sequence[float], value: AnswerValue) -> bool:
    keep_time()
    return any(_is_read(number, each) for number in numbers for each in value.readings)


def _is_read(number: float, reading: Reading) -> bool:
    half_step = reading.half_step / reading.scale
    step = 0.0 if half_step >= _WHOLE_STEP else reading.half_step
    wanted = [reading.value, reading.value / reading.scale]
    if reading.unit == _PERCENT:
        wanted.append(reading.value / 100)
    return any(abs(number - each) <= step + _CLOSE * abs(each) for each in wanted)


def _numbers(cell: Any) -> list[float]:
    keep_time()
    if isinstance(cell, int | float | Decimal) and not isinstance(cell, bool):
        return [float(cell)]
    if isinstance(cell, str) and any(character.isdigit() for character in cell):
        return [reading.value for reading in read_figure(cell)]
    return []


def _days(cell: Any) -> list[Days]:
    keep_time()
    if isinstance(cell, datetime):
        cell = cell.date()
    if isinstance(cell, date):
        return [Days(cell, cell)]
    if isinstance(cell, str) and any(character.isdigit() for character in cell):
        found = (days_of(each.moment) for each in find_moments(cell))
        return [days for days in found if days is not None]
    return []
