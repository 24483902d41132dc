"""What forms have in common: rows in order, their parts, figures as claims state them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from veridical.evidence.column import Kind
from veridical.evidence.dimension import COUNT, SHARE
from veridical.facts.arguments import Arguments
from veridical.facts.fact import Claim, Fact, Grid, Measured, Part, Role, figure, key_of, listed
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.frame import Frame, order_of
from veridical.facts.kernel.value import FactError, Reason, Scalar, Value, Vector
from veridical.facts.scope import Scoped, limits_of, names_in, touched

Frames = Mapping[str, Frame]
_MOST_LISTED = 60


def counted(number: int) -> Part:
    """A number of rows."""
    return Part(Role.COUNT, Value(Kind.FIGURE, float(number), COUNT, digits=0))


def fraction(part: float, whole: float) -> Part:
    """A part of a whole; none of nothing."""
    value = Value(Kind.FIGURE, part / whole, SHARE) if whole else None
    return Part(Role.FIGURE, value)


def grid_of(scope: Scoped, rows: Sequence[int], measures: Sequence[Measured]) -> Grid:
    """Rows in this order with their measures, which are over the rows in scope."""
    places = {row: at for at, row in enumerate(scope.rows)}
    order = [places[row] for row in rows]
    return Grid(names_in(scope, rows), tuple(_reordered(each, order) for each in measures))


def _reordered(measure: Measured, order: Sequence[int]) -> Measured:
    vector = measure.vector
    if list(order) == list(range(len(vector.values))):
        return measure
    values = [vector.values[at] for at in order]
    return Measured(measure.label, measure.names, _with(vector, values))


def _with(vector: Vector, values: Sequence[Scalar | None]) -> Vector:
    return replace(vector, values=values)


def row_parts(grid: Grid) -> dict[str, Part]:
    """``rows`` and ``list``; of one row also ``row`` and ``value``."""
    names = listed(grid.names)
    items = tuple(
        (name, *(figure(m.vector.at(at), row=key_of(name)) for m in grid.measures[:1]))
        for at, name in enumerate(grid.names[:_MOST_LISTED])
    )
    found = {
        "rows": names,
        "list": Part(Role.LIST, items=items, more=names.more) if grid.measures else names,
    }
    if len(grid.names) == 1:
        found["row"] = grid.names[0]
        if grid.measures:
            value = grid.measures[0].vector.at(0)
            found["value"] = figure(value, row=key_of(grid.names[0]))
    return found


def sorted_rows(scope: Scoped, vector: Vector, *, descending: bool) -> list[int]:
    """The rows in scope by a column, those without a value last; equal ones keep their order."""
    pairs = list(zip(scope.rows, vector.values, strict=True))
    known = [(row, order) for row, cell in pairs if (order := sort_key(cell)) is not None]
    known.sort(key=lambda each: each[1], reverse=descending)
    if descending:
        known = _stable(known)
    rest = [row for row, cell in pairs if sort_key(cell) is None]
    return [row for row, _ in known] + rest


def _stable(pairs: list[tuple[int, Any]]) -> list[tuple[int, Any]]:
    return sorted(pairs, key=lambda each: each[1], reverse=True)


def sort_key(cell: Scalar | None) -> tuple[float, ...] | tuple[str] | None:
    """By which cells are sorted: figures and times by size, texts by letter."""
    found = order_of(cell)
    if found is not None:
        return found
    return (str(cell).casefold(),) if isinstance(cell, str | bool) else None


def plain_value(value: Value | None) -> Any:
    """A value as a claim states it: figures in the unit of their column."""
    if value is None:
        return None
    if isinstance(value.value, float):
        return value.value / value.scale
    return value.value if isinstance(value.value, str | bool) else value.value.isoformat()


def claim_of(
    form: str, scope: Scoped, arguments: Mapping[str, Any], values: Mapping[str, Any],
    shows: Sequence[str] = (), denies: Sequence[str] = (),
) -> Claim:  # fmt: skip
    """A claim over the rows in scope."""
    given = scope.arguments
    scoping: dict[str, Any] = {}
    if given.where:
        scoping["where"] = given.where
    if given.rows:
        scoping["rows"] = list(given.rows)
    if given.join:
        scoping["join"] = [given.join.result, given.join.left, given.join.right]
    if given.among:
        scoping["among"] = list(given.among)
    return Claim(
        form, scope.frame.table.name, {**scoping, **arguments}, values, frozenset(shows),
        frozenset(denies),
    )  # fmt: skip


def fact_of(
    scope: Scoped, claim: Claim, template: str, words: Mapping[str, Any],
    parts: Mapping[str, Part], measures: Sequence[ex.Measure], grid: Grid | None = None,
    **more: Any,
) -> Fact:  # fmt: skip
    """A fact over the rows in scope, with the limits of its condition among its parts."""
    return Fact(
        form=claim.form,
        claim=claim,
        template=template,
        words=words,
        parts={**limits_of(scope), **parts},
        grid=grid,
        results=scope.frame.results,
        cells=touched(scope, scope.rows, measures),
        **more,
    )


def needs(arguments: Arguments, *names: str) -> None:
    """Raises ``FactError`` where an argument is missing."""
    for name in names:
        if not getattr(arguments, name):
            raise FactError(Reason.ARGUMENT, name)
