"""A column as one value: sums, means, extremes, and whether a column may be summed at all."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import replace

from veridical.evidence.column import Additivity, Kind
from veridical.evidence.dimension import COUNT
from veridical.facts.kernel.frame import TIMES, Frame, order_of
from veridical.facts.kernel.value import FactError, Reason, Value, Vector


def reduced(function: str, vector: Vector, frame: Frame, rows: Sequence[int]) -> Value | None:
    """A column over these rows as one value; none where no row has one. Raises ``FactError``."""
    known = vector.known
    if function == "distinct":
        return Value(Kind.FIGURE, float(len(set(known))), COUNT, digits=0)
    if not known:
        return None
    if vector.kind is not Kind.FIGURE:
        if function in ("min", "max"):
            return _extreme(function, vector)
        raise FactError(Reason.NOT_A_FIGURE, vector.name)
    numbers = [each for each in known if isinstance(each, float)]
    found = Value(Kind.FIGURE, 0.0, vector.dimension, vector.scale, vector.digits,
                  decimals=vector.decimals)  # fmt: skip
    match function:
        case "sum":
            if not adds_up(vector, frame, rows):
                raise FactError(Reason.NOT_ADDITIVE, vector.name)
            return replace(found, value=math.fsum(numbers))
        case "avg":
            return replace(found, value=math.fsum(numbers) / len(numbers), digits=None)
        case "median":
            return replace(found, value=statistics.median(numbers), digits=None)
        case "min":
            return replace(found, value=min(numbers))
        case "max":
            return replace(found, value=max(numbers))
        case _:
            raise FactError(Reason.SYNTAX, function)


def _extreme(function: str, vector: Vector) -> Value | None:
    ordered = [(order, each) for each in vector.known if (order := order_of(each)) is not None]
    if len(ordered) < len(vector.known):
        raise FactError(Reason.NOT_A_FIGURE, vector.name)
    pick = min if function == "min" else max
    return Value(vector.kind, pick(ordered, key=lambda each: each[0])[1])


def weighted(vector: Vector, weight: Vector) -> Value | None:
    """A mean in which rows count by their weight; none without any. Raises ``FactError``."""
    if Kind.FIGURE not in (vector.kind, weight.kind) or vector.kind is not weight.kind:
        raise FactError(Reason.NOT_A_FIGURE, vector.name)
    pairs = [
        (one, other)
        for one, other in zip(vector.values, weight.values, strict=True)
        if isinstance(one, float) and isinstance(other, float)
    ]
    if any(other < 0 for _, other in pairs):
        raise FactError(Reason.ARGUMENT, weight.name)
    whole = math.fsum(other for _, other in pairs)
    if not whole:
        return None
    value = math.fsum(one * other for one, other in pairs) / whole
    return Value(Kind.FIGURE, value, vector.dimension, vector.scale)


def adds_up(vector: Vector, frame: Frame, rows: Sequence[int]) -> bool:
    """Whether a column may be summed over these rows: a balance not over time, a rate never."""
    if vector.additivity is not Additivity.NOT_OVER_TIME:
        return vector.additivity is Additivity.FULL
    columns, cells = frame.table.columns, frame.table.rows
    if any(each.is_key and each.kind is Kind.NAME for each in columns):
        return True  # each row is a thing of its own: its days are when it was opened or is due
    numbered = any(each.is_key and each.kind is Kind.CODE for each in columns)
    for at, column in enumerate(columns):
        if column.kind not in TIMES:
            continue
        seen = [cells[row][at] for row in rows]
        repeats = len(set(seen)) < len(seen)
        # numbers may count entries of the same thing, one for each period
        if len(set(seen)) > 1 and (not numbered or repeats or column.kind is Kind.PERIOD):
            return False
    return True
