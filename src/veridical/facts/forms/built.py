"""Parts common to all forms: rows in order, their parts, and the fact that states them."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from veridical.evidence.column import CellKind
from veridical.evidence.dimension import COUNT, SHARE
from veridical.facts.arguments import Arguments
from veridical.facts.fact import (
    Claim,
    Fact,
    Grid,
    Measured,
    Part,
    Role,
    Touched,
    figure,
    key_of,
    listed,
)
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.frame import Frame
from veridical.facts.kernel.order import sorted_places
from veridical.facts.kernel.value import FactError, Reason, Scalar, Value, Vector
from veridical.facts.limits import limits_of
from veridical.facts.naming import names_in
from veridical.facts.scope import Scoped, measured, population

Frames = Mapping[str, Frame]
Parts = dict[str, Part]
Claims = tuple[tuple[str, ...], tuple[str, ...]]
"""What a sentence beside a fact may claim, and what it may not."""
MOST_LISTED = 60
MOST_STATED = 200
_FEW = 20
_MOST_CELLS = 100_000
"""Rows whose cells a fact lists."""
_SCOPING = ("where", "rows", "among", "by", "format")


def counted(number: int) -> Part:
    """A number of rows."""
    return Part(Role.COUNT, Value(CellKind.FIGURE, float(number), COUNT, digits=0))


def fraction(part: float, whole: float) -> Part:
    """A part of a whole; none of nothing."""
    return figure(Value(CellKind.FIGURE, part / whole, SHARE) if whole else None)


def counts(n: int, of: int) -> Parts:
    """A number of rows out of all, and those that are left."""
    return {"n": counted(n), "of": counted(of), "share": fraction(n, of), "rest": counted(of - n)}


def grid_of(scope: Scoped, rows: Sequence[int], measures: Sequence[ex.Measure | Measured]) -> Grid:
    """Rows in this order with their measures, which are over the rows in scope."""
    if scope.rows is scope.frame.every:
        order = rows
    elif len(rows) < _FEW:
        order = [scope.rows.index(row) for row in rows]
    else:
        places = {row: at for at, row in enumerate(scope.rows)}
        order = [places[row] for row in rows]
    found = (measured(each, scope) if isinstance(each, ex.Measure) else each for each in measures)
    return Grid(names_in(scope, rows), tuple(each.ordered(order) for each in found))


def row_parts(grid: Grid) -> Parts:
    """``rows`` and ``list``; of one row also ``row`` and ``value``."""
    names = listed(grid.names)
    found = {"rows": names, "list": items_of(grid, MOST_LISTED) if grid.measures else names}
    if len(grid.names) == 1:
        found["row"] = grid.names[0]
        if grid.measures:
            found["value"] = grid.cell(0, 0)
    return found


def items_of(grid: Grid, most: int) -> Part:
    """The first names with their first figure."""
    items = tuple((name, grid.cell(0, at)) for at, name in enumerate(grid.names[:most]))
    return Part(Role.LIST, items=items, more=max(0, len(grid.names) - most))


def stated(grid: Grid, measures: Sequence[ex.Measure]) -> dict[str, Any]:
    """The rows of a claim with their figures, up to a limit."""
    columns = {each.text: stated_column(grid, at) for at, each in enumerate(measures)}
    return {"measures": columns, "rows": stated_names(grid.names)}


def stated_names(names: Sequence[Part]) -> list[str]:
    """Names as a claim has them, up to a limit."""
    return [key_of(name) for name in names[:MOST_STATED]]


def stated_column(grid: Grid, measure: int) -> list[Any]:
    """The figures of a measure as a claim has them, up to a limit."""
    vector = grid.measures[measure].vector
    return [_plain(cell, vector.scale) for cell in vector.values[:MOST_STATED]]


def stated_parts(parts: Mapping[str, Part], names: str) -> dict[str, Any]:
    """Parts as a claim has them: figures in the unit of their column, counts whole, names as
    texts."""
    return {name: _stated(parts[name]) for name in names.split()}


def _stated(part: Part) -> Any:
    if part.role is Role.NAME:
        return key_of(part)
    found = plain_value(part.value)
    return int(found) if part.role is Role.COUNT else found


def plain_value(value: Value | None) -> Any:
    """A value as a claim has it: figures in the unit of their column."""
    return None if value is None else _plain(value.value, value.scale)


def _plain(cell: Scalar | None, scale: float) -> Any:
    if isinstance(cell, float):
        return cell / scale
    return cell.isoformat() if isinstance(cell, date) else cell


def texts_of(measures: Sequence[ex.Measure]) -> list[str]:
    """Measures as their author wrote them."""
    return [each.text for each in measures]


def aliases(measures: Sequence[ex.Measure]) -> dict[str, str]:
    """The author's own names, with the expressions that they stand for."""
    return {each.alias: each.text for each in measures if each.alias}


