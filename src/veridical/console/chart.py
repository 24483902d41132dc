"""Small charts: which results can be drawn, and how long each bar is."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from veridical.console.result_table import ShownCell

WIDTH = 320
"""Width of the longest bar, in units of the drawing."""
ROW = 22
"""Height of one bar with the space around it."""
_FEWEST, _MOST = 2, 24
_LONGEST_LABEL = 28


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar."""

    label: str
    shown: str
    start: float
    length: float
    is_negative: bool


@dataclass(frozen=True, slots=True)
class Bars:
    """A result as horizontal bars: one number for each row."""

    column: str
    bars: tuple[Bar, ...]
    zero: float
    """The place of zero, from which the bars start."""

    @property
    def height(self) -> int:
        """Height of the whole drawing."""
        return ROW * len(self.bars)


def bars_of(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], shown: Sequence[Sequence[ShownCell]]
) -> Bars | None:
    """The result drawn; none unless its last column is a number in every row.

    ``shown`` are its cells as they are written.
    """
    if not _FEWEST <= len(rows) <= _MOST or len(columns) < 2:
        return None
    values = [_number(row[-1]) for row in rows]
    numbers = [value for value in values if value is not None]
    if len(numbers) < len(values):
        return None
    lowest, highest = min(0.0, *numbers), max(0.0, *numbers)
    if highest == lowest:
        return None
    scale = WIDTH / (highest - lowest)
    drawn = (_bar(cells, value, lowest, scale) for cells, value in zip(shown, numbers, strict=True))
    return Bars(columns[-1], tuple(drawn), round(-lowest * scale, 1))


def _bar(cells: Sequence[ShownCell], value: float, lowest: float, scale: float) -> Bar:
    label = " ".join(cell.text for cell in cells[:-1] if cell.text)
    start = (min(value, 0.0) - lowest) * scale
    return Bar(
        label=label if len(label) <= _LONGEST_LABEL else f"{label[: _LONGEST_LABEL - 1]}…",
        shown=cells[-1].text,
        start=round(start, 1),
        length=round(max(abs(value) * scale, 1.0), 1),
        is_negative=value < 0,
    )


def _number(cell: Any) -> float | None:
    if isinstance(cell, bool) or cell is None:
        return None
    try:
        number = Decimal(str(cell))
    except InvalidOperation:
        return None
    return float(number) if number.is_finite() else None
