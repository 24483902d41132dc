"""Arithmetic between values and columns: the result, its unit, and whether it adds up."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from operator import add, mul, sub, truediv
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
Work = Callable[[float, float], float]


def _growth(old: float, new: float) -> float:
    """A change as a part of what it was; none from nothing or below."""
    if old < 0:
        raise ZeroDivisionError
    return new / old - 1


_WORK: dict[str, Work] = {"+": add, "-": sub, "*": mul, "/": truediv, "pct": truediv,
                          "growth": _growth}  # fmt: skip
_LIFTS = frozenset({"+", "-", "pct", "growth"})
"""Operations in which a constant takes the unit of the other side."""


def computed(operator: str, left: Value | None, right: Value | None) -> Value | None:
    """``+ - * /`` between two values, ``pct`` for a part of a whole, ``growth`` from the first to
    the second; none from nothing, by nothing, or beyond all figures. Raises ``FactError``."""
    if left is None or right is None:
        return None
    if operator == "-" and left.kind in TIMES and right.kind in TIMES:
        return _elapsed(left.value, right.value)
    if operator in _LIFTS:
        left, right = lifted(left, right), lifted(right, left)
    number = _number(_WORK[operator], left.number, right.number)
    unit = _unit(operator, left, right)
    return None if number is None else Value(CellKind.FIGURE, number, *unit)


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
    units = _units(left, right)
    one, other = _sample(left), _sample(right)
    shape = computed(operator, one, other)
    if shape is None:
        return nothing
    if operator in _LIFTS:
        one, other = lifted(one, other), lifted(other, one)
    found = _numbers(_WORK[operator], _cells(left, one, size), _cells(right, other, size))
    names = frozenset(name for each in columns for name in each.columns)
    vector = Vector(
        "", CellKind.FIGURE, found, shape.dimension, shape.scale, shape.digits,
        _additivity(operator, left, right), names,
    )  # fmt: skip
    kept = shape.dimension is not None and not shape.dimension.is_bare
    return vector.in_units(units) if units and kept else vector


def _units(left: Value | Vector, right: Value | Vector) -> Sequence[Dimension | None]:
    """The unit of each row of a result whose sides have several: two columns of one row have the
    same, and a bare number takes any. Raises ``FactError``."""
    mixed = [each for each in (left, right) if isinstance(each, Vector) and each.units]
    if not mixed:
        return ()
    units = mixed[0].units
    other = right if mixed[0] is left else left
    bare = other.dimension is None or other.dimension.is_bare
    if not bare and not (isinstance(other, Vector) and other.units == units):
        mixed[0].ensure_one_unit()
    return units


def spread(found: Value | None, size: int) -> Vector:
    """One value for every row."""
    if found is None:
        return Vector("", CellKind.FIGURE, [None] * size)
    return Vector("", found.kind, [found.value] * size, found.dimension, found.scale, found.digits)


def _is_empty(vector: Vector) -> bool:
    """A column without a value: its unit is unknown."""
    return vector.kind is not CellKind.FIGURE and vector.is_empty


def _sample(side: Value | Vector) -> Value:
    """A figure with the unit of a side, which gives the unit of the result."""
    if isinstance(side, Value):
        return side
    return Value(CellKind.FIGURE, 1.0, side.dimension, side.scale, side.digits)


def _cells(side: Value | Vector, sample: Value, size: int) -> Sequence[float | None]:
    if isinstance(side, Value):
        return [sample.number] * size
    return cast("Sequence[float | None]", side.values)


def _numbers(
    work: Work, left: Sequence[float | None], right: Sequence[float | None]
) -> Sequence[float | None]:
    """One figure for each row. Most columns are filled, and computed without a look at each."""
    pairs = cast("tuple[Sequence[float], Sequence[float]]", (left, right))
    try:
        found = list(map(work, *pairs))
    except (TypeError, ZeroDivisionError, OverflowError):
        return list(map(partial(_number, work), left, right))
    inside = min(found, default=0.0) > -_MOST and max(found, default=0.0) < _MOST
    return found if inside else list(map(partial(_number, work), left, right))


def _number(work: Work, left: float | None, right: float | None) -> float | None:
    """A figure; none from an empty cell, by nothing, or beyond all figures."""
    if left is None or right is None:
        return None
    try:
        found = work(left, right)
    except (ZeroDivisionError, OverflowError):
        return None
    return found if -_MOST < found < _MOST else None


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


def _unit(operator: str, left: Value, right: Value) -> tuple[Dimension, float, int | None]:
    """Dimension, scale and decimals of a result. Raises ``FactError``."""
    one, other = left.dimension or NUMBER, right.dimension or NUMBER
    try:
        match operator:
            case "*":
                _refuse_conversion(left, right)
                # a bare number has no unit of its own to print the product in
                scale = (1.0 if one.is_bare else left.scale) * (
                    1.0 if other.is_bare else right.scale
                )
                digits = left.digits if right.is_literal and right.number.is_integer() else None
                return multiplied(one, other), scale, digits
            case "/":
                return divided(one, other), _scale_of_ratio(left, right), None
            case "+" | "-":
                return _unit_of_sum(operator, left, right)
            case _:
                if not comparable(one, other):
                    raise FactError(Reason.DIMENSIONS, "pct")
                return SHARE, 1.0, None
    except DimensionError as error:
        raise FactError(Reason.DIMENSIONS, str(error)) from error


def _unit_of_sum(operator: str, left: Value, right: Value) -> tuple[Dimension, float, int | None]:
    dimension = added(left.dimension or NUMBER, right.dimension or NUMBER)
    if operator == "-" and dimension == SHARE and not (left.is_literal or right.is_literal):
        dimension = POINTS
    known = left.digits is not None and right.digits is not None
    return dimension, left.scale, max(left.digits or 0, right.digits or 0) if known else None


def _scale_of_ratio(left: Value, right: Value) -> float:
    one, other = left.dimension or NUMBER, right.dimension or NUMBER
    if comparable(one, other):
        return 1.0
    # amounts are printed in full, also those for each hour of something
    amount = one.quantity in (Quantity.MONEY, Quantity.COUNT) and not other.is_bare
    own = 1.0 if amount else left.scale
    return own if other.is_bare else own / right.scale


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
