"""``change``: a measure over time, between two columns of a row, or of every row."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from veridical.evidence.column import TIMES, CellKind
from veridical.evidence.moment import read_moment
from veridical.facts.arguments import Arguments
from veridical.facts.fact import (
    Fact,
    Grid,
    Label,
    Measured,
    Part,
    Role,
    figure,
    key_of,
    listed,
    named,
)
from veridical.facts.forms.built import (
    MOST_STATED,
    Frames,
    Parts,
    counted,
    fact_of,
    items_of,
    plain_value,
    sorted_rows,
    stated_column,
    stated_names,
    stated_parts,
)
from veridical.facts.forms.groups import grouped, in_groups
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.arithmetic import combined, computed
from veridical.facts.kernel.frame import moment_of
from veridical.facts.kernel.order import sorted_places
from veridical.facts.kernel.value import FactError, Reason, Value, Vector
from veridical.facts.naming import Names, names_in
from veridical.facts.scope import (
    Scoped,
    favourable_of,
    label_of,
    measured,
    measures_of,
    population,
    scoped,
    summed,
)
from veridical.late_pattern import late_pattern
from veridical.ontology.printed import Favourable

_BOTH = 2
_YEAR = late_pattern(r"(?:19|20)\d\d")
_EXTRAS = {
    "change.steps": frozenset({"up", "down"}),
    "change.extremes": frozenset({"high", "high_at", "low", "low_at"}),
    "change.rise": frozenset({"rise", "rise_at"}),
    "change.drop": frozenset({"drop", "drop_at"}),
}
"""Sentences that are added where a slot prints one of their parts."""
_ENDS = "from to diff pct"


def state(arguments: Arguments, frames: Frames) -> Fact:
    """The fact. Raises ``FactError``."""
    scope = scoped(arguments, frames)
    measures = measures_of(scope)
    if len(measures) < _BOTH or arguments.over:
        return _over_time(scope, measures[:1])
    scope, measures = in_groups(scope)
    ends = (measures[0], measures[-1])
    if arguments.total or len(scope.rows) == 1:
        return _one(scope, measures, ends)
    return _each(scope, measures, ends)


def _over_time(before: Scoped, measures: tuple[ex.Measure, ...]) -> Fact:
    arguments, at = before.arguments, _time_column(before)
    name = before.frame.columns[at]
    if any(before.frame.column(each) != at for each in arguments.by):
        raise FactError(Reason.ARGUMENT, "by")
    cells, scope = before.frame.cells(at), before
    if None in cells:
        scope = before.having([row for row in before.rows if cells[row] is not None])
    if len(set(before.frame.taken(at, scope.rows))) < len(scope.rows):
        by = replace(scope, arguments=replace(arguments, by=(name,)))
        scope, measures = grouped(by, measures)
        at = 0
    found = measured(measures[0], scope)
    order = sorted_rows(scope, _times(scope, at), descending=False)
    places = {row: place for place, row in enumerate(scope.rows)}
    ends = _between_ends(scope, order, at)
    kept = [row for row in ends if found.vector.values[places[row]] is not None]
    if len(kept) < _BOTH:
        raise FactError(Reason.NO_VALUE, measures[0].text)
    ordered = found.vector.over([places[row] for row in kept])
    ordered.ensure_one_unit()
    times = Names(scope.frame, kept, (at,))
    way = favourable_of(scope, measures[:1])
    parts = _course(ordered, times)
    several = sum(each.kind in TIMES for each in before.frame.table.columns) > 1
    return _directed(
        scope, "time", parts, measures, way,
        {"measure": measures[0].text, "over": name, "start": arguments.start,
         "end": arguments.end},
        {"n": len(kept), "start": plain_value(times[0].value), "end": plain_value(times[-1].value)},
        grid=Grid(times, (replace(found, vector=ordered),)), label=found.label,
        missing=counted(len(ends) - len(kept)), population=population(before),
        by=(name,) if several else (),
    )  # fmt: skip


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
    first = _place(scope, order, at, start)[0] if start else 0
    last = _place(scope, order, at, end)[-1] if end else len(order) - 1
    return order[min(first, last) : max(first, last) + 1]


def _place(scope: Scoped, order: list[int], at: int, text: str) -> list[int]:
    """The rows of a time or a name."""
    wanted = read_moment(text)
    cells = scope.frame.taken(at, order)
    found = [
        place
        for place, cell in enumerate(cells)
        if str(cell).casefold() == text.casefold()
        or (wanted and (its := moment_of(cell)) and (wanted.covers(its) or its.covers(wanted)))
    ]
    if not found:
        raise FactError(Reason.NO_ROW, text, [str(cell) for cell in cells[:12]])
    return found


def _course(vector: Vector, times: Sequence[Part]) -> Parts:
    """Both ends, the extremes between them, and every step."""
    numbers = [each for each in vector.values if isinstance(each, float)]
    if len(numbers) < len(times):
        raise FactError(Reason.NOT_A_FIGURE, vector.name)
    steps = [later - earlier for earlier, later in pairwise(numbers)]
    last = len(numbers) - 1
    parts = _ends(vector.at(0), vector.at(last)) | {
        "start": times[0], "end": times[-1], "n": counted(len(numbers)),
        "up": counted(sum(step > 0 for step in steps)),
        "down": counted(sum(step < 0 for step in steps)),
    }  # fmt: skip
    for name, at in (("from", 0), ("to", last), ("value", last),
                     ("high", numbers.index(max(numbers))),
                     ("low", numbers.index(min(numbers)))):  # fmt: skip
        parts[name] = figure(vector.at(at), row=key_of(times[at]))
        if name in ("high", "low"):
            parts[f"{name}_at"] = times[at]
    for name, step in (("rise", max(steps)), ("drop", min(steps))):
        if (step > 0) if name == "rise" else (step < 0):
            at = steps.index(step) + 1
            gap = computed("-", vector.at(at), vector.at(at - 1))
            parts |= {name: figure(gap, unsigned=True), f"{name}_at": times[at]}
    return parts


def _ends(first: Value | None, last: Value | None) -> Parts:
    return {
        "from": figure(first, row="from"), "to": figure(last, row="to"),
        "diff": figure(computed("-", last, first), unsigned=True),
        "pct": figure(computed("growth", first, last), unsigned=True),
        "ratio": figure(computed("/", last, first)),
    }  # fmt: skip


def _each(
    scope: Scoped, measures: tuple[ex.Measure, ...], ends: tuple[ex.Measure, ex.Measure]
) -> Fact:
    """From one measure to the other, of every row."""
    first, last = (measured(each, scope) for each in ends)
    size = len(scope.rows)
    if not size:
        raise FactError(Reason.NO_ROW, scope.arguments.where)
    growth, gaps = (
        Measured(Label(name, None), (name,), _column(operator, one, other, size))
        for name, operator, one, other in (
            ("pct", "growth", first, last),
            ("diff", "-", last, first),
        )
    )
    ranked = sorted_places(growth.vector, descending=True)
    names = names_in(scope, [scope.rows[at] for at in ranked])
    steps = [each if isinstance(each := gaps.vector.values[at], float) else None for at in ranked]
    up = [names[at] for at, step in enumerate(steps) if step is not None and step > 0]
    down = [names[at] for at, step in enumerate(steps) if step is not None and step < 0]
    grid = Grid(names, (growth.ordered(ranked), gaps.ordered(ranked),
                        first.ordered(ranked, "from"), last.ordered(ranked, "to")))  # fmt: skip
    parts: Parts = {
        "up": counted(len(up)), "down": counted(len(down)), "same": counted(steps.count(0.0)),
        "n": counted(size), "of": counted(size), "up_rows": listed(up),
        "down_rows": listed(down), "rows": listed(names), "row": names[0],
        "list": items_of(grid, MOST_STATED),
    }  # fmt: skip
    values = {"rows": stated_names(names), "pcts": stated_column(grid, 0),
              "diffs": stated_column(grid, 1)}  # fmt: skip
    shows = ["all"] if size in (len(up), len(down)) else []
    shows += [way for way, rows in (("up", up), ("down", down)) if rows]
    rows_of = population(scope, first.vector.values, last.vector.values)
    return fact_of(
        scope, "change.each", parts, measures, {"measures": [each.text for each in ends]},
        stated_parts(parts, "up down same") | values, (tuple(shows), ()), grid,
        before=first.label, after=last.label, population=rows_of,
    )  # fmt: skip


def _column(operator: str, one: Measured, other: Measured, size: int) -> Vector:
    found = combined(operator, one.vector, other.vector, size)
    if not isinstance(found, Vector):
        raise FactError(Reason.NO_VALUE)
    return found


def _one(
    scope: Scoped, measures: tuple[ex.Measure, ...], ends: tuple[ex.Measure, ex.Measure]
) -> Fact:
    """From one measure to the other, of one row or of the sum."""
    parts = _ends(*(summed(each, measured(each, scope).vector, scope) for each in ends))
    for end, measure in zip(("start", "end"), ends, strict=True):
        name = measure.alias or measure.text
        year = _YEAR.search(name)
        parts[end] = named(year[0] if year else name)
    single = len(scope.rows) == 1
    if single:
        parts["row"] = names_in(scope, scope.rows)[0]
    inputs = {"measures": [each.text for each in ends], "total": not single}
    before, after = map(label_of, ends)
    return _directed(
        scope, "row" if single else "sum", parts, measures, favourable_of(scope, ends), inputs, {},
        before=before, after=after, label=after,
    )  # fmt: skip


def _directed(
    scope: Scoped, kind: str, parts: Parts, measures: tuple[ex.Measure, ...],
    way: Favourable | None, inputs: Mapping[str, Any], values: Mapping[str, Any],
    grid: Grid | None = None, **words: Any,
) -> Fact:  # fmt: skip
    """A change with its direction, and with whether it got better if the owner declares which
    way that is."""
    gap = parts["diff"].value
    step = gap.number if gap is not None else 0.0
    direction = "up" if step > 0 else "down" if step < 0 else "same"
    shows, denies = _claims(parts, direction)
    extras = dict(_EXTRAS) if kind == "time" else {}
    if way is not None:
        extras[f"change.verdict.{way.value}"] = frozenset({"verdict"})
        better = direction == way.value
        if direction == "same":
            denies += ["better", "worse"]
        else:
            parts["verdict"] = Part(Role.VERDICT, Value(CellKind.FLAG, better))
            shows.append("better" if better else "worse")
            denies.append("worse" if better else "better")
    return fact_of(
        scope, f"change.{kind}.{direction}", parts, measures, inputs,
        {**stated_parts(parts, _ENDS), **values}, (tuple(shows), tuple(denies)), grid, extras,
        **words,
    )  # fmt: skip


def _claims(parts: Parts, way: str) -> tuple[list[str], list[str]]:
    shows = {"up": ["up", "more"], "down": ["down", "less"], "same": ["same"]}[way]
    denies = [each for each in ("up", "down", "same") if each != way]
    if "up" in parts:  # over time: a sentence may also use what a step shows
        if all(value.number for each in ("up", "down") if (value := parts[each].value)):
            shows += ["up", "down"]
            denies = [*({"same"} - {way}), "steady"]
        else:
            shows.append("steady")
    value = parts["ratio"].value
    ratio = value.number if value is not None else 0.0
    if 1.75 <= ratio <= 2.25:  # almost, or a little more
        shows.append("double")
    elif ratio and ratio < 1.7:
        denies.append("double")
    return shows, denies
