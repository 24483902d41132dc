"""A join that repeats a row must not repeat what is added up."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Aggregate, Problem, Side, Term, distinct
from veridical.check.row_multiplicity import is_bound, is_repeated_by_keys, multiplier
from veridical.contracts.schema import ValueType
from veridical.contracts.violation import Code

_REPEATED = frozenset({"sum", "avg", "median", "stddev", "variance"})
"""Minimum, maximum and counts of distinct values stay right when rows repeat."""
_DATES = frozenset({ValueType.DATE, ValueType.TIMESTAMP})
_AS_STORED = frozenset({"", "sum"})


def find(context: Context) -> Iterable[Problem]:
    """Sums and means of a measure whose rows a join multiplies."""
    found: list[Problem] = []
    for aggregate in context.facts.aggregates:
        if aggregate.function not in _REPEATED or aggregate.distinct or aggregate.weighs:
            continue
        sides = context.facts.blocks[aggregate.block].sides
        if len(sides) < 2:
            continue
        for term in aggregate.terms:
            found.extend(_repeated(context, aggregate, term, sides))
    return distinct(found)


def _repeated(
    context: Context, aggregate: Aggregate, term: Term, sides: list[Side]
) -> Iterable[Problem]:
    column = term.origin.column
    constraint = column.fan_out
    if constraint is None and term.via not in _AS_STORED:
        return
    met = multiplier(context, sides, term.origin.use, aggregate.keys)
    if met is None:
        return
    culprit, reached = met
    name = context.facts.uses[min(culprit.uses)].table.name
    values = (("table", name),)
    if constraint is not None:
        yield Problem(
            Code.FAN_OUT, column.name, name, "", values, constraint.message, constraint.warns
        )
    elif is_repeated_by_keys(context, culprit, reached, _measured(aggregate)):
        soft = (
            aggregate.function != "sum"
            or _may_be_one(context, aggregate, culprit, term)
            or _are_versions(context, culprit, reached)
        )
        yield Problem(Code.FAN_OUT, column.name, name, "", values, soft=soft)


def _measured(aggregate: Aggregate) -> frozenset[int]:
    return frozenset(term.origin.use for term in aggregate.terms)


def _may_be_one(context: Context, aggregate: Aggregate, culprit: Side, term: Term) -> bool:
    """True when a filter or a group picks among the rows of this side: perhaps one is left.

    A column that it shares with the measure's own table picks none of them.
    """
    settled = context.settled
    chosen = [*settled.values, *((key.use, key.column.name) for key in aggregate.keys)]
    return any(
        not uses.isdisjoint(culprit.uses) and term.origin.use not in uses
        for place in chosen
        if (uses := {use for use, _ in settled.same(place)})
    )


def _are_versions(context: Context, culprit: Side, reached: set[int]) -> bool:
    """True when only dates of its key are left open: versions of one thing, often a single one."""
    return any(
        open_columns < key and all(each.column.type in _DATES for each in open_columns)
        for key in culprit.keys
        if (open_columns := {each for each in key if not is_bound(context, each, reached)})
    )
