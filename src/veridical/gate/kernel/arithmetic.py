"""Arithmetic and comparison between two values: dimensions, units and clocks are kept."""

import math
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, datetime

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
from veridical.evidence.moment import of_date, read_moment
from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.value import EvaluationError, Figure, Reason, Time, Value, Word

ADDING = (ex.Operator.PLUS, ex.Operator.MINUS)
_ABOUT = 0.05
_DUST = 1e-9
_WHOLE = 1.5
"""A share beyond this is meant in percent."""
_PERCENT = 0.01
_DAY = 86_400.0


def computed(operator: ex.Operator, left: Value | None, right: Value | None) -> Figure:
    """Two values as one figure. Raises ``EvaluationError``."""
    found = _computed(operator, left, right)
    if not math.isfinite(found.value):
        raise EvaluationError(Reason.NOT_A_FIGURE)
    return found


def _computed(operator: ex.Operator, left: Value | None, right: Value | None) -> Figure:
    if isinstance(left, Time) and isinstance(right, Time) and operator is ex.Operator.MINUS:
        return _elapsed(right, left)
    if not isinstance(left, Figure) or not isinstance(right, Figure):
        raise EvaluationError(Reason.NOT_A_FIGURE)
    if operator in ADDING:
        left, right = lifted(left, right), lifted(right, left)
    places = left.places | right.places
    keeps = left if left.scale != 1 else right
    digits = None
    if operator in ADDING and left.digits is not None and right.digits is not None:
        digits = max(left.digits, right.digits)
    try:
        match operator:
            case ex.Operator.PLUS | ex.Operator.MINUS:
                sign = 1 if operator is ex.Operator.PLUS else -1
                dimension = added(left.dimension, right.dimension)
                total = left.value + sign * right.value
                return Figure(total, dimension, places, left.scale, digits)
            case ex.Operator.TIMES:
                dimension = multiplied(left.dimension, right.dimension)
                both = not (left.dimension.is_bare or right.dimension.is_bare)
                scale = left.scale * right.scale if both else keeps.scale
                return Figure(left.value * right.value, dimension, places, scale)
            case ex.Operator.BY:
                dimension = divided(left.dimension, right.dimension)
                found = ratio(left, right, dimension)
                alike = comparable(left.dimension, right.dimension)
                return replace(found, scale=1.0 if alike else left.scale / right.scale)
    except DimensionError as error:
        raise EvaluationError(Reason.DIMENSIONS, str(error)) from error


def lifted(figure: Figure, beside: Figure) -> Figure:
    """A figure that is written without unit, in the unit of what stands beside it."""
    if not figure.places and figure.dimension == SHARE and beside.dimension == NUMBER:
        return replace(figure, dimension=NUMBER)
    is_literal = figure.dimension == NUMBER and not figure.places
    if not is_literal or beside.dimension == NUMBER:
        return figure
    scale = beside.scale
    if beside.dimension.quantity is Quantity.SHARE and scale == 1 and abs(figure.value) > _WHOLE:
        scale = _PERCENT
    return replace(figure, value=figure.value * scale, dimension=beside.dimension, scale=scale)


def _elapsed(first: Time, last: Time) -> Figure:
    start, end = _same_clock(first.value, last.value)
    seconds = (end - start).total_seconds()
    is_clock = isinstance(start, datetime)
    scale = 1.0 if is_clock else _DAY
    return Figure(seconds, Dimension(Quantity.DURATION), first.places | last.places, scale)


def ratio(part: Figure, whole: Figure, dimension: Dimension) -> Figure:
    """A figure by another. Raises ``EvaluationError``."""
    if dimension.quantity is Quantity.SHARE and not comparable(part.dimension, whole.dimension):
        raise EvaluationError(Reason.DIMENSIONS)
    if not whole.value:
        raise EvaluationError(Reason.ZERO)
    return Figure(part.value / whole.value, dimension, part.places | whole.places)


def share(part: Value | None, whole: Value | None) -> Figure:
    """The part of a whole. Raises ``EvaluationError``."""
    if not isinstance(part, Figure) or not isinstance(whole, Figure):
        raise EvaluationError(Reason.NOT_A_FIGURE)
    return ratio(part, whole, SHARE)


