"""``list``, ``which`` and ``table``: rows by name, with their figures, in an order."""

from dataclasses import replace
from itertools import islice
from typing import Any

from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact, Part, listed
from veridical.facts.forms.built import (
    MOST_LISTED,
    Claims,
    Frames,
    aliases,
    counted,
    counts,
    fact_of,
    grid_of,
    row_parts,
    sorted_rows,
    stated,
    stated_column,
    texts_of,
)
from veridical.facts.forms.groups import grouped, in_groups
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.evaluate import series
from veridical.facts.kernel.value import FactError, Reason
from veridical.facts.naming import names_in
from veridical.facts.scope import Scoped, grouping, measure_of, population, scoped


def state(arguments: Arguments, frames: Frames) -> Fact:
    """The rows in scope, or as many as the fact asks for. Raises ``FactError``."""
    return _rows(arguments, frames, "list", arguments.first or arguments.n)


def which(arguments: Arguments, frames: Frames) -> Fact:
    """The rows that meet a condition, and those that don't. Raises ``FactError``."""
    if arguments.by or arguments.among or not arguments.where:
        return state(arguments, frames)
    return _rows(arguments, frames, "which")


def _rows(arguments: Arguments, frames: Frames, form: str, first: int | None = None) -> Fact:
    before = scope = scoped(arguments, frames)
    measures: tuple[ex.Measure, ...] = ()
    if arguments.measures or arguments.by or arguments.among:
        scope, measures = in_groups(scope)
    rows = in_order(scope)
    shown = rows[:first]
    grid = grid_of(scope, shown, measures)
    n, of = len(scope.rows), len(scope.of)
    parts = row_parts(grid) | counts(n, of) | {"n": counted(len(shown))}
    inputs: dict[str, Any] = {"measures": texts_of(measures), "sort": arguments.sort,
                              "as": aliases(measures)}  # fmt: skip
    if form == "which":
        parts["others"] = _others(scope)
        kind = "none" if not n else "all" if n == of else "some"
    else:
        inputs["first"] = first
        kind = "none" if not shown else "first" if len(shown) < len(rows) else "all"
    return fact_of(
        scope, f"{form}.{kind}", parts, measures, inputs,
        stated(grid, measures) | {"n": n, "of": of}, quantified(n, of), grid,
        population=grouping(before) if arguments.by else population(scope),
        sort=_sorted_by(arguments, scope),
    )  # fmt: skip


def _others(scope: Scoped) -> Part:
    """The rows that don't meet the condition; of thousands, the first."""
    met = set(scope.rows)
    first = list(islice((row for row in scope.of if row not in met), MOST_LISTED))
    left = len(scope.of) - len(scope.rows) - len(first)
    return replace(listed(names_in(scope, first)), more=left)


def table(arguments: Arguments, frames: Frames) -> Fact:
    """Columns of rows, computed ones among them. Raises ``FactError``."""
    before = scope = scoped(arguments, frames)
    texts = arguments.columns or arguments.measures
    columns = tuple(measure_of(each, scope) for each in texts) or _own(scope.frame.columns)
    if arguments.by:
        keys = {name.casefold() for name in arguments.by}
        own = tuple(each for each in columns if each.text.casefold() not in keys)
        scope, wholes = grouped(scope, own)
        columns = (*_own(arguments.by), *wholes)
        named = tuple(each.alias or each.text for each in columns)
        sorting = replace(arguments, columns=named, measures=())
        scope = replace(scope, arguments=sorting)
    rows = in_order(scope)
    shown = rows[: arguments.first]
    grid = grid_of(scope, shown, columns)
    cells = zip(*(stated_column(grid, at) for at in range(len(columns))), strict=True)
    return fact_of(
        scope, "table", {"n": counted(len(shown)), "of": counted(len(before.of))}, columns,
        {"columns": texts_of(columns), "sort": arguments.sort, "first": arguments.first,
         "as": aliases(columns)},
        {"n": len(shown), "cells": [list(row) for row in cells]}, grid=grid, by=(),
        population=grouping(before) if arguments.by else population(before),
        cut=len(shown) < len(rows),
    )  # fmt: skip


def _own(names: tuple[str, ...]) -> tuple[ex.Measure, ...]:
    return tuple(ex.Measure(ex.Column(name), name) for name in names)


def in_order(scope: Scoped) -> list[int]:
    """The rows in scope in the order that the fact asks for."""
    wanted = scope.arguments.sort.strip()
    if not wanted:
        return list(scope.rows)
    name, descending = sort_of(wanted)
    measure = _sorting(name, scope)
    vector = series(measure, scope.evaluation_of(measure))
    return sorted_rows(scope, vector, descending=descending)


def sort_of(wanted: str) -> tuple[str, bool]:
    """The sort column, and whether the largest comes first: ``-qty``, ``qty desc``."""
    head, _, tail = wanted.rpartition(" ")
    if head and tail.casefold() in ("asc", "desc"):
        return head.strip(), tail.casefold() == "desc"
    return (wanted[1:].strip(), True) if wanted[:1] in "-−" else (wanted.lstrip("+"), False)


def _sorting(name: str, scope: Scoped) -> ex.Expression:
    """A measure by its name or its text; else a column. Raises ``FactError``."""
    if sum(each.endswith(f" as {name}") for each in scope.arguments.measures) > 1:
        raise FactError(Reason.ARGUMENT, f"sort {name}")
    for text in (*scope.arguments.measures, *scope.arguments.columns):
        try:
            measure = measure_of(text, scope)
        except FactError:  # no measure of these rows; the next may be
            continue
        if name.casefold() in (measure.alias.casefold(), measure.text.casefold()):
            if scope.frame.place(measure.alias or measure.text) is not None:
                return ex.Column(measure.alias or measure.text)
            return measure.expression
    return measure_of(name, scope).expression


def _sorted_by(arguments: Arguments, scope: Scoped) -> tuple[ex.Expression, bool] | None:
    if not arguments.sort:
        return None
    name, descending = sort_of(arguments.sort)
    return _sorting(name, scope), descending


def quantified(n: int, of: int) -> Claims:
    """Claims that a sentence may make about ``n`` of all rows."""
    if not of:
        return ("none",), ()
    if n == 0:
        return ("none", "few"), ("all", "most", "half")
    if n == of:
        return ("all", "most", "none_left"), ("none",)
    shows = ["some", "only"] + (["most"] if n * 2 > of else []) + (["half"] if n * 2 == of else [])
    return tuple(shows), ("all", "none", *(() if n * 2 > of else ("most",)))
