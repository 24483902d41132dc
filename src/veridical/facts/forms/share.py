"""``share``: a part of a whole: of rows in all, of one column in another, or of each row."""

from dataclasses import replace

from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact, Grid, Measured, figure, listed
from veridical.facts.forms.built import (
    MOST_LISTED,
    Claims,
    Frames,
    Parts,
    counted,
    fact_of,
    items_of,
    needs,
    plain_value,
    stated_column,
    stated_names,
    stated_parts,
)
from veridical.facts.forms.groups import in_groups
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.arithmetic import combined, computed
from veridical.facts.kernel.order import sorted_places
from veridical.facts.kernel.reduce import reduced
from veridical.facts.kernel.value import FactError, Reason, Value, Vector
from veridical.facts.naming import names_in
from veridical.facts.scope import (
    Scoped,
    evaluated,
    label_of,
    measure_of,
    measured,
    population,
    scoped,
    sets_cells_beside,
    summed,
)

_FRACTIONS = {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fifth": 1 / 5, "tenth": 1 / 10,
              "two_thirds": 2 / 3, "three_quarters": 3 / 4}  # fmt: skip
_NEAR = 0.025
_SHARE = "share part whole"


def state(arguments: Arguments, frames: Frames) -> Fact:
    """The fact. Raises ``FactError``."""
    if arguments.part or arguments.whole:
        return _of_values(arguments, frames)
    # among columns, a condition picks their row; else it picks the part
    picked = "" if arguments.among else arguments.where
    every = replace(arguments, rows=(), where=arguments.where if arguments.among else "")
    whole, measures = in_groups(scoped(every, frames))
    found = measured(measures[0], whole)
    total = reduced("sum", found.vector, whole.frame, whole.rows)
    if total is None or not total.value:
        raise FactError(Reason.ZERO, measures[0].text)
    if not arguments.rows and not picked:
        return _of_each(whole, found, total, measures[0])
    scope, measures = _part_of(arguments, frames, whole, measures)
    chosen = measured(measures[0], scope)
    part = reduced("sum", chosen.vector, scope.frame, scope.rows)
    if part is None:
        raise FactError(Reason.NO_VALUE, measures[0].text)
    names = names_in(scope, scope.rows)
    rows = listed(names)
    parts = _parts(part, total) | {
        "row": rows if len(names) != 1 else names[0], "rows": rows,
        "n": counted(len(names)), "of": counted(len(whole.rows)),
    }  # fmt: skip
    return fact_of(
        scope, "share.rows" if not picked else "share.both" if arguments.rows else "share.where",
        parts, measures, {"measure": measures[0].text, "rows": list(arguments.rows)},
        stated_parts(parts, _SHARE) | {"rows": stated_names(names)}, _claims(parts),
        Grid(names, (chosen, _shares(chosen, total))), label=found.label,
        population=population(whole, found.vector.values), condition=scope.condition,
    )  # fmt: skip


def _part_of(
    arguments: Arguments, frames: Frames, whole: Scoped, measures: tuple[ex.Measure, ...]
) -> tuple[Scoped, tuple[ex.Measure, ...]]:
    """The rows that are a part of all: those of a condition, of some names, or of both."""
    if not arguments.by and not arguments.among:
        return scoped(arguments, frames), measures
    scope = whole
    if arguments.by and arguments.where:
        scope, measures = in_groups(scoped(replace(arguments, rows=()), frames))
    if arguments.rows:
        found = (row for name in arguments.rows for row in scope.frame.find(name))
        scope = scope.having(tuple(dict.fromkeys(found)))
    return scope, measures


def _of_values(arguments: Arguments, frames: Frames) -> Fact:
    """One measure as a part of another."""
    needs(arguments, "part", "whole")
    scope = scoped(arguments, frames)
    measures = (measure_of(arguments.part, scope), measure_of(arguments.whole, scope))
    is_beside = sets_cells_beside(measures)
    parts = _parts(
        *(summed(each, evaluated(each, scope, is_beside=is_beside), scope) for each in measures)
    )
    names = names_in(scope, scope.rows) if len(scope.rows) == 1 or arguments.rows else ()
    if names:
        parts["row"] = names[0] if len(names) == 1 else listed(names)
    single = len(names) == 1 and len(scope.frame.members) > 1
    template = "share.columns" if single else "share.values"
    rows_of = population(scope)
    if is_beside and arguments.rows:
        template, rows_of = "share.beside", population(scope.unnamed)
    return fact_of(
        scope, template, parts, measures, {"part": measures[0].text, "whole": measures[1].text},
        stated_parts(parts, _SHARE), _claims(parts), label=label_of(measures[0]),
        base=label_of(measures[1]), population=rows_of,
    )  # fmt: skip


def _of_each(scope: Scoped, found: Measured, total: Value, measure: ex.Measure) -> Fact:
    places = sorted_places(found.vector, descending=True)
    ordered = found.ordered(places)
    names = names_in(scope, [scope.rows[at] for at in places])
    grid = Grid(names, (_shares(ordered, total), ordered))
    parts: Parts = {
        "rows": listed(names), "list": items_of(grid, MOST_LISTED), "whole": figure(total),
        "n": counted(len(places)), "of": counted(len(places)),
    }  # fmt: skip
    if names:
        parts |= {"row": names[0], "share": grid.cell(0, 0)}
    values = {"whole": plain_value(total), "rows": stated_names(names),
              "shares": stated_column(grid, 0), "values": stated_column(grid, 1)}  # fmt: skip
    return fact_of(
        scope, "share.each", parts, (measure,), {"measure": measure.text}, values,
        (("highest",), ()), grid, label=found.label,
        population=population(scope, found.vector.values),
    )  # fmt: skip


def _shares(found: Measured, total: Value) -> Measured:
    vector = combined("pct", found.vector, total, len(found.vector.values))
    shown = replace(vector, name="share") if isinstance(vector, Vector) else found.vector
    return Measured(found.label, ("share",), shown)


def _parts(part: Value, whole: Value) -> Parts:
    share = computed("pct", part, whole)
    if share is None:
        raise FactError(Reason.ZERO)
    rest = replace(share, value=1 - share.number)
    return {
        "share": figure(share), "value": figure(share), "part": figure(part),
        "whole": figure(whole), "left": figure(computed("-", whole, part)), "rest": figure(rest),
    }  # fmt: skip


def _claims(parts: Parts) -> Claims:
    value = parts["share"].value
    share = value.number if value is not None else 0.0
    shows = [name for name, limit in _FRACTIONS.items() if abs(share - limit) <= _NEAR]
    if share > 0.5:
        return (*shows, "most", "more"), ("none",)
    return (*shows, "less"), ("most", "all") if share < 0.5 else ("all",)
