"""Combinations of two facts: a difference, a sum, a ratio, a share, a change."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from veridical.evidence.dimension import COUNT, NUMBER, SHARE, Dimension, Quantity, comparable
from veridical.gate.prover.facts import Fact, FactReader, Over, is_plain
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.how import How
from veridical.gate.prover.scope import FigureScope

CHANGES = (
    "direction.up", "direction.down", "direction.flat", "compare.more", "compare.less",
    "aggregate.difference",
)  # fmt: skip
_WIDE = (Over.SUM, Over.CELL)


class Combination(NamedTuple):
    """A value of two facts."""

    fact: Fact
    direction: int
    how: How


def related(one: Fact, other: Fact, facts: FactReader) -> bool:
    """True if combining two facts makes sense: a column over two selections, a row's columns."""
    if one.table == other.table:
        if one.column == other.column:
            return one.rows != other.rows and _same_over(one, other)
        return one.rows == other.rows and _same_over(one, other)
    mine = facts.column(one.ref).name
    return mine == facts.column(other.ref).name and _same_over(one, other)


def _same_over(one: Fact, other: Fact) -> bool:
    return (
        one.over is other.over
        or (one.over in _WIDE and other.over in _WIDE)
        or Over.CELL in (one.over, other.over)
    )


def combinations(
    figure: Figure, scope: FigureScope, one: Fact, other: Fact, *, shown: bool
) -> Iterator[Combination]:
    """The combinations of two facts that the figure's unit and words allow."""
    same = comparable(one.dimension, other.dimension)
    percent = figure.dimension is not None and figure.dimension.quantity is Quantity.SHARE
    if percent or (figure.dimension is None and scope.in_percent):
        yield from _percents(figure, scope, one, other, same=same, shown=shown)
        return
    if figure.is_ratio:
        if other.value and same:
            yield Combination(_made(one.value / other.value, NUMBER), 0, How.RATIO)
        return
    if same:
        if other.value and (scope.per != 1 or scope.says("aggregate.per", "aggregate.mean")):
            rate = scope.per * one.value / other.value
            yield Combination(_made(rate, NUMBER), 0, How.RATIO)
        if _disjoint(scope, one, other):
            yield _difference(one, other)
        if one.column == other.column and not (one.rows & other.rows):
            yield Combination(added(one, other), 0, How.ADDED)
    elif one.rows == other.rows:
        rated = scope.says("aggregate.per", "aggregate.mean")
        if other.dimension.quantity is Quantity.SHARE:
            yield Combination(_like(one, one.value * other.value), 0, How.PRODUCT)
        elif other.value and (is_plain(other.dimension) or rated):
            rate = one.value / (other.value / other.dimension.factor if rated else other.value)
            made = _like(replace(one, dimension=replace(one.dimension, factor=1.0)), rate)
            yield Combination(made, 0, How.RATIO)


def _percents(
    figure: Figure, scope: FigureScope, one: Fact, other: Fact, *, same: bool, shown: bool
) -> Iterator[Combination]:
    shares = one.dimension.quantity is Quantity.SHARE
    if (figure.in_points or shares) and same and shares and _disjoint(scope, one, other):
        yield _difference(one, other)
    if figure.in_points:
        return
    if not other.value or not (same or is_plain(other.dimension) or is_plain(one.dimension)):
        return
    ratio = one.value / other.value
    derived = Over.DERIVED in (one.over, other.over)
    part = _is_part(one, other) or (derived and 0 <= ratio <= 1)
    row = one.rows == other.rows and one.column != other.column
    if part or row or (same and shown):
        yield Combination(_made(ratio, SHARE), 0, How.RATIO)
    if part or not same or (derived and one.dimension == COUNT):
        return
    if row or figure.sign or scope.in_percent or scope.says(*CHANGES):
        yield Combination(_made(ratio - 1, SHARE), way(ratio - 1), How.CHANGE)


def _is_part(one: Fact, other: Fact) -> bool:
    return (
        one.column == other.column
        and one.table == other.table
        and one.rows < other.rows
        and other.over is not Over.MEAN
    )


def _disjoint(scope: FigureScope, one: Fact, other: Fact) -> bool:
    """True if the rows don't overlap; a part and its whole only where the rest is meant."""
    if one.rows == other.rows or one.table != other.table:
        return True
    return not (one.rows & other.rows) or scope.says("aggregate.rest")


def _difference(one: Fact, other: Fact) -> Combination:
    value = one.value - other.value
    dimension = one.dimension
    if dimension.quantity is Quantity.SHARE:
        dimension = SHARE
    elif dimension.factor != other.dimension.factor:
        dimension = replace(dimension, factor=1.0)
    made = Fact(value, dimension, Over.DERIVED, one.table, one.column, one.rows)
    return Combination(made, way(value), How.DIFFERENCE)


def added(one: Fact, other: Fact) -> Fact:
    """Two facts as one."""
    return _like(one, one.value + other.value)


def _like(one: Fact, value: float) -> Fact:
    return Fact(value, one.dimension, Over.DERIVED, one.table, one.column, one.rows)


def _made(value: float, dimension: Dimension) -> Fact:
    return Fact(value, dimension, Over.DERIVED, -1, -1, frozenset())


def way(value: float) -> int:
    """1 for up, -1 for down."""
    return (value > 0) - (value < 0)
