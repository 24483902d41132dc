"""``total``: a sum, a mean, a median or an extreme over rows, of all or of each group."""

from typing import Any

from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact, Label, Part, figure, plain
from veridical.facts.forms.built import (
    Frames,
    aliases,
    claim_of,
    counted,
    fact_of,
    grid_of,
    plain_value,
    row_parts,
    stated,
)
from veridical.facts.forms.groups import aggregated, grouped
from veridical.facts.forms.listing import in_order
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.evaluate import series
from veridical.facts.kernel.value import FactError, Reason, Vector
from veridical.facts.population import grouping, population
from veridical.facts.scope import Scoped, label_of, measured, measures_of, scoped, value_of

_FUNCTIONS = {"": "sum", "sum": "sum", "total": "sum", "avg": "avg", "average": "avg",
              "mean": "avg", "median": "median", "min": "min", "max": "max", "count": "count",
              "distinct": "distinct"}  # fmt: skip


def state(arguments: Arguments, frames: Frames) -> Fact:
    """The fact. Raises ``FactError``."""
    function = _FUNCTIONS.get(arguments.agg)
    if function is None:
        raise FactError(Reason.ARGUMENT, f"agg {arguments.agg}", tuple(_FUNCTIONS))
    scope = scoped(arguments, frames)
    measures = measures_of(scope)
    if arguments.by:
        return _by_group(scope, measures, function)
    wholes = tuple(aggregated(each, function) for each in measures)
    parts = {"n": counted(len(scope.rows)), "of": counted(len(scope.of))}
    pairs: list[tuple[Label, Part]] = []
    values: dict[str, Any] = {}
    for at, measure in enumerate(wholes):
        found = value_of(measure, scope)
        if isinstance(found, Vector) or found is None:
            raise FactError(Reason.NO_VALUE, measure.text)
        part = figure(found)
        names = (*([] if at else ["value"]), plain(measure.alias), plain(measure.text))
        parts |= {name: part for name in names if name}
        pairs.append((label_of(measure), part))
        values[measure.text] = plain_value(found)
    known = _known(measures, scope)
    inputs = {"measures": [each.text for each in measures], "agg": function}
    claim = claim_of("total", scope, inputs, {"measures": values}, *_shown(function, wholes))
    rows_of = population(scope, *known)
    if known:
        parts["n"] = counted(rows_of.count)
    words = {"pairs": tuple(pairs), "population": rows_of}
    return fact_of(scope, claim, "total.all", words, parts, measures)


def _known(measures: tuple[ex.Measure, ...], scope: Scoped) -> list[Vector]:
    """The columns whose empty cells were left out; none where they were not the same for all."""
    found = [
        series(each.expression, scope.evaluation)
        for each in measures
        if not ex.has_aggregate(each.expression)
    ]
    gaps = [tuple(cell is None for cell in each.values) for each in found]
    return found if len(found) == len(measures) and len(set(gaps)) <= 1 else []


def _by_group(scope: Scoped, measures: tuple[ex.Measure, ...], function: str) -> Fact:
    groups, columns = grouped(scope, measures, function)
    found = tuple(measured(each, groups) for each in columns)
    rows = in_order(groups)
    grid = grid_of(groups, rows, found)
    parts = row_parts(grid) | {"n": counted(len(rows)), "of": counted(len(rows))}
    values = stated(grid, measures)
    inputs = {"measures": [each.text for each in measures], "agg": function,
              "sort": scope.arguments.sort, "as": aliases(measures)}  # fmt: skip
    claim = claim_of("total", scope, inputs, values, *_shown(function, measures))
    words = {"grid": grid, "population": grouping(scope), "by": scope.arguments.by}
    return fact_of(groups, claim, "total.groups", words, parts, columns, grid)


def _shown(
    function: str, measures: tuple[ex.Measure, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A sum is no mean, and a mean no sum."""
    inner = {each.expression.function if isinstance(each.expression, ex.Call) else function
             for each in measures}  # fmt: skip
    if inner <= {"sum", "count"}:
        return ("together",), ("average",)
    if inner <= {"avg", "median"}:
        return ("average",), ("together",)
    return ("together", "average", "highest", "lowest"), ()
