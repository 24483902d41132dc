"""A column as one value: sums, means, extremes, and whether a column may be summed at all."""

import math
import statistics
from collections.abc import Callable, Sequence
from typing import cast

from veridical.evidence.column import Additivity, CellKind
from veridical.evidence.dimension import COUNT
from veridical.facts.kernel.frame import Frame, order_of
from veridical.facts.kernel.value import FactError, Reason, Scalar, Value, Vector


def reduced(function: str, vector: Vector, frame: Frame, rows: Sequence[int]) -> Value | None:
    """A column over these rows as one value; none where no row has one. Raises ``FactError``."""
    return reduced_groups(function, vector, frame, rows, (range(len(rows)),))[0]


def reduced_groups(
    function: str, vector: Vector, frame: Frame, rows: Sequence[int],
    groups: Sequence[Sequence[int]],
) -> list[Value | None]:  # fmt: skip
    """The same for each group of places among these rows. Raises ``FactError``."""
    values = vector.values
    cells = [
        [cell for at in places if (cell := values[at]) is not None]
        if len(places) < len(values) else vector.known for places in groups
    ]  # fmt: skip
    if function == "distinct":
        return [Value(CellKind.FIGURE, float(len(set(known))), COUNT, digits=0) for known in cells]
    if vector.kind is not CellKind.FIGURE:
        return [_extreme(function, vector, known) for known in cells]
    work = FUNCTIONS.get(function)
    if work is None:
        raise FactError(Reason.SYNTAX, function)
    found: list[Value | None] = []
    for places, known in zip(groups, cast("list[list[float]]", cells), strict=True):
        if not known:
            found.append(None)
            continue
        if function == "sum" and vector.additivity is not Additivity.FULL:
            _refuse_rates(vector, frame, [rows[place] for place in places])
        digits = None if function in ("avg", "median") else vector.digits
        found.append(Value(CellKind.FIGURE, work(known), vector.ensure_one_unit(places),
                           vector.scale, digits, decimals=vector.decimals))  # fmt: skip
    return found


FUNCTIONS: dict[str, Callable[[list[float]], float]] = {
    "sum": math.fsum,
    "avg": lambda numbers: math.fsum(numbers) / len(numbers),
    "median": statistics.median,
    "min": min,
    "max": max,
}


def _extreme(function: str, vector: Vector, known: Sequence[Scalar]) -> Value | None:
    """The first or the last of some times."""
    if not known:
        return None
    ordered = [(order, each) for each in known if (order := order_of(each)) is not None]
    if function not in ("min", "max") or len(ordered) < len(known):
        raise FactError(Reason.NOT_A_FIGURE, vector.name)
    pick = min if function == "min" else max
    return Value(vector.kind, pick(ordered, key=lambda each: each[0])[1])


def weighted(vector: Vector, weight: Vector) -> Value | None:
    """A mean in which rows count by their weight; none without any. Raises ``FactError``."""
    if CellKind.FIGURE not in (vector.kind, weight.kind) or vector.kind is not weight.kind:
        raise FactError(Reason.NOT_A_FIGURE, vector.name)
    pairs = [
        (one, other)
        for one, other in zip(vector.values, weight.values, strict=True)
        if isinstance(one, float) and isinstance(other, float)
    ]
    dimension = vector.ensure_one_unit()
    weight.ensure_one_unit()
    if any(other < 0 for _, other in pairs):
        raise FactError(Reason.ARGUMENT, weight.name)
    whole = math.fsum(other for _, other in pairs)
    if not whole:
        return None
    value = math.fsum(one * other for one, other in pairs) / whole
    return Value(CellKind.FIGURE, value, dimension, vector.scale)


def _refuse_rates(vector: Vector, frame: Frame, rows: Sequence[int]) -> None:
    """Raises ``FactError`` for sums that mean nothing: a balance over time, a rate anywhere."""
    if vector.additivity is Additivity.NEVER or not frame.table.is_of_one_time(rows):
        raise FactError(Reason.NOT_ADDITIVE, vector.name)
