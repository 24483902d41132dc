"""``top`` and ``bottom``: the rows with the largest or the smallest figure, or the latest day."""

from veridical.evidence.column import TIMES
from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact, figure, key_of, listed
from veridical.facts.forms.built import (
    Frames,
    claim_of,
    counted,
    fact_of,
    grid_of,
    plain_value,
    row_parts,
)
from veridical.facts.forms.groups import in_groups
from veridical.facts.kernel.order import known_count, leading_places
from veridical.facts.kernel.value import FactError, Reason
from veridical.facts.population import grouping, population
from veridical.facts.scope import measured, scoped

_HIGH = ("highest", "more")
_LOW = ("lowest", "less")


def top(arguments: Arguments, frames: Frames) -> Fact:
    """The largest first. Raises ``FactError``."""
    return _extreme(arguments, frames, descending=True)


def bottom(arguments: Arguments, frames: Frames) -> Fact:
    """The smallest first. Raises ``FactError``."""
    return _extreme(arguments, frames, descending=False)


def _extreme(arguments: Arguments, frames: Frames, *, descending: bool) -> Fact:
    scope = scoped(arguments, frames)
    groups, measures = in_groups(scope)
    found = tuple(measured(each, groups) for each in measures)
    vector = found[0].vector
    wanted = arguments.n or arguments.first or 1
    rows = [groups.rows[at] for at in leading_places(vector, wanted, descending=descending)]
    if not rows:
        raise FactError(Reason.NO_VALUE, measures[0].text)
    known = known_count(vector)
    grid = grid_of(groups, rows, found)
    form = "top" if descending else "bottom"
    parts = row_parts(grid) | {"of": counted(known), "n": counted(len(rows))}
    lead = grid.names[0]
    row = listed(grid.names) if wanted == 1 and len(grid.names) > 1 else lead
    value = grid.measures[0].vector.at(0)
    parts |= {"value": figure(value, row=key_of(lead)), "row": row}
    values = {
        "rows": [key_of(name) for name in grid.names],
        "values": [plain_value(grid.measures[0].vector.at(at)) for at in range(len(rows))],
        "of": known,
    }
    inputs = {"measure": measures[0].text, "n": wanted, "order": "desc" if descending else "asc"}
    shows, denies = (_HIGH, ("lowest",)) if descending else (_LOW, ("highest",))
    claim = claim_of(form, groups, inputs, values, shows, denies)
    kind = "time" if vector.kind in TIMES else "figure"
    several = "many" if wanted > 1 else "tied" if len(rows) > 1 else "one"
    words = {"grid": grid, "row": row, "value": parts["value"], "n": parts["n"],
             "label": found[0].label, "by": arguments.by,
             "population": grouping(scope) if arguments.by else population(groups, vector),
             }  # fmt: skip
    return fact_of(groups, claim, f"{form}.{kind}.{several}", words, parts, measures, grid)
