"""Turnover does not answer a question about a balance."""

from collections.abc import Callable, Iterable
from difflib import SequenceMatcher

from veridical.check.context import Context
from veridical.check.facts import Facts, Problem, Use, violated
from veridical.contracts.violation import Code
from veridical.ontology.catalog import ColumnCard, TableCard
from veridical.ontology.model import Constraint, Role

_SHOWN = frozenset({"select", "aggregate", "having"})
_FILTERED = _SHOWN | {"where", "on"}


def purpose_fits(context: Context) -> Iterable[Problem]:
    """Tables and columns that serve other purposes than the question's."""
    purposes = context.purposes - context.catalog.notions
    if not purposes:
        return
    telling = _telling_clauses(context.facts)
    for use in context.facts.uses:
        constraint = use.table.purpose
        if constraint is not None and purposes.isdisjoint(constraint.purposes):
            instead = _other_table(context, use.table, constraint, purposes)
            yield _misused(use.table.name, constraint, purposes, instead)
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
            instead = _other_column(use.table, column, constraint, purposes)
            instead = instead or _other_table(context, use.table, constraint, purposes)
            misused.append(_misused(column.name, constraint, purposes, instead))
        else:
            return []
    return misused


def _misused(
    name: str, constraint: Constraint, purposes: frozenset[str], instead: str | None
) -> Problem:
    purpose = ", ".join(sorted(purposes))
    return violated(constraint, Code.WRONG_TABLE_FOR_PURPOSE, name, instead, purpose=purpose)


def _other_column(
    table: TableCard, misused: ColumnCard, constraint: Constraint, purposes: frozenset[str]
) -> str | None:
    """The measure of the same table that serves the purpose; one that names it before others."""
    measures = [each for each in table.columns.values() if each.role is Role.MEASURE]
    named = [e.name for e in measures if e.purpose and not purposes.isdisjoint(e.purpose.purposes)]
    free = [each.name for each in measures if each.purpose is None]
    return _best(named or free, constraint, lambda name: _likeness(name, misused.name))


def _other_table(
    context: Context, misused: TableCard, constraint: Constraint, purposes: frozenset[str]
) -> str | None:
    """The visible table that serves the purpose; of several the one with the most columns of the
    misused one."""
    fitting = {
        table.name: table
        for table in context.catalog.tables.values()
        if table is not misused and _serves(table, purposes)
    }
    shared = {name: len(table.columns.keys() & misused.columns) for name, table in fitting.items()}
    return _best(fitting, constraint, lambda name: shared[name])


def _serves(table: TableCard, purposes: frozenset[str]) -> bool:
    """True if the owner says that the table, or one of its columns, is for such questions."""
    if table.purpose is not None:
        return not purposes.isdisjoint(table.purpose.purposes)
    declared = (column.purpose for column in table.columns.values())
    return any(each is not None and not purposes.isdisjoint(each.purposes) for each in declared)


def _best(names: Iterable[str], constraint: Constraint, rank: Callable[[str], float]) -> str | None:
    """The name that the owner's message has, else the one of the highest rank."""
    message = constraint.message
    words = message if isinstance(message, str) else " ".join(message.values())
    return max(names, key=lambda name: (name in words, rank(name)), default=None)


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.casefold(), other.casefold()).ratio()


def _telling_clauses(facts: Facts) -> frozenset[str]:
    """The clauses that the answer comes from: the figures shown, or else those filtered by.

    ``COUNT(*) … WHERE debitTotal < 0`` shows none: its condition is the answer.
    """
    shows_figure = any(
        each.clause in _SHOWN and each.origin.column.role is Role.MEASURE for each in facts.readings
    )
    return _SHOWN if shows_figure else _FILTERED
