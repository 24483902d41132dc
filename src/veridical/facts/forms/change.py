"""``change``: a measure over time, between two columns of a row, or of every row."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from veridical.evidence.column import TIMES, CellKind
from veridical.evidence.moment import read_moment
from veridical.facts.arguments import Arguments
from veridical.facts.fact import (
    Extra,
    Fact,
    Grid,
    Label,
    Measured,
    Part,
    Role,
    figure,
    key_of,
    listed,
)
from veridical.facts.forms.built import (
    MOST_STATED,
    Frames,
    claim_of,
    counted,
    fact_of,
    plain_value,
    sorted_rows,
)
from veridical.facts.forms.groups import grouped, in_groups
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.arithmetic import combined, computed, growth_of
from veridical.facts.kernel.frame import moment_of
from veridical.facts.kernel.order import sorted_places
from veridical.facts.kernel.reduce import reduced
from veridical.facts.kernel.value import FactError, Found, Reason, Value, Vector
from veridical.facts.naming import Names, names_in
from veridical.facts.population import population
from veridical.facts.scope import (
    Scoped,
    favourable_of,
    label_of,
    measured,
    measures_of,
    scoped,
)
from veridical.late_pattern import late_pattern
from veridical.ontology.printed import Favourable

_BOTH = 2
_YEAR = late_pattern(r"(?:19|20)\d\d")
_EXTRAS = {
    "steps": Extra("change.steps", frozenset({"up", "down"})),
    "extremes": Extra("change.extremes", frozenset({"high", "high_at", "low", "low_at"})),
    "rise": Extra("change.rise", frozenset({"rise", "rise_at"})),
    "drop": Extra("change.drop", frozenset({"drop", "drop_at"})),
}


def state(arguments: Arguments, frames: Frames) -> Fact:
    """The fact. Raises ``FactError``."""
    scope = scoped(arguments, frames)
    measures = measures_of(scope)
    if len(measures) < _BOTH or arguments.over:
        return _over_time(scope, measures[:1])
    return _between(*in_groups(scope))


def _over_time(before: Scoped, measures: tuple[ex.Measure, ...]) -> Fact:
    arguments, at = before.arguments, _time_column(before)
    name = before.frame.columns[at]
    if any(before.frame.column(each) != at for each in arguments.by):
        raise FactError(Reason.ARGUMENT, "by")
    rows = before.frame.table.rows
    timed = before.having([row for row in before.rows if rows[row][at] is not None])
    scope = timed
    if len({rows[row][at] for row in timed.rows}) < len(timed.rows):
        by = replace(timed, arguments=replace(arguments, by=(name,)))
        scope, measures = grouped(by, measures)
        at = 0
    found = measured(measures[0], scope)
    order = sorted_rows(scope, _times(scope, at), descending=False)
    vector = dict(zip(scope.rows, found.vector.values, strict=True))
    ends = _between_ends(scope, order, at)
    kept = [row for row in ends if vector[row] is not None]
    if len(kept) < _BOTH:
        raise FactError(Reason.NO_VALUE, measures[0].text)
    ordered = found.vector.having([vector[row] for row in kept])
    times = Names(scope.frame, kept, (at,))
    way = favourable_of(scope, measures[:1])
    parts = _course(ordered, times)
    parts |= _verdict(parts, way)
    grid = Grid(times, (Measured(found.label, found.names, ordered),))
    inputs = {"measure": measures[0].text, "over": name, "start": arguments.start,
              "end": arguments.end}  # fmt: skip
    values = _values(parts) | {"n": len(kept), "start": plain_value(times[0].value),
                               "end": plain_value(times[-1].value)}  # fmt: skip
    claim = claim_of("change", scope, inputs, values, *_judged(parts, way))
    several = sum(each.kind in TIMES for each in before.frame.table.columns) > 1
    words = {**parts, "label": found.label, "missing": counted(len(ends) - len(kept)),
             "population": population(before), "by": (name,) if several else ()}  # fmt: skip
    template = "change.time." + _direction(parts)
    extras = _EXTRAS | _verdicts(way)
    return fact_of(scope, claim, template, words, parts, measures, grid, extras=extras)


def _time_column(scope: Scoped) -> int:
    frame = scope.frame
    if scope.arguments.over:
        return frame.column(scope.arguments.over)
    found = [at for at, column in enumerate(frame.table.columns) if column.kind in TIMES]
    if len(found) != 1:
        raise FactError(Reason.ARGUMENT, "over", [frame.columns[at] for at in found])
    return found[0]


def _times(scope: Scoped, at: int) -> Vector:
    """The column that the rows run over; one that is no time runs as the result has it."""
    whole = scope.frame.whole(at)
    values = [whole.values[row] for row in scope.rows]
    if whole.kind is not CellKind.FIGURE and whole.kind not in TIMES:
        return Vector(whole.name, CellKind.FIGURE, [float(place) for place in range(len(values))])
    return Vector(whole.name, whole.kind, values)


def _between_ends(scope: Scoped, order: list[int], at: int) -> list[int]:
    start, end = scope.arguments.start, scope.arguments.end
    first = _place(scope, order, at, start) if start else 0
    last = _place(scope, order, at, end, last=True) if end else len(order) - 1
    if first > last:
        first, last = last, first
    return order[first : last + 1]


def _place(scope: Scoped, order: list[int], at: int, text: str, *, last: bool = False) -> int:
    """The row of a time or a name; of several within it, the first or the last."""
    wanted = read_moment(text)
    cells = [scope.frame.table.rows[row][at] for row in order]
    found = [
        place
        for place, cell in enumerate(cells)
        if str(cell).casefold() == text.casefold()
        or (wanted and (its := moment_of(cell)) and (wanted.covers(its) or its.covers(wanted)))
    ]
    if not found:
        raise FactError(Reason.NO_ROW, text, [str(cell) for cell in cells[:12]])
    return found[-1 if last else 0]


def _course(vector: Vector, times: Sequence[Part]) -> dict[str, Part]:
    """Both ends, the extremes between them, and every step."""
    numbers = [each for each in vector.values if isinstance(each, float)]
    if len(numbers) < len(times):
        raise FactError(Reason.NOT_A_FIGURE, vector.name)
    first, last = vector.at(0), vector.at(-1)
    high, low = numbers.index(max(numbers)), numbers.index(min(numbers))
    steps = [later - earlier for earlier, later in pairwise(numbers)]
    rise, drop = steps.index(max(steps)), steps.index(min(steps))
    parts = _ends(first, last) | {
        "start": times[0], "end": times[-1],
        "high": figure(vector.at(high), row=key_of(times[high])), "high_at": times[high],
        "low": figure(vector.at(low), row=key_of(times[low])), "low_at": times[low],
        "up": counted(sum(step > 0 for step in steps)),
        "down": counted(sum(step < 0 for step in steps)),
        "n": counted(len(numbers)),
    }  # fmt: skip
    parts["from"] = figure(first, row=key_of(times[0]))
    parts["to"] = figure(last, row=key_of(times[-1]))
    parts["value"] = parts["to"]
    for name, at, there in (("rise", rise, steps[rise] > 0), ("drop", drop, steps[drop] < 0)):
        if there:
            gap = computed("-", vector.at(at + 1), vector.at(at))
            parts |= {name: figure(gap, unsigned=True), f"{name}_at": times[at + 1]}
    return parts


def _ends(first: Value | None, last: Value | None) -> dict[str, Part]:
    return {
        "from": figure(first, row="from"), "to": figure(last, row="to"),
        "diff": figure(computed("-", last, first), unsigned=True),
        "pct": figure(growth_of(first, last), unsigned=True),
        "ratio": figure(computed("/", last, first)),
    }  # fmt: skip


def _between(scope: Scoped, measures: tuple[ex.Measure, ...]) -> Fact:
    """From the first measure to the last: of one row, of the sum, or of every row."""
    if scope.arguments.total or len(scope.rows) == 1:
        return _one(scope, measures)
    first, last = measured(measures[0], scope), measured(measures[-1], scope)
    if not scope.rows:
        raise FactError(Reason.NO_ROW, scope.arguments.where)
    size = len(scope.rows)
    growth = _vector(combined("growth", first.vector, last.vector, size))
    gaps = _vector(combined("-", last.vector, first.vector, size))
    ranked = sorted_places(growth, descending=True)
    names = names_in(scope, [scope.rows[at] for at in ranked])
    steps = [each if isinstance(each := gaps.values[at], float) else None for at in ranked]
    up = [names[at] for at, step in enumerate(steps) if step is not None and step > 0]
    down = [names[at] for at, step in enumerate(steps) if step is not None and step < 0]
    same = steps.count(0.0)
    grid = Grid(names, (
        _again("pct", Measured(Label("pct", None), (), growth), ranked),
        _again("diff", Measured(Label("diff", None), (), gaps), ranked),
        _again("from", first, ranked), _again("to", last, ranked),
    ))  # fmt: skip
    parts: dict[str, Part] = {
        "up": counted(len(up)), "down": counted(len(down)), "same": counted(same),
        "n": counted(size), "of": counted(size), "up_rows": listed(up),
        "down_rows": listed(down), "rows": listed(names), "row": names[0],
    }  # fmt: skip
    items = tuple((name, figure(growth.at(at), row=key_of(name)))
                  for at, name in zip(ranked, names[:MOST_STATED], strict=False))  # fmt: skip
    parts["list"] = Part(Role.LIST, items=items, more=size - len(items))
    inputs = {"measures": [measures[0].text, measures[-1].text]}
    kept = ranked[:MOST_STATED]
    values = {"up": len(up), "down": len(down), "same": same,
              "rows": [key_of(name) for name in names[:MOST_STATED]],
              "pcts": [plain_value(growth.at(at)) for at in kept],
              "diffs": [plain_value(gaps.at(at)) for at in kept]}  # fmt: skip
    shows = ["all"] if size in (len(up), len(down)) else []
    claim = claim_of("change", scope, inputs, values, shows)
    words = {**parts, "grid": grid, "before": label_of(measures[0]),
             "after": label_of(measures[-1]), "by": scope.arguments.by,
             "population": population(scope, first.vector, last.vector)}  # fmt: skip
    return fact_of(scope, claim, "change.each", words, parts, measures, grid)


def _vector(found: Found) -> Vector:
    if not isinstance(found, Vector):
        raise FactError(Reason.NO_VALUE)
    return found


def _again(name: str, measure: Measured, order: list[int]) -> Measured:
    values = [measure.vector.values[at] for at in order]
    return Measured(measure.label, (name, *measure.names), measure.vector.having(values))


def _one(scope: Scoped, measures: tuple[ex.Measure, ...]) -> Fact:
    ends: list[Value] = []
    for measure in (measures[0], measures[-1]):
        found = measured(measure, scope).vector
        one = len(scope.rows) == 1
        value = found.at(0) if one else reduced("sum", found, scope.frame, scope.rows)
        if value is None:
            raise FactError(Reason.NO_VALUE, measure.text)
        ends.append(value)
    way = favourable_of(scope, (measures[0], measures[-1]))
    parts = _ends(*ends)
    parts |= _verdict(parts, way)
    names = names_in(scope, scope.rows) if len(scope.rows) == 1 else ()
    for end, measure in (("start", measures[0]), ("end", measures[-1])):
        parts[end] = Part(Role.NAME, Value(CellKind.NAME, _end_name(measure)))
    if names:
        parts["row"] = names[0]
    inputs = {"measures": [measures[0].text, measures[-1].text], "total": not names}
    claim = claim_of("change", scope, inputs, _values(parts), *_judged(parts, way))
    words = {**parts, "before": label_of(measures[0]), "after": label_of(measures[-1]),
             "label": label_of(measures[-1]), "population": population(scope),
             "by": scope.arguments.by}  # fmt: skip
    kind = ("change.row." if names else "change.sum.") + _direction(parts)
    return fact_of(scope, claim, kind, words, parts, measures, extras=_verdicts(way))


def _end_name(measure: ex.Measure) -> str:
    """The part of a column's name that names its time: the year, else all of it."""
    found = _YEAR.search(measure.alias or measure.text)
    return found[0] if found else (measure.alias or measure.text)


