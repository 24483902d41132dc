"""Cells as the kinds that the gate computes with: figures of a size that arithmetic can bear.

A number that somebody wrote as text is the number. What is no number is empty, and a number beyond
all measure names something rather than counting it: it is kept as its text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from veridical.contracts.input_budget import keep_time
from veridical.gate.evidence.index_days import names_calendar
from veridical.gate.evidence.index_label import is_key, names_codes
from veridical.gate.evidence.sheet import Sheet
from veridical.late_pattern import late_pattern
from veridical.reading.figure import LARGEST

_NUMBER = late_pattern(r"[+-]?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,9})?")
_TEXTS = frozenset({str, type(None)})
_PLAIN = frozenset({str, bool, type(None)})
_NUMBERS = frozenset({int, float})


def typed(sheet: Sheet) -> Sheet:
    """The sheet itself, unless some cell of it is no figure that can be computed with."""
    columns = tuple(zip(*sheet.rows, strict=True))
    spelt = frozenset() if sheet.report else frozenset(_spelt(sheet, columns))
    odd = {at for at, column in enumerate(columns) if at not in spelt and not _is_plain(column)}
    if not spelt and not odd:
        return sheet
    rows = tuple(
        tuple(
            _number(cell) if at in spelt else _typed(cell) if at in odd else cell
            for at, cell in enumerate(row)
        )
        for row in sheet.rows
    )
    return replace(sheet, rows=rows)


def _spelt(sheet: Sheet, columns: Sequence[Sequence[Any]]) -> Iterator[int]:
    """The columns whose every cell is a number as text, and which count something."""
    for at, column in enumerate(columns):
        name = sheet.columns[at]
        if (
            set(map(type, column)) <= _TEXTS
            and any(column)
            and all(not cell or _NUMBER.fullmatch(cell) for cell in column)
            and not (names_codes(name) or names_calendar(name) or is_key(sheet, name))
        ):
            yield at


def _number(cell: str | None) -> Any:
    if not cell:
        return cell
    return float(cell) if "." in cell else int(cell)


def _is_plain(column: Sequence[Any]) -> bool:
    """One look at a whole column tells that nothing in it is odd."""
    keep_time()
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
