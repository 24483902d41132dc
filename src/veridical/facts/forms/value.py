"""``value``, ``total``, ``count``: figures of rows, of all rows together, or of each group."""

from dataclasses import replace
from typing import Any

from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact, Label, Part, figure, key_of, plain
from veridical.facts.forms.built import (
    Claims,
    Frames,
    Parts,
    aliases,
    counted,
    counts,
    fact_of,
    grid_of,
    over_rows,
    plain_value,
    row_parts,
    stated,
    texts_of,
)
from veridical.facts.forms.groups import aggregated, grouped, in_groups
from veridical.facts.forms.listing import in_order, quantified
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.evaluate import series
from veridical.facts.kernel.value import FactError, Reason, Vector
from veridical.facts.scope import (
    Scoped,
    evaluated,
    grouping,
    label_of,
    measures_of,
    population,
    scoped,
)

_FUNCTIONS = {"": "sum", "sum": "sum", "total": "sum", "avg": "avg", "average": "avg",
              "mean": "avg", "median": "median", "min": "min", "max": "max", "count": "count",
              "distinct": "distinct"}  # fmt: skip


def value(arguments: Arguments, frames: Frames) -> Fact:
    """Figures of one row, of several, or of all rows together. Raises ``FactError``."""
    scope = scoped(arguments, frames)
    measures = measures_of(scope)
    if all(ex.has_aggregate(each.expression) for each in measures) and not arguments.by:
        parts, pairs, values = _wholes(scope, measures)
        inputs = {"measures": texts_of(measures)}
        return fact_of(scope, "value.whole", parts, measures, inputs, values, pairs=pairs)
    scope, measures = in_groups(scope)
    if not scope.rows:
        raise FactError(Reason.NO_ROW, ", ".join(arguments.rows) or arguments.where)
    if len(scope.rows) > 1 and not arguments.rows and not arguments.where and not arguments.by:
        raise FactError(Reason.SEVERAL_ROWS, arguments.measures[0] if arguments.measures else "")
    grid = grid_of(scope, scope.rows, measures)
    if len(grid.names) > 1:
        template = "value.rows" if len(measures) == 1 else "value.grid"
    else:
        template = "value.row" if any(map(key_of, grid.names)) else "value.only"
    return fact_of(
        scope, template, row_parts(grid), measures, {"measures": texts_of(measures)},
        stated(grid, measures), grid=grid, label=grid.measures[0].label,
        over_rows=over_rows(measures),
    )  # fmt: skip


def total(arguments: Arguments, frames: Frames) -> Fact:
    """A sum, a mean, a median or an extreme over rows, of all or of each group. Raises
    ``FactError``."""
    function = _FUNCTIONS.get(arguments.agg)
    if function is None:
        raise FactError(Reason.ARGUMENT, f"agg {arguments.agg}", tuple(_FUNCTIONS))
    scope = scoped(arguments, frames)
    measures = measures_of(scope)
    inputs: dict[str, Any] = {"measures": texts_of(measures), "agg": function}
    if arguments.by:
        inputs |= {"sort": arguments.sort, "as": aliases(measures)}
        groups, columns = grouped(scope, measures, function)
        rows = in_order(groups)
        grid = grid_of(groups, rows, columns)
        parts = row_parts(grid) | {"n": counted(len(rows)), "of": counted(len(rows))}
        return fact_of(
            groups, "total.groups", parts, columns, inputs, stated(grid, measures),
            _claims(function, measures), grid, population=grouping(scope),
        )  # fmt: skip
    wholes = tuple(aggregated(each, function) for each in measures)
    found, pairs, values = _wholes(scope, wholes)
    known = _known(measures, scope)
    rows_of = population(scope, *(each.values for each in known))
    n = rows_of.count if known else len(scope.rows)
    parts = {"n": counted(n), "of": counted(len(scope.of)), **found}
    return fact_of(
        scope, "total.all", parts, measures, inputs, values, _claims(function, wholes),
        pairs=pairs, population=rows_of,
    )  # fmt: skip


def count(arguments: Arguments, frames: Frames) -> Fact:
    """The number of rows that meet a condition. Raises ``FactError``."""
    if arguments.by:
        return total(replace(arguments, measures=("count()",), agg="sum"), frames)
    scope = scoped(arguments, frames)
    n, of = len(scope.rows), len(scope.of)
    kind = "only" if scope.condition is None else "none" if not n else "all" if n == of else "some"
    parts = counts(n, of) | {"value": counted(n)}
    return fact_of(scope, f"count.{kind}", parts, (), {}, {"n": n, "of": of}, quantified(n, of))


def _wholes(
    scope: Scoped, measures: tuple[ex.Measure, ...]
) -> tuple[Parts, tuple[tuple[Label, Part], ...], dict[str, Any]]:
    """Aggregates over all rows in scope: as parts, under their labels, as a claim states them."""
    parts: Parts = {}
    pairs: list[tuple[Label, Part]] = []
    values: dict[str, Any] = {}
    for measure in measures:
        found = evaluated(measure, scope)
        if isinstance(found, Vector) or found is None:
            raise FactError(Reason.NO_VALUE, measure.text)
        part = figure(found)
        names = ("" if pairs else "value", plain(measure.alias), plain(measure.text))
        parts |= {name: part for name in names if name}
        pairs.append((label_of(measure), part))
        values[measure.text] = plain_value(found)
    return parts, tuple(pairs), {"measures": values}


def _known(measures: tuple[ex.Measure, ...], scope: Scoped) -> list[Vector]:
    """The columns whose empty cells were left out; none where they were not the same for all."""
    if any(ex.has_aggregate(each.expression) for each in measures):
        return []
    found = [series(each.expression, scope.evaluation) for each in measures]
    gaps = {tuple(cell is None for cell in each.values) if None in each.values else ()
            for each in found}  # fmt: skip
    return found if len(gaps) <= 1 else []


def _claims(function: str, measures: tuple[ex.Measure, ...]) -> Claims:
    """A sum is no mean, a mean no sum, and a median neither; a ratio of sums may be either."""
    inner = {_function(each.expression, function) for each in measures}
    if inner <= {"sum", "count"}:
        return ("together",), ("average", "median")
    if inner <= {"avg", "wavg"}:
        return ("average",), ("together", "median")
    if inner in ({"max"}, {"min"}):
        return ("highest" if inner == {"max"} else "lowest",), ("together", "average", "median")
    if inner <= {"median"}:
        return ("median",), ("together", "average")
    return ("together", "average", "highest", "lowest"), ()


def _function(measure: ex.Expression, function: str) -> str:
    """The aggregate that a measure is; none for one that is computed from aggregates."""
    if isinstance(measure, ex.Call):
        return measure.function
    return "" if ex.has_aggregate(measure) else function
