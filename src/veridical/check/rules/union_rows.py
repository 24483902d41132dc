"""A UNION keeps equal rows once: what is summed over it misses the others."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Problem, distinct
from veridical.contracts.violation import Code

_ADDING = frozenset({"sum", "avg", "median"})


def find(context: Context) -> Iterable[Problem]:
    """Sums and means over a UNION whose rows no key tells apart."""
    blocks = context.facts.blocks
    return distinct(
        [
            Problem(Code.UNION_DROPS_ROWS, aggregate.terms[0].origin.column.name)
            for aggregate in context.facts.aggregates
            if aggregate.function in _ADDING and aggregate.terms and blocks[aggregate.block].merged
        ]
    )
