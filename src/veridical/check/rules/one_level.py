"""Yearly rows and monthly rows of one table never meet in one aggregate."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Aggregate, Problem, Term, distinct
from veridical.check.filter_match import admits
from veridical.check.fixed_columns import Place
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
            if constraint is None:
                continue
            mixed = _levels_mix(context, aggregate, term, constraint)
            ranked = not mixed and _are_compared(context, aggregate, term, constraint)
            if mixed or ranked:
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
                        constraint.warns or ranked,
                    )
                )
    return distinct(found)


def _are_compared(
    context: Context, aggregate: Aggregate, term: Term, constraint: Constraint
) -> bool:
    """True when a row for each value, the total among them, is put beside the others: to find the
    largest, or what share of all each has."""
    block = context.facts.blocks[aggregate.block]
    place = (term.origin.use, constraint.fields[0])
    grouped = any((key.use, key.column.name) == place for key in aggregate.keys)
    summed = any(  # a sum of the groups' sums, in the same block: a window over all of them
        each.block == aggregate.block
        and any(other.origin == term.origin and other.via == "sum" for other in each.terms)
        for each in context.facts.aggregates
    )
    if not grouped or not (block.cut is not None or summed):
        return False
    return _reaches_several(context, place, term, constraint)


def _levels_mix(context: Context, aggregate: Aggregate, term: Term, constraint: Constraint) -> bool:
    place = (term.origin.use, constraint.fields[0])
    if context.settled.fixed(place, aggregate, term):
        return False
    return _reaches_several(context, place, term, constraint)


def _reaches_several(context: Context, place: Place, term: Term, constraint: Constraint) -> bool:
    filters = context.settled.filters(place, term.conditions)
    reached = sum(
        any(admits(filters, value) for value in values) for values in constraint.levels.values()
    )
    return reached > 1
