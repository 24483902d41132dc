"""Two facts combined: a difference, a sum, a ratio, a share, a change."""

from collections.abc import Iterator

from veridical.evidence.dimension import COUNT, NUMBER, SHARE, Dimension, Quantity, comparable
from veridical.gate.prover.facts import Fact, FactReader, Over, is_plain
from veridical.gate.prover.how import How
from veridical.gate.prover.scope import FigureScope
from veridical.gate.text.figures import Figure

CHANGES = (
    "direction.up", "direction.down", "direction.flat", "compare.more", "compare.less",
    "aggregate.difference",
)  # fmt: skip
_SIZED = (Over.SUM, Over.CELL)


def related(one: Fact, other: Fact, facts: FactReader) -> bool:
    """True if combining two facts makes sense: a column over two selections, a row's columns."""
    same_over = one.over is other.over or Over.CELL in (one.over, other.over)
    if not same_over and not (one.over in _SIZED and other.over in _SIZED):
        return False
    if one.table == other.table:
        return (one.column == other.column) != (one.rows == other.rows)
    return facts.column(one.ref).name == facts.column(other.ref).name


def combinations(
    figure: Figure, scope: FigureScope, one: Fact, other: Fact, *, shown: bool
) -> Iterator[Fact]:
    """The combinations of two facts that the figure's unit and words allow.

    ``shown`` are facts that the text itself shows: any of them may be a part of any other.
    """
    same, ratio = comparable(one.dimension, other.dimension), _ratio(one, other)
    unit = figure.dimension
    in_percent = unit is None and scope.in_percent
    if in_percent or (unit is not None and unit.quantity is Quantity.SHARE):
        yield from _percents(figure, scope, one, other, shown=shown)
    elif figure.is_ratio:
        if ratio and same:
            yield _made(ratio, NUMBER, How.RATIO, one, other)
    elif same:
        if ratio and (scope.per != 1 or scope.says("aggregate.per", "aggregate.mean")):
            yield _made(scope.per * ratio, NUMBER, How.RATIO, one, other)
        if _apart(scope, one, other):
            yield _difference(one, other)
        if one.column == other.column and not one.rows & other.rows:
            yield _made(one.value + other.value, one.dimension, How.ADDED, one, other)
    elif one.rows == other.rows:
        rated = scope.says("aggregate.per", "aggregate.mean")
        if other.dimension.quantity is Quantity.SHARE:
            yield _made(one.value * other.value, one.dimension, How.PRODUCT, one, other)
        elif ratio and (is_plain(other.dimension) or rated):
            dimension = Dimension(one.dimension.quantity, one.dimension.unit)
            value = scope.per * one.value / (other.raw if rated else other.value)
            yield _made(value, dimension, How.RATIO, one, other)


def _percents(
    figure: Figure, scope: FigureScope, one: Fact, other: Fact, *, shown: bool
) -> Iterator[Fact]:
    same, ratio = comparable(one.dimension, other.dimension), _ratio(one, other)
    shares = one.dimension.quantity is Quantity.SHARE
    if same and shares and _apart(scope, one, other):
        yield _difference(one, other)
    if figure.in_points or not ratio:
        return
    derived = Over.DERIVED in (one.over, other.over)
    part = _is_part(one, other) or (derived and 0 <= ratio <= 1)
    row = one.rows == other.rows and one.column != other.column
    plain = is_plain(other.dimension) or is_plain(one.dimension)
    if ((part or row) and (same or plain)) or (same and shown):
        yield _made(ratio, SHARE, How.RATIO, one, other)
    if part or not same or (derived and one.dimension == COUNT):
        return
    if row or figure.sign or scope.in_percent or scope.says(*CHANGES):
        yield _made(ratio - 1, SHARE, How.CHANGE, one, other)


def _is_part(one: Fact, other: Fact) -> bool:
    same = one.column == other.column and one.table == other.table
    return same and one.rows < other.rows and other.over is not Over.MEAN


def _apart(scope: FigureScope, one: Fact, other: Fact) -> bool:
    """True if the rows don't overlap; a part and its whole only where the rest is meant."""
    if one.rows == other.rows or one.table != other.table or not one.rows & other.rows:
        return True
    return scope.says("aggregate.rest")


def _difference(one: Fact, other: Fact) -> Fact:
    dimension = one.dimension
    if dimension.factor != other.dimension.factor:
        dimension = Dimension(dimension.quantity, dimension.unit)
    return _made(one.value - other.value, dimension, How.DIFFERENCE, one, other)


def _ratio(one: Fact, other: Fact) -> float:
    return one.value / other.value if other.value else 0.0


def _made(value: float, dimension: Dimension, how: How, one: Fact, other: Fact) -> Fact:
    same = dimension is one.dimension
    table, column, rows = (one.table, one.column, one.rows) if same else (-1, -1, frozenset[int]())
    return Fact(value, dimension, Over.DERIVED, table, column, rows, how, (one, other))
