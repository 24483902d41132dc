"""What a figure is divided by: a short list of a table, the names of a parent's rows, its own."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from veridical.contracts.language import Language
from veridical.onboarding.display_names import (
    Name,
    group_name,
    head_name,
    listed_words,
    table_name,
)
from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at
from veridical.onboarding.kinds.soft_deletes import is_flag
from veridical.onboarding.names import words_of
from veridical.onboarding.profile import ColumnProfile, TableProfile, Value
from veridical.onboarding.proposal import ProposalKind

_MOST_LISTS, _MOST_PARENTS = 5, 4
_MOST_VALUES = 250


@dataclass(frozen=True)
class Dimension:
    """A way to divide the rows of a table."""

    column: str
    """The table's own column."""
    names: tuple[Name, ...]
    """Any of which names it."""
    values: tuple[Value, ...] = ()
    """Its values, where there are few."""
    parent: str = ""
    key: str = ""
    """The column of the parent that the own column points to."""
    shown: tuple[str, ...] = ()
    """The columns that name a row of the parent, or of the table itself."""
    optional: bool = False
    """True if some rows point nowhere."""


def dimensions(known: Findings, table: TableProfile) -> tuple[Dimension, ...]:
    """The ways to divide a table: by its lists, then by its parents."""
    found = [*_lists(known, table)][:_MOST_LISTS]
    found += [*_parents(known, table)][:_MOST_PARENTS]
    return tuple(_alone(each, found) for each in found)


def flags(table: TableProfile) -> Iterator[tuple[ColumnProfile, Value]]:
    """The columns of yes and no, each with its yes."""
    for column in table.columns:
        if is_flag(column):
            marks = {str(value).casefold(): value for value, _ in column.values}
            found = [marks[each] for each in ("1", "true", "y", "yes", "t") if each in marks]
            yield from ((column, each) for each in found[:1])


def own_names(known: Findings, table: TableProfile) -> Dimension | None:
    """The names of the rows themselves, if they have any."""
    for each in known.of(ProposalKind.ROW_NAMES, table.name):
        return Dimension(each.columns[0], (table_name(table.name),), shown=each.columns)
    return None


def _alone(each: Dimension, all_of_them: Iterable[Dimension]) -> Dimension:
    """The dimension without the shorter names that another one has as well."""
    others = {
        phrase
        for other in all_of_them
        if other is not each
        for name in other.names
        for phrase in name.phrases[Language.EN]
    }
    first, *rest = each.names
    kept = [name for name in rest if others.isdisjoint(name.phrases[Language.EN])]
    return replace(each, names=(first, *kept))


def _lists(known: Findings, table: TableProfile) -> Iterator[Dimension]:
    closed = known.columns(ProposalKind.CLOSED_LIST, table.name)
    left_out = known.columns(ProposalKind.FOREIGN_KEY, table.name)
    left_out |= known.columns(ProposalKind.SOFT_DELETE, table.name)
    for column in table.columns:
        is_list = column.name in closed or _is_shared(table, column)
        listed = is_list or _is_code(known, table, column)
        skipped = column.name in left_out or is_flag(column) or hints_at(column.name, "currency")
        if listed and not skipped:
            head = head_name(column.name)
            names = (group_name(column.name), *((head,) if head else ()))
            values = tuple(value for value, _ in column.values if value is not None)
            yield Dimension(column.name, names, values, optional=column.filled < table.seen)


def _is_shared(table: TableProfile, column: ColumnProfile) -> bool:
    """True for a place, a color or a kind that several rows have."""
    words = words_of(column.name)
    shared = 1 < column.distinct <= _MOST_VALUES and column.distinct < table.seen
    named = not listed_words("places").isdisjoint(words[-1:]) or hints_at(column.name, "closed")
    return column.is_text and shared and named


def _is_code(known: Findings, table: TableProfile, column: ColumnProfile) -> bool:
    """True for a short list in a key of several columns: the warehouse of a stock."""
    key = known.key(table.name)
    times = known.columns(ProposalKind.TIME_COLUMN, table.name)
    within = len(key) > 1 and column.name in key and column.name not in times
    return within and column.is_text and bool(column.values) and not hints_at(column.name, "time")


def _parents(known: Findings, table: TableProfile) -> Iterator[Dimension]:
    for link in known.links(table.name):
        parent = known.tables.get(link.target or "")
        if parent is None or len(link.columns) != 1 or parent.name == table.name:
            continue
        for names in known.of(ProposalKind.ROW_NAMES, parent.name):
            column = table.by_name[link.columns[0]]
            yield Dimension(
                column.name,
                (group_name(column.name), table_name(parent.name)),
                names.values,
                parent.name,
                link.target_columns[0],
                names.columns,
                optional=column.filled < table.seen,
            )
