"""``value``: figures of one row, of several, or of all rows together."""

from typing import Any

from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact, Label, Part, figure, key_of, plain
from veridical.facts.forms.built import (
    Frames,
    claim_of,
    fact_of,
    grid_of,
    over_rows,
    plain_value,
    row_parts,
    stated,
)
from veridical.facts.forms.groups import in_groups
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.value import FactError, Reason, Vector
from veridical.facts.population import population
from veridical.facts.scope import Scoped, label_of, measured, measures_of, scoped, value_of


def state(arguments: Arguments, frames: Frames) -> Fact:
    """The fact. Raises ``FactError``."""
    scope = scoped(arguments, frames)
    measures = measures_of(scope)
    if all(ex.has_aggregate(each.expression) for each in measures) and not arguments.by:
        return _whole(scope, measures)
    scope, measures = in_groups(scope)
    if not scope.rows:
        raise FactError(Reason.NO_ROW, ", ".join(arguments.rows) or arguments.where)
    if len(scope.rows) > 1 and not arguments.rows and not arguments.where and not arguments.by:
        raise FactError(Reason.SEVERAL_ROWS, arguments.measures[0] if arguments.measures else "")
    found = tuple(measured(each, scope) for each in measures)
    grid = grid_of(scope, scope.rows, found)
    claim = claim_of("value", scope, _arguments(measures), stated(grid, measures))
    words = {"grid": grid, "population": population(scope), "by": arguments.by,
             "label": found[0].label, "over_rows": over_rows(measures)}  # fmt: skip
    if len(grid.names) > 1:
        template = "value.rows" if len(found) == 1 else "value.grid"
    else:
        template = "value.row" if any(map(key_of, grid.names)) else "value.only"
    return fact_of(scope, claim, template, words, row_parts(grid), measures, grid)


def _arguments(measures: tuple[ex.Measure, ...]) -> dict[str, object]:
    return {"measures": [each.text for each in measures]}


def _whole(scope: Scoped, measures: tuple[ex.Measure, ...]) -> Fact:
    """Aggregates over all rows in scope."""
    parts: dict[str, Part] = {}
    pairs: list[tuple[Label, Part]] = []
    values: dict[str, Any] = {}
    for at, measure in enumerate(measures):
        found = value_of(measure, scope)
        if isinstance(found, Vector) or found is None:
            raise FactError(Reason.NO_VALUE, measure.text)
        part = figure(found)
        parts |= {name: part for name in (*([] if at else ["value"]), plain(measure.alias),
                  plain(measure.text)) if name}  # fmt: skip
        pairs.append((label_of(measure), part))
        values[measure.text] = plain_value(found)
    claim = claim_of("value", scope, _arguments(measures), {"measures": values})
    words = {"pairs": tuple(pairs), "population": population(scope)}
    return fact_of(scope, claim, "value.whole", words, parts, measures)
