"""``change``: a measure over time, between two columns of a row, or of every row."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

from veridical.evidence.column import Kind
from veridical.evidence.moment import read_moment
from veridical.facts.arguments import Arguments
from veridical.facts.fact import Extra, Fact, Grid, Measured, Part, Role, figure, key_of, listed
from veridical.facts.forms.built import (
    Frames,
    claim_of,
    counted,
    fact_of,
    plain_value,
    sorted_rows,
)
from veridical.facts.forms.groups import grouped
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.evaluate import computed, growth_of, reduced
from veridical.facts.kernel.frame import TIMES, moment_of
from veridical.facts.kernel.value import FactError, Reason, Value, Vector
from veridical.facts.population import population
from veridical.facts.scope import (
    Scoped,
    favourable_of,
    label_of,
    measured,
    measures_of,
    names_in,
    scoped,
)
from veridical.ontology.printed import Favourable

_BOTH = 2
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
    if len(measures) >= _BOTH and not arguments.over:
        return _between(scope, measures)
    return _over_time(scope, measures)


def _over_time(scope: Scoped, measures: tuple[ex.Measure, ...]) -> Fact:
    arguments = scope.arguments
    at = _time_column(scope)
    cells = scope.frame.table.rows
    several = len({cells[row][at] for row in scope.rows}) < len(scope.rows)
    name = scope.frame.columns[at]
    if several:
        by = replace(scope, arguments=replace(arguments, by=(name,)))
        scope, measures = grouped(by, measures[:1])
        at = 0
    found = measured(measures[0], scope)
    order = sorted_rows(scope, _times(scope, at), descending=False)
    vector = dict(zip(scope.rows, found.vector.values, strict=True))
    ends = _between_ends(scope, order, at)
    rows = [row for row in ends if vector[row] is not None]
    if len(rows) < _BOTH:
        raise FactError(Reason.NO_VALUE, measures[0].text)
    ordered = replace(found.vector, values=[vector[row] for row in rows])
    times = [_time(scope, row, at) for row in rows]
    way = favourable_of(scope, measures[:1])
    parts = _course(ordered, times)
    parts |= _verdict(parts, way)
    grid = Grid(tuple(times), (Measured(found.label, found.names, ordered),))
    said = {"measure": measures[0].text, "over": name, "start": plain_value(times[0].value),
            "end": plain_value(times[-1].value)}  # fmt: skip
    values = _values(parts) | {"n": len(rows)}
    claim = claim_of("change", scope, said, values, *_judged(parts, way))
    words = {**parts, "label": found.label, "missing": counted(len(ends) - len(rows)),
             "population": population(scope)}  # fmt: skip
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
    if not all(moment_of(cell) or isinstance(cell, float) for cell in values):
        values = [float(place) for place in range(len(values))]
    return Vector(whole.name, whole.kind, values)


def _between_ends(scope: Scoped, order: list[int], at: int) -> list[int]:
    start, end = scope.arguments.start, scope.arguments.end
    first = _place(scope, order, at, start) if start else 0
    last = _place(scope, order, at, end, last=True) if end else len(order) - 1
    if first > last:
        first, last = last, first
    return order[first : last + 1]


def _place(scope: Scoped, order: list[int], at: int, text: str, *, last: bool = False) -> int:
    """Where a time or a name stands; of several rows within it the first, or the last."""
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


def _time(scope: Scoped, row: int, at: int) -> Part:
    cell = scope.frame.table.rows[row][at]
    found = Part(Role.NAME, Value(scope.frame.table.columns[at].kind, cell if cell is not None
                                  else ""))  # fmt: skip
    return replace(found, row=key_of(found))


def _course(vector: Vector, times: list[Part]) -> dict[str, Part]:
    """Both ends, the extremes between them, and every step."""
    values = [vector.at(at) for at in range(len(times))]
    known = [each for each in values if each is not None]
    first, last = known[0], known[-1]
    numbers = [each.number for each in known]
    keys = [key_of(time) for time in times]
    high, low = numbers.index(max(numbers)), numbers.index(min(numbers))
    steps = [later - earlier for earlier, later in pairwise(numbers)]
    rise, drop = steps.index(max(steps)), steps.index(min(steps))
    parts = _ends(first, last) | {
        "start": times[0], "end": times[-1],
        "high": figure(known[high], row=keys[high]), "high_at": times[high],
        "low": figure(known[low], row=keys[low]), "low_at": times[low],
        "up": counted(sum(step > 0 for step in steps)),
        "down": counted(sum(step < 0 for step in steps)),
        "n": counted(len(known)),
    }  # fmt: skip
    parts["from"] = figure(first, row=keys[0])
    parts["to"] = figure(last, row=keys[-1])
    parts["value"] = parts["to"]
    gaps = [computed("-", later, earlier) for earlier, later in pairwise(known)]
    if steps[rise] > 0:
        parts |= {"rise": figure(gaps[rise], unsigned=True), "rise_at": times[rise + 1]}
    if steps[drop] < 0:
        parts |= {"drop": figure(gaps[drop], unsigned=True), "drop_at": times[drop + 1]}
    return parts


def _ends(first: Value, last: Value) -> dict[str, Part]:
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
    changes = [(first.vector.at(at), last.vector.at(at)) for at in range(len(scope.rows))]
    growth = [growth_of(one, other) for one, other in changes]
    gaps = [computed("-", other, one) for one, other in changes]
    ranked = sorted(range(len(gaps)), key=lambda at: -_number(growth[at]))
    rows = [scope.rows[at] for at in ranked]
    names = names_in(scope, rows)
    shown = next((each for each in growth if each is not None), None)
    grid = Grid(names, (
        _measured("pct", [growth[at] for at in ranked], shown),
        _measured("diff", [gaps[at] for at in ranked], next(filter(None, gaps), None)),
        _again("from", first, ranked), _again("to", last, ranked),
    ))  # fmt: skip
    up = [name for at, name in zip(ranked, names, strict=True) if _number(gaps[at]) > 0]
    down = [name for at, name in zip(ranked, names, strict=True) if gaps[at] is not None
            and _number(gaps[at]) < 0]  # fmt: skip
    same = len([each for each in gaps if each is not None]) - len(up) - len(down)
    parts: dict[str, Part] = {
        "up": counted(len(up)), "down": counted(len(down)), "same": counted(same),
        "n": counted(len(rows)), "of": counted(len(rows)), "up_rows": listed(up),
        "down_rows": listed(down), "rows": listed(names),
    }  # fmt: skip
    items = tuple((name, figure(growth[at], row=key_of(name)))
                  for at, name in zip(ranked, names, strict=True))  # fmt: skip
    parts["list"] = Part(Role.LIST, items=items)
    if names:
        parts["row"] = names[0]
    said = {"measures": [measures[0].text, measures[-1].text]}
    values = {"up": len(up), "down": len(down), "rows": [key_of(name) for name in names],
              "diffs": [plain_value(gaps[at]) for at in ranked]}  # fmt: skip
    shows = ["all"] if len(up) == len(rows) or len(down) == len(rows) else []
    claim = claim_of("change", scope, said, values, shows)
    words = {**parts, "grid": grid, "before": label_of(measures[0]),
             "after": label_of(measures[-1]), "population": population(scope)}  # fmt: skip
    return fact_of(scope, claim, "change.each", words, parts, measures, grid)


def _number(value: Value | None) -> float:
    return value.number if value is not None else float("-inf")


def _measured(name: str, values: list[Value | None], first: Value | None) -> Measured:
    from veridical.facts.fact import Label

    kept = [each.value if each is not None else None for each in values]
    vector = Vector(name, Kind.FIGURE, kept, first.dimension if first else None,
                    first.scale if first else 1.0, first.digits if first else None)  # fmt: skip
    return Measured(Label(name, None), (name,), vector)


def _again(name: str, measure: Measured, order: list[int]) -> Measured:
    values = [measure.vector.values[at] for at in order]
    return Measured(measure.label, (name, *measure.names), replace(measure.vector, values=values))


def _one(scope: Scoped, measures: tuple[ex.Measure, ...]) -> Fact:
    ends: list[Value] = []
    for measure in (measures[0], measures[-1]):
        found = measured(measure, scope).vector
        value = found.at(0) if len(scope.rows) == 1 else reduced("sum", found, scope.evaluation)
        if value is None:
            raise FactError(Reason.NO_VALUE, measure.text)
        ends.append(value)
    way = favourable_of(scope, (measures[0], measures[-1]))
    parts = _ends(*ends)
    parts |= _verdict(parts, way)
    names = names_in(scope, scope.rows) if len(scope.rows) == 1 else ()
    for end, measure in (("start", measures[0]), ("end", measures[-1])):
        parts[end] = Part(Role.NAME, Value(Kind.NAME, _end_name(measure)))
    if names:
        parts["row"] = names[0]
    said = {"measures": [measures[0].text, measures[-1].text], "total": not names}
    claim = claim_of("change", scope, said, _values(parts), *_judged(parts, way))
    words = {**parts, "before": label_of(measures[0]), "after": label_of(measures[-1]),
             "label": label_of(measures[-1]), "population": population(scope)}  # fmt: skip
    kind = ("change.row." if names else "change.sum.") + _direction(parts)
    return fact_of(scope, claim, kind, words, parts, measures, extras=_verdicts(way))


def _end_name(measure: ex.Measure) -> str:
    """What tells one column's time from the other's: the year in its name, else all of it."""
    import re

    found = re.search(r"(?:19|20)\d\d", measure.alias or measure.text)
    return found[0] if found else (measure.alias or measure.text)


def _values(parts: dict[str, Part]) -> dict[str, Any]:
    return {name: plain_value(parts[name].value) for name in ("from", "to", "diff", "pct")}


def _direction(parts: dict[str, Part]) -> str:
    value = parts["diff"].value
    gap = value.number if value is not None else 0.0
    return "up" if gap > 0 else "down" if gap < 0 else "same"


def _verdict(parts: dict[str, Part], way: Favourable | None) -> dict[str, Part]:
    """Whether it got better, where the owner says which way that is; none of what stayed."""
    direction = _direction(parts)
    if way is None or direction == "same":
        return {}
    return {"verdict": Part(Role.VERDICT, Value(Kind.FLAG, direction == way.value))}


def _verdicts(way: Favourable | None) -> dict[str, Extra]:
    parts = frozenset({"verdict"})
    return {"verdict": Extra(f"change.verdict.{way.value}", parts)} if way is not None else {}


def _judged(
    parts: dict[str, Part], way: Favourable | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a sentence may say and may not, with whether it is for the better."""
    shows, denies = _shown(parts)
    verdict = parts.get("verdict")
    if verdict is None or verdict.value is None:
        return shows, denies if way is None else (*denies, "better", "worse")
    told = ("better", "worse") if verdict.value.value else ("worse", "better")
    return (*shows, told[0]), (*denies, told[1])


def _shown(parts: dict[str, Part]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    way = _direction(parts)
    opposite = {"up": ("down", "same"), "down": ("up", "same"), "same": ("up", "down")}[way]
    shows = [way, *({"up": ["more"], "down": ["less"]}.get(way, []))]
    denies = list(opposite)
    if "up" in parts and "down" in parts:  # over time: what a step shows may be said as well
        ups, downs = (int(parts[each].value.number) if parts[each].value else 0
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
