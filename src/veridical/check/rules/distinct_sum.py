"""Two equal amounts are two amounts: a sum of distinct values loses one of them."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Problem, distinct
from veridical.contracts.violation import Code

_ADDING = frozenset({"sum", "avg", "median"})


def find(context: Context) -> Iterable[Problem]:
    """Sums and means of distinct values."""
    return distinct(
        [
            Problem(
                Code.SUM_OF_DISTINCT,
                aggregate.terms[0].origin.column.name,
                None,
                "",
                (("function", aggregate.function.upper()),),
            )
            for aggregate in context.facts.aggregates
            if aggregate.distinct and aggregate.function in _ADDING and aggregate.terms
        ]
    )
