"""Turnover does not answer a question about a balance."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Problem, distinct
from veridical.contracts.violation import Code

_SHOWN = frozenset({"select", "aggregate", "having"})


def find(context: Context) -> Iterable[Problem]:
    """Tables and columns that are there for other questions than the one asked."""
    asked = context.purposes
    if not asked:
        return ()
    found: list[Problem] = []
    for use in context.facts.uses:
        constraint = use.table.purpose
        if constraint is not None and asked.isdisjoint(constraint.purposes):
            found.append(
                Problem(
                    Code.WRONG_TABLE_FOR_PURPOSE,
                    use.table.name,
                    None,
                    "",
                    (("purpose", ", ".join(sorted(asked))),),
                    constraint.message,
                )
            )
    for reading in context.facts.readings:
        constraint = reading.origin.column.purpose
        if constraint is None or reading.clause not in _SHOWN:
            continue
        if asked.isdisjoint(constraint.purposes):
            found.append(
                Problem(
                    Code.WRONG_TABLE_FOR_PURPOSE,
                    reading.origin.column.name,
                    None,
                    "",
                    (("purpose", ", ".join(sorted(asked))),),
                    constraint.message,
                )
            )
    return distinct(found)
