"""``table``: columns of rows, computed ones among them."""

from dataclasses import replace

from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact
from veridical.facts.forms.built import (
    MOST_STATED,
    Frames,
    aliases,
    claim_of,
    counted,
    fact_of,
    grid_of,
    plain_value,
)
from veridical.facts.forms.groups import grouped
from veridical.facts.forms.listing import in_order
from veridical.facts.kernel import expression as ex
from veridical.facts.population import grouping, population
from veridical.facts.scope import Scoped, measure_of, measured, scoped


def state(arguments: Arguments, frames: Frames) -> Fact:
    """The fact. Raises ``FactError``."""
    before = scoped(arguments, frames)
    texts = arguments.columns or arguments.measures
    scope, columns = before, tuple(measure_of(each, before) for each in texts)
    if not texts:
        columns = tuple(ex.Measure(ex.Column(name), name) for name in before.frame.columns)
    if arguments.by:
        keys = {name.casefold() for name in arguments.by}
        own = tuple(each for each in columns if each.text.casefold() not in keys)
        scope, wholes = grouped(before, own)
        columns = (*(ex.Measure(ex.Column(name), name) for name in arguments.by), *wholes)
    found = tuple(measured(each, scope) for each in columns)
    rows = _ordered(scope, columns)
    shown = rows[: arguments.first] if arguments.first else rows
    grid = grid_of(scope, shown, found)
    parts = {"n": counted(len(shown)), "of": counted(len(before.of))}
    inputs = {"columns": [each.text for each in columns], "sort": arguments.sort,
              "first": arguments.first, "as": aliases(columns)}  # fmt: skip
    values = {"n": len(shown), "cells": [[plain_value(each.vector.at(at)) for each in
              grid.measures] for at in range(len(shown[:MOST_STATED]))]}  # fmt: skip
    claim = claim_of("table", before, inputs, values)
    rows_of = grouping(before) if arguments.by else population(before)
    words = {"grid": grid, "population": rows_of, "n": parts["n"],
             "cut": len(shown) < len(rows)}  # fmt: skip
    return fact_of(scope, claim, "table", words, parts, columns, grid)


def _ordered(scope: Scoped, columns: tuple[ex.Measure, ...]) -> list[int]:
    texts = tuple(each.alias or each.text for each in columns)
    if not scope.arguments.sort:
        return list(scope.rows)
    if scope.arguments.by:
        return in_order(replace(scope, arguments=replace(scope.arguments, columns=texts,
                                                         measures=())))  # fmt: skip
    return in_order(scope)
