"""Yearly rows and monthly rows of one table never meet in one aggregate."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Aggregate, Problem, Term, distinct
from veridical.check.filter_match import admits
from veridical.contracts.violation import Code
from veridical.ontology.model import Constraint

_UNTOUCHED = frozenset({"count", "list", "any"})


def find(context: Context) -> Iterable[Problem]:
    """Aggregates whose rows come from more than one level."""
    found: list[Problem] = []
    for aggregate in context.facts.aggregates:
        if aggregate.function in _UNTOUCHED:
            continue
        for term in aggregate.terms:
            constraint = term.origin.column.one_level
            if constraint is not None and _levels_mix(context, aggregate, term, constraint):
                field = constraint.fields[0]
                levels = " / ".join(constraint.levels)
                found.append(
                    Problem(
                        Code.MIXED_LEVELS,
                        term.origin.column.name,
                        field,
                        "",
                        (("field", field), ("levels", levels)),
                        constraint.message,
                        constraint.warns,
                    )
                )
    return distinct(found)


def _levels_mix(context: Context, aggregate: Aggregate, term: Term, constraint: Constraint) -> bool:
    place = (term.origin.use, constraint.fields[0])
    if context.settled.fixed(place, aggregate, term):
        return False
    filters = context.settled.filters(place, term.conditions)
    reached = sum(
        any(admits(filters, value) for value in values) for values in constraint.levels.values()
    )
    return reached > 1