def over_rows(measures: Sequence[ex.Measure]) -> bool:
    """True if a measure is an aggregate, which other rows would change."""
    return any(ex.has_aggregate(each.meaning or each.expression) for each in measures)


def sorted_rows(scope: Scoped, vector: Vector, *, descending: bool) -> list[int]:
    """The rows in scope by a column, those without a value last; equal ones keep their order."""
    return [scope.rows[at] for at in sorted_places(vector, descending=descending)]


def fact_of(
    scope: Scoped, template: str, parts: Parts, measures: Sequence[ex.Measure],
    inputs: Mapping[str, Any], values: Mapping[str, Any], claims: Claims = ((), ()),
    grid: Grid | None = None, extras: Mapping[str, frozenset[str]] | None = None, **words: Any,
) -> Fact:  # fmt: skip
    """A fact over the rows in scope, whose template begins with its form; the limits of its
    condition are among its parts, and the rows and groups among the words of its sentence."""
    given = scope.origin.arguments
    scoping = {name: list(value) if isinstance(value, tuple) else value
               for name in _SCOPING if (value := getattr(given, name))}  # fmt: skip
    if given.join:
        scoping["join"] = [given.join.result, given.join.left, given.join.right]
    form, table = template.partition(".")[0], scope.frame.table.name
    if "population" not in words:
        words["population"] = population(scope)
    return Fact(
        form, Claim(form, table, {**scoping, **inputs}, values, *map(frozenset, claims)), template,
        {"by": scope.arguments.by if scope.frame.keys else (), **words},
        {**limits_of(scope), **parts}, grid, extras or {}, scope.frame.results,
        _touched(scope, measures),
    )  # fmt: skip


def _touched(scope: Scoped, measures: Sequence[ex.Measure]) -> tuple[Touched, ...]:
    """The cells that measures and condition read."""
    columns = {name for each in measures for name in ex.column_names(each.meaning
               or each.expression)}  # fmt: skip
    origin = scope.origin
    base = scope if scope.frame.sources else origin  # groups are of the rows of the result
    found = _traced(base.frame, base.rows, columns)
    if origin.condition is not None:
        met = set(ex.column_names(origin.condition))
        found = (*found, *_traced(origin.frame, origin.rows, met))
    return found


def _traced(frame: Frame, rows: Sequence[int], columns: set[str]) -> tuple[Touched, ...]:
    """Cells of a frame as those of the results that it was made of."""
    kept = tuple(rows[:_MOST_CELLS])
    if not frame.sources:
        return (Touched(frame.table.name, kept, frozenset(columns)),)
    found: list[Touched] = []
    for source in frame.sources:
        names = frozenset(source.columns[name] for name in columns if name in source.columns)
        places = source.rows if len(source.rows) == 1 else tuple(source.rows[row] for row in kept)
        if names:
            found.append(Touched(source.result, places, names))
    return tuple(found)


def needs(arguments: Arguments, *names: str) -> None:
    """Raises ``FactError`` where an argument is missing."""
    for name in names:
        if not getattr(arguments, name):
            raise FactError(Reason.ARGUMENT, name)
