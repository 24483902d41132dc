"""Values of a database as values of JSON, a column at a time: a result has many cells."""

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from math import isfinite
from typing import Any

Cell = Any
"""A JSON value: text, number, truth value, null, or a list or object of these."""
Row = tuple[Cell, ...]

_WORD = 8
_SHORT = 16
"""Characters within which a decimal has at most 15 digits, and a float keeps them all."""
_KEPT_DIGITS = 15
_CENTS = 4
_NOTHING = type(None)
_WORDS = {int, bool, _NOTHING}
_TEXT = {str}
_TEXTS = {str, _NOTHING}
_DECIMALS = {Decimal, _NOTHING}
_FLOATS = {float, _NOTHING}
_DIGITS = set("0123456789.-")


def plain(rows: Sequence[Sequence[Any]]) -> list[Row]:
    """The rows with JSON values only."""
    return plain_weighed(rows)[0]


def plain_weighed(rows: Sequence[Sequence[Any]]) -> tuple[list[Row], int]:
    """The rows with JSON values only, and their weight."""
    columns: list[Sequence[Cell]] = []
    taken = 0
    for column in zip(*rows, strict=True):
        cells, size = _plain_column(column)
        columns.append(cells)
        taken += size
    return (list(zip(*columns, strict=True)) if columns else [()] * len(rows)), taken


def _plain_column(column: Sequence[Any]) -> tuple[Sequence[Cell], int]:
    """A column's values and their weight, by the quickest way for its types."""
    kinds = set(map(type, column))
    if kinds <= _WORDS:
        return column, _WORD * len(column)
    if kinds <= _TEXTS:
        return column, _column_weight(column)
    if kinds <= _FLOATS and all(map(isfinite, _present(column, kinds))):
        return tuple(map(_without_noise, column)), _WORD * len(column)
    if Decimal in kinds and kinds <= _DECIMALS:
        texts = [str(value) for value in column if value is not None]
        signs = set("".join(texts))
        if signs <= _DIGITS and max(map(len, texts)) <= _SHORT:
            number = float if "." in signs else int  # pieces are whole, cents are not
            if _NOTHING not in kinds:
                return tuple(map(number, column)), _WORD * len(column)
            numbers = [None if value is None else number(value) for value in column]
            return numbers, _WORD * len(column)
    cells = tuple(map(json_value, column))
    return cells, _column_weight(cells)


def _present(column: Sequence[Any], kinds: set[type]) -> Sequence[Any]:
    if _NOTHING not in kinds:
        return column
    return [value for value in column if value is not None]


def weight(rows: Sequence[Row]) -> int:
    """The approximate number of bytes of the rows."""
    return sum(map(_column_weight, zip(*rows, strict=True)))


def _column_weight(column: Sequence[Cell]) -> int:
    kinds = set(map(type, column))
    if kinds == _TEXT:
        return sum(map(len, column))
    if kinds.isdisjoint((str, list, dict)):
        return _WORD * len(column)
    return sum(map(_cell_weight, column))


def json_value(value: Any) -> Cell:
    """The value in JSON's terms. Numbers stay numbers if no digit is lost."""
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Decimal):
        return _number(value)
    if isinstance(value, float):
        return _without_noise(value) if isfinite(value) else str(value)
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    if isinstance(value, dict):
        return {str(key): json_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set):
        return [json_value(item) for item in value]
    return str(value)


def _without_noise(value: float | None) -> float | None:
    """The float with the digits that a float keeps of a decimal; 0.1 + 0.2 is 0.3.

    Further digits come from adding up in binary, never from the data.
    """
    if value is None or value == round(value, _CENTS):
        return value
    return float(f"{value:.{_KEPT_DIGITS}g}")


def _number(value: Decimal) -> float | str:
    if not value.is_finite():
        return str(value)
    nearest = float(value)
    exact = isfinite(nearest) and Decimal(repr(nearest)) == value
    return nearest if exact else str(value)


def _cell_weight(value: Cell) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list):
        return _WORD + sum(map(_cell_weight, value))
    if isinstance(value, dict):
        return _WORD + sum(len(key) + _cell_weight(item) for key, item in value.items())
    return _WORD
