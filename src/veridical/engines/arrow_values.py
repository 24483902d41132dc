"""Values of Arrow as rows, types of Arrow as ours, and our values as literals of Spark SQL."""

from collections.abc import Generator, Iterable, Sequence
from decimal import Decimal
from typing import Any

import pyarrow as pa
from pyarrow import types

from veridical.contracts.schema import ValueType
from veridical.contracts.statement import Bound
from veridical.engines.limits import CHUNK

_KINDS = (
    (types.is_boolean, ValueType.BOOLEAN),
    (types.is_integer, ValueType.INTEGER),
    (types.is_decimal, ValueType.NUMBER),
    (types.is_floating, ValueType.NUMBER),
    (types.is_date, ValueType.DATE),
    (types.is_timestamp, ValueType.TIMESTAMP),
    (types.is_time, ValueType.TIME),
    (types.is_duration, ValueType.INTERVAL),
    (types.is_interval, ValueType.INTERVAL),
    (types.is_string, ValueType.TEXT),
    (types.is_large_string, ValueType.TEXT),
    (types.is_string_view, ValueType.TEXT),
)
_FINEST = "ns"
"""Finer than Python's own points in time."""
NUL = "\0"
"""The driver takes it for the end of the statement."""
_NUL_ESCAPED = "\\u0000"
_LARGEST = 2**63 - 1
_MOST_PLACES = 37


def arrow_type(found: Any) -> ValueType:
    """The family of a column's values."""
    inner = found.value_type if types.is_dictionary(found) else found
    return next((family for is_it, family in _KINDS if is_it(inner)), ValueType.OTHER)


def rows_of(batches: Iterable[Any]) -> Generator[Sequence[Sequence[Any]]]:
    """The rows of the batches, a few at a time: each batch is read when it is asked for."""
    for batch in batches:
        for start in range(0, batch.num_rows, CHUNK):
            part = batch.slice(start, CHUNK)
            columns = [_values(column) for column in part.columns]
            yield list(zip(*columns, strict=True)) if columns else [()] * part.num_rows


def _values(column: Any) -> list[Any]:
    if types.is_timestamp(column.type) and column.type.unit == _FINEST:
        column = column.cast(pa.string())
    return column.to_pylist()


def literal(value: Bound) -> str:
    """A value as Spark SQL writes it: never more than one value, whatever it holds."""
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case str():
            return _text(value)
        case float():
            return f"CAST({_text(repr(value))} AS DOUBLE)"
        case int() if abs(value) <= _LARGEST:
            return str(value) if value >= 0 else f"({value})"
        case int():
            return f"CAST('{value}' AS DECIMAL(38, 0))"
        case Decimal():
            places = max(0, -int(value.as_tuple().exponent)) if value.is_finite() else 0
            return f"CAST('{value}' AS DECIMAL(38, {min(places, _MOST_PLACES)}))"


def _text(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped.replace(NUL, _NUL_ESCAPED)}'"
