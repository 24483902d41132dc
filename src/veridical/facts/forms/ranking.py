"""``top``, ``bottom``, ``range``, ``rank``: rows by the size of a figure, or by their days."""

from dataclasses import replace

from veridical.evidence.column import TIMES, CellKind
from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact, figure, key_of, listed
from veridical.facts.forms.built import (
    Frames,
    counted,
    fact_of,
    grid_of,
    row_parts,
    stated_column,
    stated_parts,
)
from veridical.facts.forms.groups import in_groups
from veridical.facts.kernel.arithmetic import computed
from veridical.facts.kernel.order import end_places, known_count, leading_places, standing
from veridical.facts.kernel.value import FactError, Reason
from veridical.facts.naming import names_in
from veridical.facts.scope import grouping, measured, population, scoped


def top(arguments: Arguments, frames: Frames) -> Fact:
    """The largest figures or the latest days. Raises ``FactError``."""
    return _extreme(arguments, frames, descending=True)


def bottom(arguments: Arguments, frames: Frames) -> Fact:
    """The smallest figures or the earliest days. Raises ``FactError``."""
    return _extreme(arguments, frames, descending=False)


def _extreme(arguments: Arguments, frames: Frames, *, descending: bool) -> Fact:
    before = scoped(arguments, frames)
    scope, measures = in_groups(before)
    found = tuple(measured(each, scope) for each in measures)
    vector = found[0].vector
    wanted = arguments.n or arguments.first or 1
    rows = [scope.rows[at] for at in leading_places(vector, wanted, descending=descending)]
    if not rows:
        raise FactError(Reason.NO_VALUE, measures[0].text)
    known = known_count(vector)
    grid = grid_of(scope, rows, found)
    row = listed(grid.names) if wanted == 1 and len(rows) > 1 else grid.names[0]
    parts = row_parts(grid) | {"of": counted(known), "n": counted(len(rows)), "row": row,
                               "value": grid.cell(0, 0)}  # fmt: skip
    kind = "time" if vector.kind in TIMES else "figure"
    several = "many" if wanted > 1 else "tied" if len(rows) > 1 else "one"
    form, order = ("top", "desc") if descending else ("bottom", "asc")
    high, low = (("highest", "more"), ("lowest",)), (("lowest", "less"), ("highest",))
    return fact_of(
        scope, f"{form}.{kind}.{several}", parts, measures,
        {"measure": measures[0].text, "n": wanted, "order": order},
        {"rows": [key_of(name) for name in grid.names], "values": stated_column(grid, 0),
         "of": known},
        high if descending else low, grid, label=found[0].label,
        population=grouping(before) if arguments.by else population(scope, vector.values),
    )  # fmt: skip


def ends(arguments: Arguments, frames: Frames) -> Fact:
    """The smallest and the largest figure, with the rows that have them. Raises ``FactError``."""
    scope, measures = in_groups(scoped(arguments, frames))
    found = measured(measures[0], scope)
    places = end_places(found.vector)
    if places is None:
        raise FactError(Reason.NO_VALUE, measures[0].text)
    low_at, high_at = names_in(scope, [scope.rows[at] for at in places])
    low, high = (found.vector.at(at) for at in places)
    # between two months lies no number of days
    timed = found.vector.kind is CellKind.PERIOD
    diff = None if timed else computed("-", high, low)
    parts = {
        "low": figure(low, row=key_of(low_at)), "high": figure(high, row=key_of(high_at)),
        "low_at": low_at, "high_at": high_at, "diff": figure(diff),
        "n": counted(known_count(found.vector)),
    }  # fmt: skip
    return fact_of(
        scope, "range.plain" if diff is None else "range", parts, measures,
        {"measure": measures[0].text}, stated_parts(parts, "low high low_at high_at diff"),
        (("highest", "lowest", "more", "less"), ()), label=found.label,
        population=population(scope, found.vector.values),
    )  # fmt: skip


def rank(arguments: Arguments, frames: Frames) -> Fact:
    """The place of a row by a measure. Raises ``FactError``."""
    scope, measures = in_groups(scoped(replace(arguments, rows=()), frames))
    found = measured(measures[0], scope)
    rows = scope.frame.find(arguments.rows[0], scope.rows) if arguments.rows else ()
    if len(rows) != 1:
        raise FactError(Reason.SEVERAL_ROWS if rows else Reason.NO_ROW, " ".join(arguments.rows))
    at = scope.rows.index(rows[0])
    value = found.vector.at(at)
    if value is None:
        raise FactError(Reason.NO_VALUE, arguments.rows[0])
    order = "asc" if arguments.order.startswith("asc") else "desc"
    ahead, same = standing(found.vector, at, ascending=order == "asc")
    name = names_in(scope, rows)[0]
    parts = {"row": name, "rank": counted(ahead + 1), "of": counted(known_count(found.vector)),
             "value": figure(value, row=key_of(name)), "ties": counted(same - 1)}  # fmt: skip
    return fact_of(
        scope, f"rank.{order}" + (".tied" if same > 1 else ""), parts, measures,
        {"measure": measures[0].text, "rows": list(arguments.rows[:1]), "order": order},
        stated_parts(parts, "rank of row value"), (("highest", "lowest"), ()), label=found.label,
        population=population(scope, found.vector.values),
    )  # fmt: skip
