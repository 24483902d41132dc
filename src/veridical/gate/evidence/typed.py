"""Cells as the kinds that the gate computes with: figures of a size that arithmetic can bear.

What is no number is empty, and a number beyond all measure names something rather than counting it:
it is kept as its text.
"""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from veridical.gate.evidence.sheet import Sheet
from veridical.reading.figure import LARGEST

_PLAIN = frozenset({str, bool, type(None)})
_NUMBERS = frozenset({int, float})


def typed(sheet: Sheet) -> Sheet:
    """The sheet itself, unless some cell of it can't be computed with."""
    odd = {at for at, column in enumerate(zip(*sheet.rows, strict=True)) if not _is_plain(column)}
    if not odd:
        return sheet
    rows = tuple(
        tuple(_typed(cell) if at in odd else cell for at, cell in enumerate(row))
        for row in sheet.rows
    )
    return replace(sheet, rows=rows)


def _is_plain(column: Sequence[Any]) -> bool:
    """One look at a whole column tells that nothing in it is odd."""
    kinds = set(map(type, column))
    if kinds <= _PLAIN:
        return True
    if not kinds <= _NUMBERS:
        return False
    return min(column) > -LARGEST and max(column) < LARGEST and sum(column) == sum(column)


def _typed(cell: Any) -> Any:
    if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal):
        return cell
    if cell.is_nan() if isinstance(cell, Decimal) else cell != cell:
        return None
    if -LARGEST < cell < LARGEST:
        return cell
    try:
        return str(cell)
    except ValueError:  # more digits than Python writes out
        return None
