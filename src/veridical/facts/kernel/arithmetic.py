"""Arithmetic between values and columns: the result, its unit, and whether it adds up."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from itertools import repeat
from typing import cast

from veridical.evidence.column import TIMES, Additivity, CellKind
from veridical.evidence.dimension import (
    NUMBER,
    SHARE,
    Dimension,
    DimensionError,
    Quantity,
    added,
    comparable,
    divided,
    multiplied,
)
from veridical.facts.kernel.compare import lifted
from veridical.facts.kernel.frame import moment_of
from veridical.facts.kernel.value import FactError, Found, Reason, Scalar, Value, Vector

_DAY = 86_400.0
_MOST = 1e300
"""The largest figure; results beyond it are none."""
POINTS = replace(SHARE, unit="pp")
"""Between two shares: percentage points."""
Work = Callable[[Value, Value], Value]


def computed(operator: str, left: Value | None, right: Value | None) -> Value | None:
    """``+ - * /`` between two values, ``pct`` for a part of a whole, ``growth`` from the first to
    the second. Raises ``FactError``."""
    return None if left is None or right is None else _tried(_work(operator), left, right)


def share_of(part: Value | None, whole: Value | None) -> Value | None:
    """A part of a whole. Raises ``FactError``."""
    return computed("pct", part, whole)


def growth_of(old: Value | None, new: Value | None) -> Value | None:
    """A change as a part of what it was; none from nothing or below. Raises ``FactError``."""
    return computed("growth", old, new)


def combined(operator: str, left: Found, right: Found, size: int) -> Found:
    """The same row by row where one of the sides is a column. Raises ``FactError``."""
    if not isinstance(left, Vector) and not isinstance(right, Vector):
        return computed(operator, left, right)
    columns = [each for each in (left, right) if isinstance(each, Vector)]
    if any(len(each.values) != size for each in columns):
        raise FactError(Reason.SEVERAL_ROWS, columns[-1].name)
    nothing = Vector("", CellKind.FIGURE, [None] * size)
    if left is None or right is None or any(_is_empty(each) for each in columns):
        return nothing
    if operator == "-" and left.kind in TIMES and right.kind in TIMES:
        return _between(left, right, size)
    for each in (left, right):
        if each.kind is not CellKind.FIGURE:
            raise FactError(Reason.NOT_A_FIGURE, getattr(each, "name", ""))
    one, other = _sample(left), _sample(right)
    shape = _tried(_work(operator), one, other)
    if shape is None:
        return nothing
    if operator in _LIFTS:
        one, other = lifted(one, other), lifted(other, one)
    found = _row_by_row(operator, _numbers(left, one, size), _numbers(right, other, size))
    names = frozenset(name for each in columns for name in each.columns)
    return Vector(
        "", CellKind.FIGURE, found, shape.dimension, shape.scale, shape.digits,
        _additivity(operator, left, right), names,
    )  # fmt: skip


def spread(found: Value | None, size: int) -> Vector:
    """One value for every row."""
    if found is None:
        return Vector("", CellKind.FIGURE, [None] * size)
    return Vector("", found.kind, [found.value] * size, found.dimension, found.scale, found.digits)


def _is_empty(vector: Vector) -> bool:
    """A column without a value: its unit is unknown."""
    return vector.kind is not CellKind.FIGURE and not vector.known


def _sample(side: Value | Vector) -> Value:
    """A figure with the unit of a side, which gives the unit of the result."""
    if isinstance(side, Value):
        return side
    return Value(CellKind.FIGURE, 1.0, side.dimension, side.scale, side.digits)


def _numbers(side: Value | Vector, sample: Value, size: int) -> Iterable[float | None]:
    if isinstance(side, Value):
        return repeat(sample.number, size)
    return cast("Sequence[float | None]", side.values)


def _row_by_row(
    operator: str, left: Iterable[float | None], right: Iterable[float | None]
) -> list[float | None]:
    """One figure for each row; none from an empty cell, by nothing, or beyond all figures."""
    pairs = zip(left, right, strict=True)
    match operator:
        case "+":
            return [None if a is None or b is None else a + b for a, b in pairs]
        case "-":
            return [None if a is None or b is None else a - b for a, b in pairs]
        case "*":
            return [None if a is None or b is None or not -_MOST < (x := a * b) < _MOST else x
                    for a, b in pairs]  # fmt: skip
        case "growth":
            return [None if a is None or b is None or a <= 0
                    or not -_MOST < (x := b / a - 1) < _MOST else x for a, b in pairs]  # fmt: skip
        case _:
            return [None if a is None or not b or not -_MOST < (x := a / b) < _MOST else x
                    for a, b in pairs]  # fmt: skip


def _between(left: Value | Vector, right: Value | Vector, size: int) -> Vector:
    """The time from the second to the first."""
    one, other = (
        side if isinstance(side, Vector) else spread(side, size) for side in (left, right)
    )
    found = [None if a is None or b is None else _elapsed(a, b)
             for a, b in zip(one.values, other.values, strict=True)]  # fmt: skip
    shape = next((each for each in found if each is not None), None)
    return Vector(
        "", CellKind.FIGURE, [each.value if each is not None else None for each in found],
        Dimension(Quantity.DURATION), shape.scale if shape else _DAY, shape.digits if shape else 0,
        Additivity.FULL, one.columns | other.columns,
    )  # fmt: skip


_LIFTS = frozenset({"+", "-", "pct", "growth"})
"""Operations in which a constant takes the unit of the other side."""


def _additivity(operator: str, left: Value | Vector, right: Value | Vector) -> Additivity:
    """An amount times a price adds up, as do sums of what adds up."""
    sides = (left, right)
    kinds = {each.additivity for each in sides if isinstance(each, Vector)}
    if operator == "*" and Additivity.FULL in kinds:
        return Additivity.FULL
    columns = all(isinstance(each, Vector) for each in sides)
    constant = [isinstance(each, Value) and each.is_literal for each in sides]
    if operator in ("+", "-"):
        negative = operator == "-" and isinstance(left, Value) and left.value == 0
        keeps = columns or negative
    else:
        keeps = constant[1] or (operator == "*" and constant[0])
    return next(iter(kinds)) if keeps and len(kinds) == 1 else Additivity.NEVER


def _tried(work: Work, left: Value, right: Value) -> Value | None:
    """A value, or none for a division by nothing. Raises ``FactError`` for all else."""
    try:
        found = work(left, right)
    except DimensionError as error:
        raise FactError(Reason.DIMENSIONS, str(error)) from error
    except (ZeroDivisionError, OverflowError):
        return None
    if isinstance(found.value, float) and not -_MOST < found.value < _MOST:
        return None
    return found


def _work(operator: str) -> Work:
    match operator:
        case "pct":
            return _share
        case "growth":
            return _growth
        case "*":
            return _product
        case "/":
            return _ratio
        case _:
            return partial(_sum, operator)


def _sum(operator: str, left: Value, right: Value) -> Value:
    if operator == "-" and left.kind in TIMES and right.kind in TIMES:
        return _elapsed(left.value, right.value)
    left, right = lifted(left, right), lifted(right, left)
    one, other = left.number, right.number
    digits = None
    if left.digits is not None and right.digits is not None:
        digits = max(left.digits, right.digits)
    dimension = added(left.dimension or NUMBER, right.dimension or NUMBER)
    if operator == "-" and dimension == SHARE and not (left.is_literal or right.is_literal):
        dimension = POINTS
    value = one + other if operator == "+" else one - other
    return Value(CellKind.FIGURE, value, dimension, left.scale, digits)


def _product(left: Value, right: Value) -> Value:
    _refuse_conversion(left, right)
    one, other = left.dimension or NUMBER, right.dimension or NUMBER
    dimension = multiplied(one, other)
    # a bare number has no unit of its own to print the product in
    scale = (1.0 if one.is_bare else left.scale) * (1.0 if other.is_bare else right.scale)
    digits = left.digits if right.is_literal and right.number.is_integer() else None
    return Value(CellKind.FIGURE, left.number * right.number, dimension, scale, digits)


def _ratio(left: Value, right: Value) -> Value:
    one, other = left.dimension or NUMBER, right.dimension or NUMBER
    dimension = divided(one, other)
    scale = 1.0
    if not comparable(one, other):
        # amounts are printed in full, also those for each hour of something
        amount = one.quantity in (Quantity.MONEY, Quantity.COUNT) and not other.is_bare
        own = 1.0 if amount else left.scale
        scale = own if other.is_bare else own / right.scale
    return Value(CellKind.FIGURE, left.number / right.number, dimension, scale)


def _refuse_conversion(left: Value, right: Value) -> None:
    """The host knows that a column counts thousands; a factor for it would count twice."""
    for value, factor in ((left, right), (right, left)):
        money = value.dimension is not None and value.dimension.quantity is Quantity.MONEY
        if money and factor.is_literal and value.scale != 1 and factor.number == value.scale:
            raise FactError(Reason.SCALE, f"* {factor.number:g}")


def _elapsed(left: Scalar, right: Scalar) -> Value:
    first, last = _day(right), _day(left)
    if isinstance(first, datetime) and isinstance(last, datetime):
        if (first.tzinfo is None) is not (last.tzinfo is None):
            first, last = first.replace(tzinfo=None), last.replace(tzinfo=None)
        seconds = (last - first).total_seconds()
        return Value(CellKind.FIGURE, seconds, Dimension(Quantity.DURATION))
    seconds = (_plain(last) - _plain(first)).total_seconds()
    return Value(CellKind.FIGURE, seconds, Dimension(Quantity.DURATION), _DAY, 0)


def _day(cell: Scalar) -> date:
    if isinstance(cell, date):
        return cell
    when = moment_of(cell)
    found = when.as_day if when is not None else None
    if found is None:
        raise FactError(Reason.NOT_A_FIGURE, str(cell))
    return found


def _plain(value: date) -> date:
    return value.date() if isinstance(value, datetime) else value


def _share(part: Value, whole: Value) -> Value:
    part, whole = lifted(part, whole), lifted(whole, part)
    if not comparable(part.dimension or NUMBER, whole.dimension or NUMBER):
        raise FactError(Reason.DIMENSIONS, "pct")
    return Value(CellKind.FIGURE, part.number / whole.number, SHARE)


def _growth(old: Value, new: Value) -> Value:
    found = _share(new, old)
    if old.number < 0:
        raise ZeroDivisionError
    return replace(found, value=found.number - 1)
