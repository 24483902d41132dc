"""``top`` and ``bottom``: the rows with the largest or the smallest figure, or the latest day."""

from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact, Grid, figure, key_of
from veridical.facts.forms.built import (
    Frames,
    claim_of,
    counted,
    fact_of,
    grid_of,
    plain_value,
    row_parts,
    sorted_rows,
)
from veridical.facts.forms.groups import in_groups
from veridical.facts.kernel.frame import TIMES, order_of
from veridical.facts.kernel.value import FactError, Reason
from veridical.facts.population import population
from veridical.facts.scope import Scoped, measured, scoped

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
    known = sum(order_of(cell) is not None for cell in vector.values)
    if not known:
        raise FactError(Reason.NO_VALUE, measures[0].text)
    ordered = sorted_rows(groups, vector, descending=descending)[:known]
    rows = _with_ties(ordered, arguments.n or arguments.first or 1, groups, vector.values)
    grid = grid_of(groups, rows, found)
    form = "top" if descending else "bottom"
    of = population(groups, vector)
    parts = row_parts(grid) | {"of": counted(of.count), "n": counted(len(rows))}
    value = grid.measures[0].vector.at(0)
    parts |= {"value": figure(value, row=key_of(grid.names[0])), "row": _leaders(grid, arguments)}
    values = {
        "rows": [key_of(name) for name in grid.names],
        "values": [plain_value(grid.measures[0].vector.at(at)) for at in range(len(rows))],
        "of": of.count,
    }
    said = {"measure": measures[0].text, "n": arguments.n or 1, "by": list(arguments.by),
            "order": "desc" if descending else "asc"}  # fmt: skip
    shows, denies = (_HIGH, ("lowest",)) if descending else (_LOW, ("highest",))
    claim = claim_of(form, scope, said, values, shows, denies)
    kind = "time" if vector.kind in TIMES else "figure"
    several = "many" if (arguments.n or 1) > 1 else "tied" if len(rows) > 1 else "one"
    words = {"grid": grid, "row": parts["row"], "value": parts["value"], "n": parts["n"],
             "label": found[0].label, "by": arguments.by,
             "population": population(scope if arguments.by else groups,
                                      *(() if arguments.by else (vector,)))}  # fmt: skip
    return fact_of(
        scope, claim, f"{form}.{kind}.{several}", words, parts, measures,
        grid,
    )  # fmt: skip


def _leaders(grid: Grid, arguments: Arguments) -> object:
    """The first row; where several share its place, all of them."""
    from veridical.facts.fact import listed

    if (arguments.n or 1) == 1 and len(grid.names) > 1:
        return listed(grid.names)
    return grid.names[0]


def _with_ties(ordered: list[int], n: int, scope: Scoped, values: object) -> list[int]:
    """So many rows, and those that share the last one's value."""
    cells = dict(zip(scope.rows, values, strict=True))  # type: ignore[call-overload]
    kept = ordered[:n]
    while len(kept) < len(ordered) and cells[ordered[len(kept)]] == cells[kept[-1]]:
        kept.append(ordered[len(kept)])
    return kept
