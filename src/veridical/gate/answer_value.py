"""Whether a cell has a value, however either is written: ``2025-12`` is December 2025.

Looked up before a finding states that no result has a value.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from veridical.evidence.moment import find_moments
from veridical.gate.mention import Days, days_of, is_currency, mentions
from veridical.reading.figure import Reading
from veridical.reading.numbers import read_figure

_WHOLE_STEP = 0.5
"""Half a unit of a figure without decimals, which must match exactly."""
_PERCENT = "%"
_MOST_CELLS = 50_000
_CLOSE = 1e-9


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


def first_place(
    value: AnswerValue, grids: Iterable[Sequence[Sequence[Any]]]
) -> tuple[int, int, int] | None:
    """Grid, row and column of the first cell that has the value."""
    if not value.is_value:
        return None
    looked_at = 0
    for grid, rows in enumerate(grids):
        for at, row in enumerate(rows):
            looked_at += len(row)
            if looked_at > _MOST_CELLS:
                return None
            for column, cell in enumerate(row):
                if has_value(cell, value):
                    return grid, at, column
    return None


def has_value(cell: Any, value: AnswerValue) -> bool:
    """True where the cell is the figure as it is written, or lies in the time."""
    if cell is None or isinstance(cell, bool):
        return False
    days = value.days
    if days is not None and any(
        days.start <= span.start and span.end <= days.end for span in _days(cell)
    ):
        return True
    numbers = list(_numbers(cell)) if value.readings else []
    return any(_is_read(number, reading) for number in numbers for reading in value.readings)


def _is_read(number: float, reading: Reading) -> bool:
    half_step = reading.half_step / reading.scale
    step = 0.0 if half_step >= _WHOLE_STEP else reading.half_step
    wanted = [reading.value, reading.value / reading.scale]
    if reading.unit == _PERCENT:
        wanted.append(reading.value / 100)
    return any(abs(number - each) <= step + _CLOSE * abs(each) for each in wanted)


def _numbers(cell: Any) -> Iterator[float]:
    if isinstance(cell, int | float | Decimal):
        yield float(cell)
    elif isinstance(cell, str) and any(character.isdigit() for character in cell):
        yield from (reading.value for reading in read_figure(cell))


def _days(cell: Any) -> Iterator[Days]:
    if isinstance(cell, datetime):
        cell = cell.date()
    if isinstance(cell, date):
        yield Days(cell, cell)
    elif isinstance(cell, str) and any(character.isdigit() for character in cell):
        found = (days_of(each.moment) for each in find_moments(cell))
        yield from (days for days in found if days is not None)
