"""Comparisons between two values: figures by their dimension, times by the calendar."""

from dataclasses import replace

from veridical.evidence.column import Kind
from veridical.evidence.dimension import NUMBER, Quantity, comparable
from veridical.facts.kernel.frame import TIMES, moment_of, order_of, spelt
from veridical.facts.kernel.value import FactError, Reason, Value

_DUST = 1e-9
_WHOLE = 1.5
"""A constant beyond this, compared with a share, is meant in percent."""


def lifted(value: Value, beside: Value) -> Value:
    """A constant without unit, in the unit of what it stands beside."""
    if not value.is_literal or value.kind is not Kind.FIGURE or beside.kind is not Kind.FIGURE:
        return value
    dimension = beside.dimension or NUMBER
    if value.dimension != NUMBER or dimension == NUMBER:
        return value
    scale = beside.scale
    if dimension.quantity is Quantity.SHARE and scale == 1 and abs(value.number) > _WHOLE:
        scale = 0.01
    return replace(value, value=value.number * scale, dimension=dimension, scale=scale)


def compared(operator: str, left: Value, right: Value) -> bool:
    """Whether a comparison holds. Raises ``FactError``."""
    if left.kind is Kind.FIGURE and right.kind is Kind.FIGURE:
        return _figures(operator, left, right)
    if left.kind in TIMES or right.kind in TIMES:
        sign = _times(left, right)
        if sign is not None:
            return ordered(operator, sign)
    if operator in ("=", "!="):
        same = spelt(left.value) == spelt(right.value) or _same_flag(left, right)
        return same is (operator == "=")
    first, second = order_of(left.value), order_of(right.value)
    if first is None or second is None:
        raise FactError(Reason.NOT_A_FIGURE, str(right.value))
    return ordered(operator, (first > second) - (first < second))


def _same_flag(left: Value, right: Value) -> bool:
    """``active = 1`` and ``active = 'yes'`` for a column of yes and no."""
    flag, other = (left, right) if isinstance(left.value, bool) else (right, left)
    if not isinstance(flag.value, bool) or isinstance(other.value, bool):
        return False
    truths = {True: ("1", "yes", "true"), False: ("0", "no", "false")}
    return spelt(other.value) in truths[flag.value]


def _figures(operator: str, left: Value, right: Value) -> bool:
    left, right = lifted(left, right), lifted(right, left)
    one, other = left.dimension or NUMBER, right.dimension or NUMBER
    ratio = {one.quantity, other.quantity} == {Quantity.SHARE, Quantity.NUMBER}
    if not ratio and not comparable(one, other):
        raise FactError(Reason.DIMENSIONS, "")
    near = max(abs(left.number), abs(right.number))
    gap = left.number - right.number
    return ordered(operator, 0 if abs(gap) <= near * _DUST else 1 if gap > 0 else -1)


def _times(left: Value, right: Value) -> int | None:
    """Which comes first; a day within a month that is named is neither."""
    one, other = moment_of(left.value), moment_of(right.value)
    if one is None or other is None:
        number = right.value if isinstance(right.value, float) else None
        if one is not None and number is not None and 1900 <= number <= 2100:
            return (int(one.year or 0) > number) - (int(one.year or 0) < number)
        return None
    if other.covers(one) or one.covers(other):
        return 0
    return (one.order > other.order) - (one.order < other.order)


def ordered(operator: str, sign: int) -> bool:
    """Whether a comparator accepts this order."""
    match operator:
        case "=":
            return sign == 0
        case "!=":
            return sign != 0
        case "<":
            return sign < 0
        case "<=":
            return sign <= 0
        case ">":
            return sign > 0
        case _:
            return sign >= 0
