"""Values of a database as values of JSON, with their size, a column at a time."""

import datetime as dt
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import repeat
from math import isfinite
from typing import Any

Cell = Any
"""A JSON value: text, number, truth value, null, or a list or object of these."""
Row = tuple[Cell, ...]

_WORD = 8
_AS_THEY_ARE = {int, bool, type(None)}


def plain(rows: Sequence[Sequence[Any]]) -> tuple[list[Row], list[int]]:
    """The rows with JSON values only, and about how many bytes each takes."""
    columns: list[Iterable[Cell]] = []
    sizes: list[Iterable[int]] = []
    for column in zip(*rows, strict=True):
        kinds = set(map(type, column))
        if kinds <= _AS_THEY_ARE:
            columns.append(column)
            sizes.append(repeat(_WORD, len(column)))
        elif kinds == {str}:
            columns.append(column)
            sizes.append(map(len, column))
        else:
            safe = list(map(json_value, column))
            columns.append(safe)
            sizes.append(map(_weight, safe))
    if not columns:
        return [() for _ in rows], [0 for _ in rows]
    return list(zip(*columns, strict=True)), list(map(sum, zip(*sizes, strict=True)))


def json_value(value: Any) -> Cell:
    """The value in JSON's terms. Numbers stay numbers where no digit is lost."""
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Decimal):
        return _number(value)
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    if isinstance(value, dict):
        return {str(key): json_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set):
        return [json_value(item) for item in value]
    return str(value)


def _number(value: Decimal) -> float | str:
    nearest = float(value)
    exact = isfinite(nearest) and Decimal(repr(nearest)) == value
    return nearest if exact else str(value)


def _weight(value: Cell) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list):
        return _WORD + sum(map(_weight, value))
    if isinstance(value, dict):
        return _WORD + sum(len(key) + _weight(item) for key, item in value.items())
    return _WORD
