"""Tables with a row for each thing at each date: the dates and things an aggregate runs over."""

from veridical.check.context import Context
from veridical.check.facts import Aggregate, Term
from veridical.check.parent_columns import is_fixed
from veridical.ontology.catalog import ColumnCard, TableCard
from veridical.ontology.name_kinds import NameKind


def is_day(column: ColumnCard) -> bool:
    """True for a column that says when, by its type or by its name."""
    said = {NameKind.DAY, NameKind.VALID_FROM, NameKind.VALID_UNTIL}
    return column.type.is_temporal or not said.isdisjoint(column.named)


def days_of_key(table: TableCard) -> tuple[str, ...]:
    """The dates in the table's key, where it names something else besides."""
    for key in table.keys:
        days = tuple(sorted(name for name in key if name in table.columns and _day(table, name)))
        if days and len(days) < len(key):
            return days
    return ()


def open_days(context: Context, aggregate: Aggregate, term: Term) -> tuple[str, ...]:
    """The dates that the aggregate runs over: those declared for the measure, else of the key."""
    constraint = term.origin.column.semi_additive
    table = context.facts.uses[term.origin.use].table
    days = constraint.fields if constraint is not None else days_of_key(table)
    return tuple(name for name in days if not is_fixed(context, name, aggregate, term))


def open_things(context: Context, aggregate: Aggregate, term: Term) -> tuple[str, ...]:
    """The other columns of the key that it runs over as well."""
    table = context.facts.uses[term.origin.use].table
    constraint = term.origin.column.semi_additive
    days = constraint.fields if constraint is not None else days_of_key(table)
    for key in table.keys:
        if key.issuperset(days) and len(key) > len(days):
            things = sorted(key.difference(days))
            return tuple(name for name in things if not is_fixed(context, name, aggregate, term))
    return ()


def _day(table: TableCard, name: str) -> bool:
    return is_day(table.columns[name])
