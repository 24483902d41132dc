"""Two facts combined as the unit of a figure allows: differences, sums, ratios, shares."""

from collections.abc import Iterator
from typing import NamedTuple

from veridical.evidence.dimension import Quantity, comparable
from veridical.gate.prover.facts import Fact, is_plain
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.how import How
from veridical.gate.prover.scope import RowSet

_FULL = 100.0


class FoundValue(NamedTuple):
    """A value as the figure would show it, and the facts that it is made of."""

    value: float
    how: How
    sides: tuple[Fact, ...]
    counted: RowSet | None = None
    """The rows that it is the number of."""


def part(figure: Figure, one: Fact, whole: Fact) -> Iterator[FoundValue]:
    """One as a part of another in percent."""
    unit = figure.dimension
    if unit is not None and unit.quantity is Quantity.SHARE and whole.value:
        yield FoundValue(one.value / whole.value * _FULL, How.RATIO, (one, whole))


def rate(figure: Figure, one: Fact, other: Fact, per: float) -> Iterator[FoundValue]:
    """One fact for each of another, in the units that both are kept in: tonnes per hectare."""
    unit = figure.dimension
    if not other.raw or figure.is_ratio or figure.in_points:
        return
    both, by = (one, other), per / other.raw
    if unit is None:
        yield FoundValue(one.raw * by, How.RATIO, both)
        if one.dimension.factor != 1:
            yield FoundValue(one.value * by, How.RATIO, both)
        if one.dimension.quantity is Quantity.MONEY:
            yield FoundValue(one.value * by * _FULL, How.RATIO, both)  # in cents
    elif unit.quantity is Quantity.SHARE:
        if {one.dimension.quantity, other.dimension.quantity} <= _LOOSE:
            yield FoundValue(one.raw * by * _FULL, How.RATIO, both)
    elif unit.quantity is one.dimension.quantity and unit.unit == one.dimension.unit:
        yield FoundValue(one.value / unit.factor * by, How.RATIO, both)
        if other.dimension.factor != 1:
            yield FoundValue(one.value / unit.factor * per / other.value, How.RATIO, both)


_LOOSE = frozenset({Quantity.COUNT, Quantity.NUMBER, Quantity.DURATION})
"""Quantities that a part and its whole may have: days are counted, or are a duration."""


def pair(figure: Figure, one: Fact, other: Fact) -> Iterator[FoundValue]:
    """Two facts combined as the figure's unit allows."""
    unit = figure.dimension
    if unit is not None and unit.quantity is Quantity.SHARE:
        yield from _in_percent(figure, one, other)
    elif figure.is_ratio:
        if other.value and comparable(one.dimension, other.dimension):
            yield FoundValue(one.value / other.value, How.RATIO, (one, other))
    elif unit is not None and is_plain(one.dimension) and is_plain(other.dimension):
        if other.value:
            yield FoundValue(one.value / other.value, How.RATIO, (one, other))
    elif unit is None or (
        unit.quantity is one.dimension.quantity
        and (not unit.unit or not one.dimension.unit or unit.unit == one.dimension.unit)
    ):
        yield from _in_unit(1.0 if unit is None else unit.factor, one, other, bare=unit is None)


def _in_percent(figure: Figure, one: Fact, other: Fact) -> Iterator[FoundValue]:
    both = (one, other)
    same = comparable(one.dimension, other.dimension)
    if same and one.dimension.quantity is Quantity.SHARE:
        yield FoundValue((one.value - other.value) * _FULL, How.DIFFERENCE, both)
    if other.value and not figure.in_points and (same or is_plain(other.dimension)):
        yield FoundValue(one.value / other.value * _FULL, How.RATIO, both)
        if same and not _overlap(one, other):
            yield FoundValue((one.value / other.value - 1) * _FULL, How.CHANGE, both)


def _in_unit(factor: float, one: Fact, other: Fact, *, bare: bool) -> Iterator[FoundValue]:
    both = (one, other)
    if comparable(one.dimension, other.dimension):
        if not _overlap(one, other):
            yield FoundValue((one.value - other.value) / factor, How.DIFFERENCE, both)
            yield FoundValue((one.value + other.value) / factor, How.ADDED, both)
        if bare and other.value:
            yield FoundValue(one.value / other.value, How.RATIO, both)
        return
    if other.dimension.is_bare:
        yield FoundValue(one.value * other.value / factor, How.PRODUCT, both)
    if other.value:
        yield FoundValue(one.value / other.value / factor, How.RATIO, both)


def _overlap(one: Fact, other: Fact) -> bool:
    """True if both share rows of one column: their difference is just some other cell."""
    return (
        one.table == other.table
        and one.column == other.column
        and not one.rows.isdisjoint(other.rows)
    )
