"""``list`` and ``which``: rows by name, with their figures, in an order."""

from dataclasses import replace
from itertools import islice

from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact, Part, listed
from veridical.facts.forms.built import (
    MOST_LISTED,
    Frames,
    aliases,
    claim_of,
    counted,
    fact_of,
    fraction,
    grid_of,
    row_parts,
    sorted_rows,
    stated,
)
from veridical.facts.forms.groups import in_groups
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.evaluate import series
from veridical.facts.kernel.value import FactError, Reason
from veridical.facts.naming import names_in
from veridical.facts.population import grouping, population
from veridical.facts.scope import Scoped, measure_of, measured, scoped


def state(arguments: Arguments, frames: Frames) -> Fact:
    """The rows in scope, or as many as the fact asks for. Raises ``FactError``."""
    before = scope = scoped(arguments, frames)
    measures: tuple[ex.Measure, ...] = ()
    if arguments.measures or arguments.by or arguments.among:
        scope, measures = in_groups(scope)
    found = tuple(measured(each, scope) for each in measures)
    rows = in_order(scope)
    first = arguments.first or arguments.n
    shown = rows[:first] if first else rows
    grid = grid_of(scope, shown, found)
    n, of = len(scope.rows), len(scope.of)
    parts = row_parts(grid) | {
        "n": counted(len(shown)), "of": counted(of), "share": fraction(n, of),
        "rest": counted(of - n),
    }  # fmt: skip
    inputs = {"measures": [each.text for each in measures], "sort": arguments.sort, "first": first,
              "as": aliases(measures)}  # fmt: skip
    values = stated(grid, measures) | {"n": n, "of": of}
    claim = claim_of("list", scope, inputs, values, *quantified(n, of))
    rows_of = grouping(before) if arguments.by else population(scope)
    words = {"grid": grid, "population": rows_of, "n": parts["n"], "by": arguments.by,
             "sort": _sorted_by(arguments, scope)}  # fmt: skip
    template = "list.first" if first and first < len(rows) else "list.all"
    return fact_of(scope, claim, template if shown else "list.none", words, parts, measures, grid)


def which(arguments: Arguments, frames: Frames) -> Fact:
    """The rows that meet a condition, and those that don't. Raises ``FactError``."""
    if arguments.by or arguments.among or not arguments.where:
        return state(arguments, frames)
    scope = scoped(arguments, frames)
    measures = tuple(measure_of(each, scope) for each in arguments.measures)
    found = tuple(measured(each, scope) for each in measures)
    grid = grid_of(scope, in_order(scope), found)
    n, of = len(scope.rows), len(scope.of)
    parts = row_parts(grid) | {
        "n": counted(n), "of": counted(of), "share": fraction(n, of), "rest": counted(of - n),
        "others": _others(scope),
    }  # fmt: skip
    inputs = {"measures": [each.text for each in measures], "sort": arguments.sort,
              "as": aliases(measures)}  # fmt: skip
    values = stated(grid, measures) | {"n": n, "of": of}
    claim = claim_of("which", scope, inputs, values, *quantified(n, of))
    words = {"grid": grid, "population": population(scope), "n": parts["n"], "of": parts["of"],
             "sort": _sorted_by(arguments, scope)}  # fmt: skip
    template = "which.none" if not n else "which.all" if n == of else "which.some"
    return fact_of(scope, claim, template, words, parts, measures, grid)


def _others(scope: Scoped) -> Part:
    """The rows that don't meet the condition; of thousands, the first."""
    met = set(scope.rows)
    first = list(islice((row for row in scope.of if row not in met), MOST_LISTED))
    left = len(scope.of) - len(scope.rows) - len(first)
    return replace(listed(names_in(scope, first)), more=left)


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


def quantified(n: int, of: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Claims that a sentence may make about ``n`` of all rows."""
    if not of:
        return ("none",), ()
    if n == 0:
        return ("none", "few"), ("all", "most", "half")
    if n == of:
        return ("all", "most", "none_left"), ("none",)
    shows = ["some", "only"] + (["most"] if n * 2 > of else []) + (["half"] if n * 2 == of else [])
    return tuple(shows), ("all", "none", *(() if n * 2 > of else ("most",)))
