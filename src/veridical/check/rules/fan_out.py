"""A join that repeats a row must not repeat what is added up."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Problem, Side, Term, distinct
from veridical.check.settled import Place
from veridical.contracts.violation import Code

_REPEATED = frozenset({"sum", "avg", "median", "stddev", "variance"})
"""Minimum, maximum and counts of distinct values stay right when rows repeat."""


def find(context: Context) -> Iterable[Problem]:
    """Sums and means of a measure whose rows a join multiplies."""
    found: list[Problem] = []
    for aggregate in context.facts.aggregates:
        if aggregate.function not in _REPEATED or aggregate.distinct:
            continue
        sides = context.facts.blocks[aggregate.block].sides
        if len(sides) < 2:
            continue
        for term in aggregate.terms:
            constraint = term.origin.column.fan_out
            if constraint is None:
                continue
            culprit = _multiplier(context, sides, term)
            if culprit is not None:
                found.append(
                    Problem(
                        Code.FAN_OUT,
                        term.origin.column.name,
                        None,
                        "",
                        (("table", culprit),),
                        constraint.message,
                    )
                )
    return distinct(found)


def _multiplier(context: Context, sides: list[Side], term: Term) -> str | None:
    """The table that meets one row of the measure with several of its own, if any."""
    own = next((side for side in sides if term.origin.use in side.uses), None)
    if own is None:
        return None
    reached = set(own.uses)
    waiting = [side for side in sides if side is not own and side.uses]
    while waiting:
        joined = next((side for side in waiting if _meets_one(context, side, reached)), None)
        if joined is None:
            return _first_known(context, waiting)
        reached |= joined.uses
        waiting.remove(joined)
    return None


def _meets_one(context: Context, side: Side, reached: set[int]) -> bool:
    """True when at most one row of this side goes with each row reached so far."""
    return any(
        all(_bound(context, (origin.use, origin.column.name), reached) for origin in key)
        for key in side.keys
    )


def _bound(context: Context, place: Place, reached: set[int]) -> bool:
    if context.settled.value(place) is not None:
        return True
    return any(use in reached for use, _ in context.settled.same(place))


def _first_known(context: Context, waiting: list[Side]) -> str | None:
    """Without any key nobody can tell whether rows repeat: no finding."""
    for side in waiting:
        if side.keys:
            return context.facts.uses[min(side.uses)].table.name
    return None
