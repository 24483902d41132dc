"""Comparisons between two values: figures by their dimension, times by the calendar."""

import operator as operators
from calendar import monthrange
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any, TypeVar, cast

from veridical.evidence.column import TIMES, CellKind
from veridical.evidence.dimension import NUMBER, SHARE, Quantity, comparable
from veridical.facts.kernel.frame import moment_of, order_of, spelt
from veridical.facts.kernel.value import FactError, Found, Reason, Scalar, Value, Vector

_DUST = 1e-9
_WHOLE = 1.5
"""A constant beyond this, compared with a share, is meant in percent."""
_HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operators.eq, "!=": operators.ne, "<": operators.lt, "<=": operators.le,
    ">": operators.gt, ">=": operators.ge,
}  # fmt: skip
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_MONTHS = 12
_DAYS = frozenset({date, type(None)})


def lifted(value: Value, beside: Value) -> Value:
    """A constant without unit, in the unit of what it stands beside."""
    if (
        not value.is_literal
        or value.kind is not CellKind.FIGURE
        or beside.kind is not CellKind.FIGURE
    ):
        return value
    dimension = beside.dimension or NUMBER
    if value.dimension != NUMBER or dimension == NUMBER:
        return value
    scale = beside.scale
    if dimension.quantity is Quantity.SHARE and scale == 1 and abs(value.number) > _WHOLE:
        scale = 0.01
    return Value(value.kind, value.number * scale, dimension, scale, value.digits, is_literal=True,
                 decimals=value.decimals)  # fmt: skip


def compared(operator: str, left: Value, right: Value) -> bool:
    """True if a comparison holds. Raises ``FactError``."""
    left, right = read_beside(left, right), read_beside(right, left)
    if left.kind is CellKind.FIGURE and right.kind is CellKind.FIGURE:
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


def all_compared(operator: str, left: Found, right: Found, size: int) -> list[bool | None]:
    """The same row by row; open where a side has no value. Raises ``FactError``."""
    if left is None or right is None:
        return [None] * size
    if isinstance(left, Value) and isinstance(right, Value):
        return [compared(operator, left, right)] * size
    if isinstance(left, Value):
        return all_compared(_TURNED.get(operator, operator), right, left, size)
    if isinstance(right, Vector):
        return _columns(operator, left, right, size)
    if left.kind is not CellKind.FIGURE and left.is_empty:
        return [None] * size
    sample = _sample(left)
    right = read_beside(right, sample)
    if left.kind is CellKind.FIGURE and right.kind is CellKind.FIGURE:
        compared(operator, sample, right)  # raises where they measure different things
        return _against(operator, left, lifted(right, sample).number)
    if left.kind is CellKind.DAY and (span := _span(right.value)) is not None:
        found = _days(operator, left, *span)
        if found is not None:
            return found
    met: dict[Scalar | None, bool | None] = {None: None} | {
        cell: compared(operator, Value(left.kind, cell), right)
        for cell in set(left.values)
        if cell is not None
    }  # cells of a column repeat: each is compared once
    return [met[cell] for cell in left.values]


def _span(value: Scalar) -> tuple[date, date] | None:
    """The first and the last day of a year, a month or a day that is named."""
    when = moment_of(value)
    if when is None or not when.is_calendar or when.year is None:
        return None
    month, day = when.month, when.day
    try:
        first = date(when.year, month or 1, day or 1)
        last = date(when.year, month or _MONTHS,
                    day or monthrange(when.year, month or _MONTHS)[1])  # fmt: skip
    except ValueError:  # the thirtieth of February
        return None
    return first, last


def _days(operator: str, left: Vector, first: date, last: date) -> list[bool | None] | None:
    """Days against a span of days; one within it is neither before nor after."""
    if not set(map(type, left.values)) <= _DAYS:
        return None  # clocks among the days
    return _within(operator, cast("Sequence[date | None]", left.values), first, last)


_Place = TypeVar("_Place", float, date)


def _within(
    operator: str, values: Sequence[_Place | None], low: _Place, high: _Place
) -> list[bool | None]:
    """Against all that counts as one place: from the lowest of it to the highest."""
    if operator in ("=", "!="):
        same = operator == "="
        return [None if each is None else (low <= each <= high) is same for each in values]
    holds, limit = _HOLDS[operator], low if operator in ("<", ">=") else high
    return [None if each is None else holds(each, limit) for each in values]