def changed(before: Value | None, after: Value | None) -> Figure:
    """How much a figure changed, as a part of what it was. Raises ``EvaluationError``."""
    if not isinstance(before, Figure) or not isinstance(after, Figure):
        raise EvaluationError(Reason.NOT_A_FIGURE)
    return _change(before, after)


def _change(before: Figure, after: Figure) -> Figure:
    found = ratio(after, before, SHARE)
    if before.value < 0:
        raise EvaluationError(Reason.ZERO)
    return replace(found, value=found.value - 1)


def compared(left: Value, comparator: ex.Comparator, right: Value) -> bool:
    """Whether a comparison holds. Raises ``EvaluationError``."""
    if isinstance(left, Figure) and isinstance(right, Figure):
        return _figures_compare(left, comparator, right)
    if isinstance(left, Time) and isinstance(right, Time):
        first, second = _same_clock(left.value, right.value)
        return _ordered((first > second) - (first < second), comparator)
    times = order_of(left), order_of(right)
    if None not in times and comparator not in (ex.Comparator.EQUAL, ex.Comparator.OTHER):
        earlier, later = (each or () for each in times)
        return _ordered((earlier > later) - (earlier < later), comparator)
    one, other = _text(left), _text(right)
    match comparator:
        case ex.Comparator.EQUAL:
            return one == other
        case ex.Comparator.OTHER:
            return one != other
        case _:
            raise EvaluationError(Reason.NOT_A_FIGURE)


def order_of(value: Value | None) -> tuple[float, ...] | None:
    """By which values come one after another: figures, days, and texts that say a time."""
    match value:
        case Figure(number):
            return (number,)
        case Time(when):
            return of_date(when).order
        case Word(text):
            found = read_moment(text)
            return found.order if found is not None else None
        case None:
            return None


def year_of(values: Iterable[Value | None], name: str) -> Figure:
    """The one year that all values lie in. Raises ``EvaluationError``."""
    orders = [order for value in values if (order := order_of(value)) is not None]
    years = {int(order[0]) for order in orders}
    if len(years) != 1 or not any(years):
        raise EvaluationError(Reason.NO_VALUE, name)
    return Figure(float(years.pop()), NUMBER, digits=0)


def _figures_compare(left: Figure, comparator: ex.Comparator, right: Figure) -> bool:
    left, right = lifted(left, right), lifted(right, left)
    quantities = {left.dimension.quantity, right.dimension.quantity}
    is_ratio = quantities == {Quantity.SHARE, Quantity.NUMBER}  # twice a share, a by b
    if not is_ratio and not comparable(left.dimension, right.dimension):
        raise EvaluationError(Reason.DIMENSIONS)
    near = max(abs(left.value), abs(right.value))
    if comparator is ex.Comparator.ABOUT:
        return abs(left.value - right.value) <= near * _ABOUT
    difference = left.value - right.value
    sign = 0 if abs(difference) <= near * _DUST else 1 if difference > 0 else -1
    return _ordered(sign, comparator)


def _ordered(sign: int, comparator: ex.Comparator) -> bool:
    match comparator:
        case ex.Comparator.MORE:
            return sign > 0
        case ex.Comparator.LESS:
            return sign < 0
        case ex.Comparator.AT_LEAST:
            return sign >= 0
        case ex.Comparator.AT_MOST:
            return sign <= 0
        case ex.Comparator.OTHER:
            return sign != 0
        case _:
            return sign == 0


def _same_clock(first: date, second: date) -> tuple[date, date]:
    """Both as days where one is no more than a day."""
    if isinstance(first, datetime) and isinstance(second, datetime):
        return first, second
    return _as_day(first), _as_day(second)


def _as_day(value: date) -> date:
    return value.date() if isinstance(value, datetime) else value


def _text(value: Value) -> str:
    if isinstance(value, Figure):
        return f"{value.value:g}"
    if isinstance(value, Time):
        return value.value.isoformat()
    return value.value.casefold().strip()
