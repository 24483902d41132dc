"""Rows in groups: one row for each, with every measure over its rows."""

from collections import defaultdict
from dataclasses import replace
from typing import Any

from veridical.evidence.column import Additivity, CellKind, Column
from veridical.evidence.table import Cell, EvidenceTable
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.evaluate import evaluate, series
from veridical.facts.kernel.frame import Frame
from veridical.facts.kernel.reduce import reduced_groups
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
    groups = _groups(scope, keys)
    wholes = tuple(aggregated(each, function) for each in measures)
    columns = [_column(each, scope, list(groups.values())) for each in wholes]
    head = [replace(scope.frame.table.columns[at], is_key=len(keys) == 1) for at in keys]
    names = _names(wholes, scope.arguments.by)
    figures = [
        Column(name, vector.kind, vector.dimension, vector.additivity)
        for name, vector in zip(names, columns, strict=True)
    ]
    cells = tuple([(*key, *(vector.values[at] for vector in columns))
                   for at, key in enumerate(groups)])  # fmt: skip
    old = scope.frame.table
    table = EvidenceTable(old.name, (*head, *figures), cells, old.title, held=old.held,
                  truncated=old.truncated)  # fmt: skip
    left = len(scope.rows) - sum(map(len, groups.values()))
    frame = Frame(table, scope.frame.results, keys=len(keys), ungrouped=left)
    for at, vector in enumerate(columns):
        frame.known[len(head) + at] = replace(vector, name=names[at])
    whole = tuple(range(len(cells)))
    found = Scoped(frame, whole, whole, scope.condition, scope.others, scope.arguments, whole,
                   scope)  # fmt: skip
    again = tuple(
        ex.Measure(ex.Column(name), measure.text, measure.alias, measure.expression)
        for name, measure in zip(names, wholes, strict=True)
    )
    return found, again


def _groups(scope: Scoped, keys: list[int]) -> dict[tuple[Cell, ...], list[int]]:
    """The places in scope by their cells in these columns; an empty cell is no group."""
    groups: dict[Any, list[int]] = defaultdict(list)
    columns = [scope.frame.taken(at, scope.rows) for at in keys]
    if len(columns) == 1:
        for place, cell in enumerate(columns[0]):
            groups[cell].append(place)
        return {(cell,): places for cell, places in groups.items() if cell is not None}
    for place, key in enumerate(zip(*columns, strict=True)):
        groups[key].append(place)
    return {key: places for key, places in groups.items() if None not in key}


def _names(measures: tuple[ex.Measure, ...], keys: tuple[str, ...]) -> list[str]:
    """The names of the columns of groups, each unique."""
    taken = {each.casefold() for each in keys}
    found: list[str] = []
    for measure in measures:
        name = measure.alias or measure.text
        while name.casefold() in taken:
            name += "\N{PRIME}"
        taken.add(name.casefold())
        found.append(name)
    return found


def _column(measure: ex.Measure, scope: Scoped, groups: list[list[int]]) -> Vector:
    values = _reduced(measure.expression, scope, groups)
    if values is None:
        values = [_value(measure, scope, places) for places in groups]
    first = next((each for each in values if each is not None), None)
    if first is None:
        return Vector(measure.text, CellKind.FIGURE, [None] * len(groups))
    found = Vector(
        measure.text, first.kind, [each.value if each else None for each in values],
        first.dimension, first.scale, first.digits, _additivity(measure, scope),
        frozenset(ex.column_names(measure.expression)), first.decimals,
    )  # fmt: skip
    return found.in_units([each.dimension if each else None for each in values])


def _reduced(
    expression: ex.Expression, scope: Scoped, groups: list[list[int]]
) -> list[Value | None] | None:
    """An aggregate of what is measured of each row: measured once, then taken apart."""
    if not isinstance(expression, ex.Call) or expression.function not in _REDUCED:
        return None
    inner = expression.arguments[0] if len(expression.arguments) == 1 else None
    if inner is None or ex.has_aggregate(inner) or not ex.column_names(inner):
        return None
    whole = series(inner, scope.evaluation)
    return reduced_groups(expression.function, whole, scope.frame, scope.rows, groups)


_REDUCED = frozenset({"sum", "avg", "median", "min", "max", "distinct"})


def _value(measure: ex.Measure, scope: Scoped, places: list[int]) -> Value | None:
    rows = [scope.rows[at] for at in places]
    found = evaluate(measure.expression, scope.evaluation.of(rows))
    if isinstance(found, Vector):
        raise FactError(Reason.SEVERAL_ROWS, measure.text)
    return found


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
    measures = measures_of(scope) if given else (ex.Measure(ex.Call("count", ()), "count()", ""),)
    return grouped(scope, measures, function)
