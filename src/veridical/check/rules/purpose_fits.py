"""Turnover does not answer a question about a balance."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Problem, Use, distinct
from veridical.contracts.violation import Code
from veridical.ontology.model import Constraint, Role

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
            found.append(_misused(use.table.name, constraint, asked))
        found.extend(_misread(context, use, asked))
    return distinct(found)


def _misread(context: Context, use: Use, asked: frozenset[str]) -> list[Problem]:
    """Figures that answer something else, where none is read that answers the question."""
    misused: list[Problem] = []
    for reading in context.facts.readings:
        column = reading.origin.column
        if reading.origin.use != use.id or reading.clause not in _SHOWN:
            continue
        constraint = column.purpose
        if constraint is None:
            if column.role is Role.MEASURE:
                return []
        elif asked.isdisjoint(constraint.purposes):
            misused.append(_misused(column.name, constraint, asked))
        else:
            return []
    return misused


def _misused(name: str, constraint: Constraint, asked: frozenset[str]) -> Problem:
    values = (("purpose", ", ".join(sorted(asked))),)
    return Problem(Code.WRONG_TABLE_FOR_PURPOSE, name, None, "", values, constraint.message)