def _sample(vector: Vector) -> Value:
    """A value of a column: for its unit, any figure will do. Raises ``FactError``."""
    if vector.kind is CellKind.FIGURE:
        return Value(CellKind.FIGURE, 1.0, vector.ensure_one_unit(), vector.scale)
    return Value(vector.kind, next(each for each in vector.values if each is not None))


def _columns(operator: str, left: Vector, right: Vector, size: int) -> list[bool | None]:
    same = bool(left.units) and left.units == right.units
    if left.kind is CellKind.FIGURE and right.kind is CellKind.FIGURE and not same:
        compared(operator, _sample(left), _sample(right))
    pairs = zip(_cells(left, size), _cells(right, size), strict=True)
    return [None if one is None or two is None else compared(operator, one, two)
            for one, two in pairs]  # fmt: skip


def _cells(vector: Vector, size: int) -> list[Value | None]:
    if len(vector.values) != size:
        raise FactError(Reason.SEVERAL_ROWS, vector.name)
    return [vector.at(at) for at in range(size)]


def read_beside(value: Value, beside: Value) -> Value:
    """A figure that its author put in quotes. Raises ``FactError`` for other texts beside a
    figure."""
    if beside.kind is not CellKind.FIGURE or value.kind is CellKind.FIGURE:
        return value
    if not value.is_literal:
        if value.kind in (CellKind.NAME, CellKind.CODE) and not beside.is_literal:
            raise FactError(Reason.NOT_A_FIGURE, str(value.value))
        return value
    if not isinstance(value.value, str):
        raise FactError(Reason.NOT_A_FIGURE, str(value.value))
    text = value.value.strip()
    percent = text.endswith("%")
    try:
        number = float(text.rstrip("% "))
    except ValueError:
        raise FactError(Reason.NOT_A_FIGURE, value.value) from None
    if percent:
        return Value(CellKind.FIGURE, number / 100, SHARE, is_literal=True)
    return Value(CellKind.FIGURE, number, NUMBER, is_literal=True)


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


def _against(operator: str, left: Vector, limit: float) -> list[bool | None]:
    """Every figure of a column against one."""
    dust = abs(limit) * _DUST
    values = cast("Sequence[float | None]", left.values)
    return _within(operator, values, limit - dust, limit + dust)


def _times(left: Value, right: Value) -> int | None:
    """The order of two times: 0 if equal or one within the other, none if unknown."""
    exact = _exact(left.value, right.value)
    if exact is not None:
        return exact
    other = moment_of(right.value)
    if isinstance(left.value, date) and other is not None and other.is_calendar:
        when = (left.value.year, left.value.month, left.value.day)
        named = tuple(part for part in (other.year, other.month, other.day) if part is not None)
        return (when[: len(named)] > named) - (when[: len(named)] < named)
    one = moment_of(left.value)
    if one is None or other is None:
        turned = other is not None
        found = _of_number(left if turned else right, right if turned else left)
        return -found if found is not None and turned else found
    if other.covers(one) or one.covers(other):
        return 0
    return (one.order > other.order) - (one.order < other.order)


def _exact(left: Scalar, right: Scalar) -> int | None:
    """Two clocks, to the second and beyond; a clock within a day is neither before nor after."""
    one, other = _clock(left), _clock(right)
    if one is None or other is None:
        return None
    if (one.tzinfo is None) is not (other.tzinfo is None):
        one, other = one.replace(tzinfo=None), other.replace(tzinfo=None)
    return (one > other) - (one < other)


def _clock(cell: Scalar) -> datetime | None:
    if isinstance(cell, datetime):
        return cell
    if not isinstance(cell, str) or len(cell) < len("2025-01-01T00:00:00") or cell[:1] not in "12":
        return None
    try:
        return datetime.fromisoformat(cell.strip())
    except ValueError:
        return None


def _of_number(number: Value, time: Value) -> int | None:
    """A time against the number of a year or of a month of no year."""
    when, value = moment_of(time.value), number.value
    if when is None or not isinstance(value, float):
        return None
    if _FIRST_YEAR <= value <= _LAST_YEAR and when.year is not None:
        return (when.year > value) - (when.year < value)
    if when.year is None and when.month is not None and 1 <= value <= _MONTHS:
        return (when.month > value) - (when.month < value)
    return None


def ordered(operator: str, sign: int) -> bool:
    """True if a comparator accepts this order."""
    return _HOLDS[operator](sign, 0)