def _values(parts: dict[str, Part]) -> dict[str, Any]:
    return {name: plain_value(parts[name].value) for name in ("from", "to", "diff", "pct")}


def _direction(parts: dict[str, Part]) -> str:
    value = parts["diff"].value
    gap = value.number if value is not None else 0.0
    return "up" if gap > 0 else "down" if gap < 0 else "same"


def _verdict(parts: dict[str, Part], way: Favourable | None) -> dict[str, Part]:
    """Whether it got better, if the owner declares which way that is; none without a change."""
    direction = _direction(parts)
    if way is None or direction == "same":
        return {}
    return {"verdict": Part(Role.VERDICT, Value(CellKind.FLAG, direction == way.value))}


def _verdicts(way: Favourable | None) -> dict[str, Extra]:
    parts = frozenset({"verdict"})
    return {"verdict": Extra(f"change.verdict.{way.value}", parts)} if way is not None else {}


def _judged(
    parts: dict[str, Part], way: Favourable | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Claims that a sentence may and may not make, with whether the change is for the better."""
    shows, denies = _shown(parts)
    verdict = parts.get("verdict")
    if verdict is None or verdict.value is None:
        return shows, denies if way is None else (*denies, "better", "worse")
    verdicts = ("better", "worse") if verdict.value.value else ("worse", "better")
    return (*shows, verdicts[0]), (*denies, verdicts[1])


def _shown(parts: dict[str, Part]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    way = _direction(parts)
    opposite = {"up": ("down", "same"), "down": ("up", "same"), "same": ("up", "down")}[way]
    shows = [way, *({"up": ["more"], "down": ["less"]}.get(way, []))]
    denies = list(opposite)
    if "up" in parts and "down" in parts:  # over time: a sentence may also use what a step shows
        ups, downs = (value.number if (value := parts[each].value) else 0
                      for each in ("up", "down"))  # fmt: skip
        if ups and downs:
            denies = [each for each in denies if each == "same"]
            shows += ["up", "down"]
        else:
            shows.append("steady")
        if ups and downs:
            denies.append("steady")
    value = parts["ratio"].value
    ratio = value.number if value is not None else 0.0
    if 1.9 <= ratio <= 2.15:
        shows.append("double")
    elif ratio:
        denies.append("double") if ratio < 1.7 else None
    return tuple(shows), tuple(denies)
