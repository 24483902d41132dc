"""Francs are not added to euros."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Aggregate, Problem, Term, distinct
from veridical.check.parent_columns import is_fixed, places_of
from veridical.contracts.violation import Code
from veridical.ontology.model import Constraint

_ADDING = frozenset({"sum", "avg", "median", "stddev", "variance", "min", "max"})


def find(context: Context) -> Iterable[Problem]:
    """Aggregates over amounts whose unit is neither settled nor grouped by."""
    found: list[Problem] = []
    for aggregate in context.facts.aggregates:
        if aggregate.function not in _ADDING:
            continue
        for term in aggregate.terms:
            constraint = term.origin.column.same_unit
            if constraint is None or _is_of_one_thing(context, constraint, aggregate, term):
                continue
            for name in constraint.fields:
                if not is_fixed(context, name, aggregate, term) and not _is_converted(
                    context, term, name
                ):
                    found.append(_mixed(context, term, name, constraint))
    return distinct(found)


def _mixed(context: Context, term: Term, name: str, constraint: Constraint) -> Problem:
    joined = bool(places_of(context, term.origin.use, name))
    return Problem(
        Code.MIXED_UNITS,
        term.origin.column.name,
        name,
        "" if joined else "elsewhere",
        (("field", name),),
        constraint.message,
        constraint.warns,
    )


def _is_of_one_thing(
    context: Context, constraint: Constraint, aggregate: Aggregate, term: Term
) -> bool:
    """True when all rows belong to one thing that has one unit, such as an account."""
    places = [(term.origin.use, name) for name in constraint.settled_by]
    return bool(places) and all(context.settled.fixed(place, aggregate, term) for place in places)


def _is_converted(context: Context, term: Term, unit: str) -> bool:
    """True when it is multiplied with a rate that belongs to its own unit."""
    if term.rate is None:
        return False
    return any(
        use == term.rate.use
        for place in places_of(context, term.origin.use, unit)
        for use, _ in context.settled.same(place)
    )
