"""Every cell by its number: the flat numbering that all indexes share, and the sorted figures.

A cell is one integer, counted through all sheets row by row, so that an index holds plain numbers
and makes no object for each cell.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from veridical.gate.evidence.sheet import Place, Sheet
from veridical.late_pattern import late_pattern

_PLAIN = late_pattern(r"[+-]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_LARGEST = 1e300
_NUMBERS, _TEXTS = {int, float}, {str}
_FIGURE_STARTS = frozenset("0123456789+-Q")


@dataclass(frozen=True, slots=True)
class Numbering:
    """Which integer each cell has."""

    starts: tuple[int, ...]
    widths: tuple[int, ...]

    def place(self, code: int) -> Place:
        """The cell that has this number."""
        if len(self.starts) == 1:
            return Place(0, *divmod(code, self.widths[0]))
        sheet = bisect_right(self.starts, code) - 1
        row, column = divmod(code - self.starts[sheet], self.widths[sheet])
        return Place(sheet, row, column)

    def code(self, place: Place) -> int:
        """The number of this cell."""
        return self.starts[place.sheet] + place.row * self.widths[place.sheet] + place.column


class Cells(NamedTuple):
    """The cells that say something, by what they hold."""

    figures: list[float]
    figure_codes: list[int]
    texts: list[str]
    text_codes: list[int]
    dated: list[int]
    """Which of the texts may be a date: they start with a digit, or with a quarter's letter."""
    days: list[date]
    day_codes: list[int]


def numbered(sheets: Sequence[Sheet]) -> Numbering:
    """The numbering of these sheets."""
    starts: list[int] = []
    next_code = 0
    for sheet in sheets:
        starts.append(next_code)
        next_code += len(sheet.rows) * len(sheet.columns)
    return Numbering(tuple(starts), tuple(len(sheet.columns) or 1 for sheet in sheets))


def sort_out(sheets: Iterable[Sheet]) -> Cells:
    """One pass over all columns. A text that is a plain figure counts as both."""
    cells = Cells([], [], [], [], [], [], [])
    start = 0
    for sheet in sheets:
        width, size = len(sheet.columns), len(sheet.rows) * len(sheet.columns)
        for at, column in enumerate(zip(*sheet.rows, strict=True)):
            codes = range(start + at, start + size, width)
            kinds = set(map(type, column))
            if kinds <= _NUMBERS:
                cells.figures.extend(column)
                cells.figure_codes.extend(codes)
            elif kinds == _TEXTS:
                _sort_out_texts(column, codes, cells)
            else:
                _sort_out_mixed(column, codes, cells)
        start += size
    return cells


def _sort_out_texts(column: Sequence[str], codes: Sequence[int], cells: Cells) -> None:
    first = len(cells.texts)
    cells.texts.extend(column)
    cells.text_codes.extend(codes)
    if _FIGURE_STARTS.isdisjoint([text[:1] for text in column]):
        return
    for at, text in enumerate(column):
        if text[:1] in _FIGURE_STARTS:
            if _PLAIN.fullmatch(text):
                cells.figures.append(float(text))
                cells.figure_codes.append(codes[at])
            else:
                cells.dated.append(first + at)


def _sort_out_mixed(column: Sequence[Any], codes: Sequence[int], cells: Cells) -> None:
    texts = [(cell, code) for cell, code in zip(column, codes, strict=True) if type(cell) is str]
    _sort_out_texts([text for text, _ in texts], [code for _, code in texts], cells)
    for cell, code in zip(column, codes, strict=True):
        kind = type(cell)
        if kind is not str and kind is not bool and cell is not None:
            _sort_out_rare(cell, code, cells)


def _sort_out_rare(cell: Any, code: int, cells: Cells) -> None:
    if isinstance(cell, date):
        cells.days.append(date(cell.year, cell.month, cell.day))
        cells.day_codes.append(code)
    elif isinstance(cell, int | float | Decimal):
        try:
            cells.figures.append(float(cell))
        except (OverflowError, ValueError):
            return
        cells.figure_codes.append(code)
    else:
        cells.texts.append(str(cell))
        cells.text_codes.append(code)


@dataclass(frozen=True, slots=True)
class Figures:
    """All figures in ascending order, each with its cell."""

    values: list[float]
    codes: list[int]

    def between(self, low: float, high: float) -> list[int]:
        """The cells with a figure from ``low`` to ``high``, both included."""
        values = self.values
        begin = bisect_left(values, low)
        if begin == len(values) or values[begin] > high:
            return []
        return self.codes[begin : bisect_right(values, high, begin)]

    def any_between(self, low: float, high: float) -> bool:
        """True where some figure lies from ``low`` to ``high``."""
        at = bisect_left(self.values, low)
        return at < len(self.values) and self.values[at] <= high

    def nearest(self, value: float) -> int | None:
        """The cell whose figure comes closest; none where there are no figures."""
        at = bisect_left(self.values, value)
        around = [near for near in (at - 1, at) if 0 <= near < len(self.values)]
        if not around:
            return None
        return self.codes[min(around, key=lambda near: abs(self.values[near] - value))]

    def distinct_steps(self, low: float, high: float, step: float) -> int:
        """How many multiples of ``step`` from ``low`` to ``high`` some figure rounds to."""
        begin, end = bisect_left(self.values, low), bisect_right(self.values, high)
        return len({round(value / step) for value in self.values[begin:end]})


def sorted_figures(values: Sequence[float], codes: Sequence[int]) -> Figures:
    """The index of these figures; what is no finite number is left out."""
    if not _all_fit(values):
        kept = [(value, code) for value, code in zip(values, codes, strict=True) if _fits(value)]
        values, codes = [value for value, _ in kept], [code for _, code in kept]
    order = sorted(range(len(values)), key=values.__getitem__)
    return Figures(list(map(values.__getitem__, order)), list(map(codes.__getitem__, order)))


def _all_fit(values: Sequence[float]) -> bool:
    """One sum tells it: nothing, infinity and what is too large all spoil it."""
    try:
        return _fits(float(sum(values)))
    except OverflowError:
        return False


def _fits(value: float) -> bool:
    return -_LARGEST < value < _LARGEST
