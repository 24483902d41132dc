"""``share``: a part of a whole: of rows in all, of one column in another, or of each row."""

from dataclasses import replace
from typing import Any

from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact, Grid, Measured, Part, Role, figure, key_of, listed
from veridical.facts.forms.built import (
    MOST_STATED,
    Frames,
    claim_of,
    counted,
    fact_of,
    needs,
    plain_value,
    sorted_rows,
)
from veridical.facts.forms.groups import in_groups
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.arithmetic import combined, computed, share_of
from veridical.facts.kernel.evaluate import evaluate
from veridical.facts.kernel.reduce import reduced
from veridical.facts.kernel.value import FactError, Reason, Value, Vector
from veridical.facts.naming import names_in
from veridical.facts.population import population
from veridical.facts.scope import (
    Scoped,
    label_of,
    measure_of,
    measured,
    scoped,
    sets_cells_beside,
)


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
    parts = _parts(part, total) | {
        "row": listed(names) if len(names) != 1 else names[0], "rows": listed(names),
        "n": counted(len(names)), "of": counted(len(whole.rows)),
    }  # fmt: skip
    inputs = {"measure": measures[0].text, "rows": list(arguments.rows)}
    values = _values(parts) | {"rows": [key_of(name) for name in names[:MOST_STATED]]}
    claim = claim_of("share", scope, inputs, values, *_shown(parts))
    words = {**parts, "label": found.label, "population": population(whole, found.vector),
             "condition": scope.condition, "by": arguments.by}  # fmt: skip
    template = "share.rows"
    if picked:
        template = "share.both" if arguments.rows else "share.where"
    grid = Grid(names, (chosen, _shares(chosen, total)))
    return fact_of(scope, claim, template, words, parts, measures, grid)


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
    beside = sets_cells_beside(measures)
    part, whole = (_summed(each, scope, beside=beside) for each in measures)
    names = names_in(scope, scope.rows) if len(scope.rows) == 1 or arguments.rows else ()
    parts = _parts(part, whole)
    if names:
        parts["row"] = names[0] if len(names) == 1 else listed(names)
    inputs = {"part": measures[0].text, "whole": measures[1].text}
    claim = claim_of("share", scope, inputs, _values(parts), *_shown(parts))
    words = {**parts, "label": label_of(measures[0]), "base": label_of(measures[1]),
             "population": population(scope)}  # fmt: skip
    template = "share.columns" if len(names) == 1 and len(scope.frame.members) > 1 \
        else "share.values"  # fmt: skip
    if beside and arguments.rows:
        words["population"] = population(scope.unnamed)
        template = "share.beside"
    return fact_of(scope, claim, template, words, parts, measures)


def _summed(measure: ex.Measure, scope: Scoped, *, beside: bool) -> Value:
    """One value: of a column over several rows, its sum."""
    chosen = scope.beside if beside else scope.evaluation_of(measure.expression)
    found = evaluate(measure.expression, chosen)
    if isinstance(found, Vector):
        one = len(found.values) == 1
        found = found.at(0) if one else reduced("sum", found, scope.frame, scope.rows)
    if found is None:
        raise FactError(Reason.NO_VALUE, measure.text)
    return found


def _of_each(scope: Scoped, found: Measured, total: Value, measure: ex.Measure) -> Fact:
    rows = sorted_rows(scope, found.vector, descending=True)
    at = {row: place for place, row in enumerate(scope.rows)}
    places = [at[row] for row in rows]
    values = [found.vector.values[at] for at in places]
    ordered = Measured(found.label, found.names, replace(found.vector, values=values))
    shares = _shares(ordered, total)
    grid = Grid(names_in(scope, rows), (shares, ordered))
    items = tuple(
        (name, figure(shares.vector.at(at), row=key_of(name)))
        for at, name in enumerate(grid.names[:MOST_STATED])
    )
    parts: dict[str, Part] = {
        "rows": listed(grid.names), "list": Part(Role.LIST, items=items[:60]),
        "whole": figure(total), "n": counted(len(rows)), "of": counted(len(rows)),
    }  # fmt: skip
    if grid.names:
        parts |= {"row": grid.names[0], "share": items[0][1]}
    claim = claim_of(
        "share", scope, {"measure": measure.text},
        {"whole": plain_value(total), "rows": [key_of(each) for each in grid.names[:MOST_STATED]],
         "shares": [plain_value(each[1].value) for each in items],
         "values": [plain_value(ordered.vector.at(place)) for place in range(len(items))]},
        ("highest",),
    )  # fmt: skip
    words = {"grid": grid, "whole": parts["whole"], "label": found.label,
             "population": population(scope, found.vector), "by": scope.arguments.by}  # fmt: skip
    return fact_of(scope, claim, "share.each", words, parts, (measure,), grid)


def _shares(found: Measured, total: Value) -> Measured:
    vector = combined("pct", found.vector, total, len(found.vector.values))
    shown = replace(vector, name="share") if isinstance(vector, Vector) else found.vector
    return Measured(found.label, ("share",), shown)


def _parts(part: Value, whole: Value) -> dict[str, Part]:
    share = share_of(part, whole)
    if share is None:
        raise FactError(Reason.ZERO)
    rest = replace(share, value=1 - share.number)
    return {
        "share": figure(share), "value": figure(share), "part": figure(part),
        "whole": figure(whole), "left": figure(computed("-", whole, part)), "rest": figure(rest),
    }  # fmt: skip


def _values(parts: dict[str, Part]) -> dict[str, Any]:
    return {name: plain_value(parts[name].value) for name in ("share", "part", "whole")}


def _shown(parts: dict[str, Part]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    value = parts["share"].value
    share = value.number if value is not None else 0.0
    shows = [name for name, limit in _FRACTIONS.items() if abs(share - limit) <= _NEAR]
    if share > 0.5:
        return (*shows, "most", "more"), ("none",) if share > 0 else ()
    return (*shows, "less"), ("most", "all") if share < 0.5 else ("all",)


_FRACTIONS = {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fifth": 1 / 5, "tenth": 1 / 10,
              "two_thirds": 2 / 3, "three_quarters": 3 / 4}  # fmt: skip
_NEAR = 0.025
