"""Rows that count no more by a column's name, where no ontology says so: a version that has ended,
what was deleted. A name is no proof, so it only warns."""

from collections.abc import Iterable, Iterator

from veridical.check.context import Context
from veridical.check.dated_keys import days_of_key, is_day
from veridical.check.facts import Aggregate, Problem, Use, distinct
from veridical.check.found_rows import is_found_by_key
from veridical.contracts.violation import Code
from veridical.ontology.catalog import TableCard
from veridical.ontology.name_kinds import NameKind

_OF_ROWS = frozenset({"sum", "avg", "count"})
_MARKS = frozenset({NameKind.UNTIL, NameKind.VALID_FROM, NameKind.VALID_UNTIL, NameKind.DELETED})
"""What names say of a row that may no longer hold."""


def find(context: Context) -> Iterable[Problem]:
    """Figures of all rows of a table that marks those that hold."""
    found: list[Problem] = []
    for aggregate in context.facts.aggregates:
        if aggregate.function in _OF_ROWS and not aggregate.distinct:
            for use in _counted(context, aggregate):
                found.extend(_unchosen(context, use))
    return distinct(found)


def _counted(context: Context, aggregate: Aggregate) -> Iterator[Use]:
    """The plain tables that an aggregate reads, that no ontology describes and names speak of."""
    for side in context.facts.blocks[aggregate.block].sides:
        if len(side.uses) == 1:
            use = context.facts.uses[min(side.uses)]
            if use.table.entity is None and not _MARKS.isdisjoint(use.table.named):
                yield use


def _unchosen(context: Context, use: Use) -> Iterator[Problem]:
    readings = context.facts.readings
    read = {each.origin.column.name for each in readings if each.origin.use == use.id}
    ends = _ends(use.table)
    if ends and read.isdisjoint(ends) and read.isdisjoint(_days(use.table)):
        yield _missing(use, ends[0])
    marks = (_validity(use.table), _named(use.table, NameKind.DELETED))
    unread = [names for names in marks if names and read.isdisjoint(names)]
    if unread and not is_found_by_key(context, use):
        for names in unread:
            yield _missing(use, names[0])


def _days(table: TableCard) -> Iterator[str]:
    return (each.name for each in table.columns.values() if is_day(each))


def _missing(use: Use, name: str) -> Problem:
    values = (("fields", name), ("table", use.table.name))
    return Problem(Code.MISSING_REQUIRED_FILTER, name, name, "", values, soft=True)


def _ends(table: TableCard) -> list[str]:
    """The columns that say until when a row holds, where the key says since when."""
    names = _named(table, NameKind.UNTIL)
    if not names or not days_of_key(table):
        return []
    return [name for name in names if is_day(table.columns[name])]


def _validity(table: TableCard) -> list[str]:
    """The last and the first day, where the rows have numbers of their own and both names say that
    a row is valid from one to the other; and a mark of those that hold today."""
    first, last = _named(table, NameKind.VALID_FROM), _named(table, NameKind.VALID_UNTIL)
    marks = _named(table, NameKind.CURRENT)
    return [*last, *first, *marks] if first and last and not days_of_key(table) else []


def _named(table: TableCard, kind: NameKind) -> tuple[str, ...]:
    return table.named.get(kind, ())
