"""Rows in groups: one row for each, with every measure over its rows."""

from dataclasses import replace

from veridical.evidence.column import Additivity, Column, Kind
from veridical.evidence.table import Cell, Table
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.evaluate import Scope, evaluate, series
from veridical.facts.kernel.frame import Frame
from veridical.facts.kernel.value import FactError, Reason, Value, Vector
from veridical.facts.scope import Scoped, measures_of


def aggregated(measure: ex.Measure, function: str = "sum") -> ex.Measure:
    """A measure as one value for many rows: as it is, or by this function."""
    if ex.has_aggregate(measure.expression):
        return measure
    return replace(measure, expression=ex.Call(function, (measure.expression,)))


def grouped(
    scope: Scoped, measures: tuple[ex.Measure, ...], function: str = "sum"
) -> tuple[Scoped, tuple[ex.Measure, ...]]:
    """The groups as rows, and the measures as their columns. Raises ``FactError``."""
    keys = [scope.frame.column(name) for name in scope.arguments.by]
    rows = scope.frame.table.rows
    groups: dict[tuple[Cell, ...], list[int]] = {}
    for row in scope.rows:
        key = tuple(rows[row][at] for at in keys)
        if all(cell is not None for cell in key):
            groups.setdefault(key, []).append(row)
    wholes = tuple(aggregated(each, function) for each in measures)
    columns = [_column(each, scope, list(groups.values())) for each in wholes]
    head = [replace(scope.frame.table.columns[at], is_key=len(keys) == 1) for at in keys]
    names = [_name(each, at) for at, each in enumerate(wholes)]
    figures = [
        Column(name, vector.kind, vector.dimension, vector.additivity)
        for name, vector in zip(names, columns, strict=True)
    ]
    cells = tuple(
        (*key, *(vector.values[at] for vector in columns)) for at, key in enumerate(groups)
    )
    old = scope.frame.table
    table = Table(old.name, (*head, *figures), cells, old.title, held=old.held,
                  truncated=old.truncated)  # fmt: skip
    frame = Frame(table, scope.frame.results)
    for at, vector in enumerate(columns):
        frame.known[len(head) + at] = replace(vector, name=names[at])
    whole = tuple(range(len(cells)))
    found = Scoped(frame, whole, whole, None, scope.others, replace(scope.arguments, where=""))
    again = tuple(
        ex.Measure(ex.Column(name), measure.text, measure.alias, measure.expression)
        for name, measure in zip(names, wholes, strict=True)
    )
    return found, again


def _name(measure: ex.Measure, at: int) -> str:
    return measure.alias or f"{measure.text}" or f"m{at}"


def _column(measure: ex.Measure, scope: Scoped, groups: list[list[int]]) -> Vector:
    values: list[Value | None] = []
    for rows in groups:
        found = evaluate(measure.expression, Scope(scope.frame, tuple(rows), scope.others))
        if isinstance(found, Vector):
            raise FactError(Reason.SEVERAL_ROWS, measure.text)
        values.append(found)
    first = next((each for each in values if each is not None), None)
    if first is None:
        return Vector(measure.text, Kind.FIGURE, [None] * len(groups))
    return Vector(
        measure.text, first.kind, [each.value if each else None for each in values],
        first.dimension, first.scale, first.digits, _additivity(measure, scope),
        frozenset(ex.column_names(measure.expression)), first.decimals,
    )  # fmt: skip


def _additivity(measure: ex.Measure, scope: Scoped) -> Additivity:
    """Sums and counts of groups add up again, all else does not."""
    found = measure.expression
    if not isinstance(found, ex.Call) or found.function not in ("sum", "count"):
        return Additivity.NEVER
    if found.function == "count":
        return Additivity.FULL
    return series(found.arguments[0], scope.evaluation).additivity


def in_groups(scope: Scoped, function: str = "sum") -> tuple[Scoped, tuple[ex.Measure, ...]]:
    """Scope and measures as they are, or by group where the fact asks for it."""
    if not scope.arguments.by:
        return scope, measures_of(scope)
    given = scope.arguments.measures
    measures = measures_of(scope) if given else (ex.Measure(ex.Call("count", ()), "count", ""),)
    return grouped(scope, measures, function)
