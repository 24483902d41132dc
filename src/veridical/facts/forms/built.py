"""Parts common to all forms: rows in order, their parts, figures as claims state them."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from veridical.evidence.column import CellKind
from veridical.evidence.dimension import COUNT, SHARE
from veridical.facts.arguments import Arguments
from veridical.facts.cells import touched
from veridical.facts.fact import Claim, Fact, Grid, Measured, Part, Role, figure, key_of, listed
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.frame import Frame
from veridical.facts.kernel.order import sorted_places
from veridical.facts.kernel.value import FactError, Reason, Value, Vector
from veridical.facts.limits import limits_of
from veridical.facts.naming import names_in
from veridical.facts.scope import Scoped

Frames = Mapping[str, Frame]
MOST_LISTED = 60
MOST_STATED = 200
_FEW = 20


def counted(number: int) -> Part:
    """A number of rows."""
    return Part(Role.COUNT, Value(CellKind.FIGURE, float(number), COUNT, digits=0))


def fraction(part: float, whole: float) -> Part:
    """A part of a whole; none of nothing."""
    value = Value(CellKind.FIGURE, part / whole, SHARE) if whole else None
    return Part(Role.FIGURE, value)


def grid_of(scope: Scoped, rows: Sequence[int], measures: Sequence[Measured]) -> Grid:
    """Rows in this order with their measures, which are over the rows in scope."""
    order = rows
    if len(rows) < _FEW:
        order = [scope.rows.index(row) for row in rows]
    elif scope.rows is not scope.frame.every:
        places = {row: at for at, row in enumerate(scope.rows)}
        order = [places[row] for row in rows]
    return Grid(names_in(scope, rows), tuple(_reordered(each, order) for each in measures))


def _reordered(measure: Measured, order: Sequence[int]) -> Measured:
    vector = measure.vector
    values = [vector.values[at] for at in order]
    return Measured(measure.label, measure.names, vector.having(values))


def row_parts(grid: Grid) -> dict[str, Part]:
    """``rows`` and ``list``; of one row also ``row`` and ``value``."""
    names = listed(grid.names)
    items = tuple(
        (name, *(figure(m.vector.at(at), row=key_of(name)) for m in grid.measures[:1]))
        for at, name in enumerate(grid.names[:MOST_LISTED])
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


def stated(grid: Grid, measures: Sequence[ex.Measure]) -> dict[str, Any]:
    """The rows of a claim with their figures, up to a limit."""
    shown = grid.names[:MOST_STATED]
    columns = {
        each.text: [plain_value(m.vector.at(at)) for at in range(len(shown))]
        for each, m in zip(measures, grid.measures, strict=True)
    }
    return {"measures": columns, "rows": [key_of(name) for name in shown]}


def sorted_rows(scope: Scoped, vector: Vector, *, descending: bool) -> list[int]:
    """The rows in scope by a column, those without a value last; equal ones keep their order."""
    return [scope.rows[at] for at in sorted_places(vector, descending=descending)]


def plain_value(value: Value | None) -> Any:
    """A value as a claim states it: figures in the unit of their column."""
    if value is None:
        return None
    if isinstance(value.value, float):
        return value.value / value.scale
    return value.value.isoformat() if isinstance(value.value, date) else value.value


def claim_of(
    form: str, scope: Scoped, arguments: Mapping[str, Any], values: Mapping[str, Any],
    shows: Sequence[str] = (), denies: Sequence[str] = (),
) -> Claim:  # fmt: skip
    """A claim over the rows in scope."""
    given = scope.origin.arguments
    scoping: dict[str, Any] = {}
    for name, value in (("where", given.where), ("rows", given.rows), ("among", given.among),
                        ("by", given.by), ("format", given.format)):  # fmt: skip
        if value:
            scoping[name] = list(value) if isinstance(value, tuple) else value
    if given.join:
        scoping["join"] = [given.join.result, given.join.left, given.join.right]
    return Claim(
        form, scope.frame.table.name, {**scoping, **arguments}, values, frozenset(shows),
        frozenset(denies),
    )  # fmt: skip


def aliases(measures: Sequence[ex.Measure]) -> dict[str, str]:
    """The author's own names, with the expressions that they stand for."""
    return {each.alias: each.text for each in measures if each.alias}


def over_rows(measures: Sequence[ex.Measure]) -> bool:
    """True if a measure is an aggregate, which other rows would change."""
    return any(ex.has_aggregate(each.meaning or each.expression) for each in measures)


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
        parts={**limits_of(scope.origin), **parts},
        grid=grid,
        results=scope.frame.results,
        cells=touched(scope, measures),
        **more,
    )


def needs(arguments: Arguments, *names: str) -> None:
    """Raises ``FactError`` where an argument is missing."""
    for name in names:
        if not getattr(arguments, name):
            raise FactError(Reason.ARGUMENT, name)
