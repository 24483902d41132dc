"""A result as a table that people read: figures under each other, their thousands set off."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from veridical.contracts.language import Language
from veridical.gate.proving import shown_figure
from veridical.reading.shown import plain

_MOST_DECIMALS = 6
"""The most decimals; figures with more are shown as they were read."""


@dataclass(frozen=True, slots=True)
class ShownCell:
    """One cell as it is written."""

    text: str
    is_figure: bool = False


@dataclass(frozen=True, slots=True)
class _Column:
    is_figures: bool
    decimals: int | None
    """Of all figures alike; none where each stays as it was read."""


def shown_rows(
    rows: Sequence[Sequence[Any]], language: Language
) -> tuple[tuple[ShownCell, ...], ...]:
    """Each row with its cells as text."""
    columns = [_column(values) for values in zip(*rows, strict=True)]
    return tuple(
        tuple(_shown(value, column, language) for value, column in zip(row, columns, strict=True))
        for row in rows
    )


def decimals_of(values: Sequence[Any]) -> int | None:
    """The decimals of a column of figures; none for texts, and where each figure stays as it was
    read."""
    return _column(values).decimals


def _column(values: Sequence[Any]) -> _Column:
    """Whole numbers are left alone: a year and an account's number have no thousands."""
    figures = [value for value in values if value is not None]
    if not figures or not all(map(_is_figure, figures)):
        return _Column(is_figures=False, decimals=None)
    decimals = max(map(_decimals, figures))
    return _Column(is_figures=True, decimals=decimals if 0 < decimals <= _MOST_DECIMALS else None)


def _is_figure(value: Any) -> bool:
    is_number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    return is_number and Decimal(value).is_finite()


def _decimals(value: float | Decimal) -> int:
    """A database writes as many as its column has, a floating number at least one."""
    number = value if isinstance(value, Decimal) else Decimal(plain(value)).normalize()
    exponent = number.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _shown(value: Any, column: _Column, language: Language) -> ShownCell:
    if value is None:
        return ShownCell("", column.is_figures)
    if column.decimals is None:
        return ShownCell(plain(value), column.is_figures)
    return ShownCell(shown_figure(value, column.decimals, language), is_figure=True)
