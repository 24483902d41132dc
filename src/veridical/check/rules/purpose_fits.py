"""Turnover does not answer a question about a balance."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Facts, Problem, Use, violated
from veridical.contracts.violation import Code
from veridical.ontology.model import Constraint, Role

_SHOWN = frozenset({"select", "aggregate", "having"})
_FILTERED = _SHOWN | {"where", "on"}


def purpose_fits(context: Context) -> Iterable[Problem]:
    """Tables and columns that serve other purposes than the question's."""
    purposes = context.purposes
    if not purposes:
        return
    telling = _telling_clauses(context.facts)
    for use in context.facts.uses:
        constraint = use.table.purpose
        if constraint is not None and purposes.isdisjoint(constraint.purposes):
            yield _misused(use.table.name, constraint, purposes)
        yield from _misread(context, use, purposes, telling)


def _misread(
    context: Context, use: Use, purposes: frozenset[str], telling: frozenset[str]
) -> list[Problem]:
    """Figures that answer something else, where none is read that answers the question."""
    misused: list[Problem] = []
    for reading in context.facts.readings:
        column = reading.origin.column
        if reading.origin.use != use.id or reading.clause not in telling:
            continue
        constraint = column.purpose
        if constraint is None:
            if column.role is Role.MEASURE:
                return []
        elif purposes.isdisjoint(constraint.purposes):
            misused.append(_misused(column.name, constraint, purposes))
        else:
            return []
    return misused


def _misused(name: str, constraint: Constraint, purposes: frozenset[str]) -> Problem:
    purpose = ", ".join(sorted(purposes))
    return violated(constraint, Code.WRONG_TABLE_FOR_PURPOSE, name, purpose=purpose)


def _telling_clauses(facts: Facts) -> frozenset[str]:
    """The clauses that the answer comes from: the figures shown, or else those filtered by.

    ``COUNT(*) … WHERE debitTotal < 0`` shows none: its condition is the answer.
    """
    shows_figure = any(
        each.clause in _SHOWN and each.origin.column.role is Role.MEASURE for each in facts.readings
    )
    return _SHOWN if shows_figure else _FILTERED
