"""Francs are not added to euros."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Problem, distinct
from veridical.contracts.violation import Code

_ADDING = frozenset({"sum", "avg", "median", "stddev", "variance", "min", "max"})


def find(context: Context) -> Iterable[Problem]:
    """Aggregates over amounts whose unit is neither settled nor grouped by."""
    found: list[Problem] = []
    for aggregate in context.facts.aggregates:
        if aggregate.function not in _ADDING:
            continue
        for term in aggregate.terms:
            constraint = term.origin.column.same_unit
            if constraint is None:
                continue
            for name in constraint.fields:
                if not context.settled.fixed((term.origin.use, name), aggregate, term):
                    found.append(
                        Problem(
                            Code.MIXED_UNITS,
                            term.origin.column.name,
                            name,
                            "",
                            (("field", name),),
                            constraint.message,
                        )
                    )
    return distinct(found)
