"""The rows that an aggregate runs over: which columns of their keys, and of their parents along
declared joins, have one value."""

from collections.abc import Container, Iterator

from veridical.check.context import ColumnPlace, Context
from veridical.check.facts import EXTREMES, Aggregate, Facts, Filters, Term, Use
from veridical.contracts.schema import ValueType
from veridical.ontology.catalog import ColumnCard, JoinCard, TableCard
from veridical.ontology.name_kinds import NameKind
from veridical.ontology.parents import TO_ONE

_FLAG = 2
"""Values of a mark."""


def is_fixed(context: Context, name: str, aggregate: Aggregate, term: Term) -> bool:
    """True when the aggregate does not run over this column, its own or ``parent.column``."""
    settled = context.settled
    use = term.origin.use
    if any(settled.fixed(place, aggregate, term) for place in places_of(context, use, name)):
        return True
    table = name.rpartition(".")[0]
    if not table:
        return False
    ways = (join for join in context.facts.uses[use].table.joins if join.target == table)
    return any(
        join.cardinality in TO_ONE
        and all(settled.fixed((use, near), aggregate, term) for near, _ in join.pairs)
        for join in ways
    )


def places_of(context: Context, use: int, name: str) -> list[ColumnPlace]:
    """Where this column stands for the rows of this use; none when its table is not joined."""
    table, _, column = name.rpartition(".")
    if not table:
        return [(use, name)]
    uses = context.facts.uses
    return [(each, column) for each in parents_of(context, use) if uses[each].table.name == table]


def parents_of(context: Context, start: int) -> tuple[int, ...]:
    """The uses that each row of this one meets once, along the joins that it is joined by, or that
    it is looked up by: ``account IN (SELECT …)``."""
    if start not in context.parents:
        context.parents[start] = tuple(_parents(context, start))
    return context.parents[start]


def _parents(context: Context, start: int) -> Iterator[int]:
    uses = context.facts.uses
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        for join in uses[here].table.joins:
            for other in uses:
                new = other.id not in seen and other.table.name == join.target
                if new and _follows(context, here, other.id, join):
                    seen.add(other.id)
                    waiting.append(other.id)
                    yield other.id


def _follows(context: Context, here: int, there: int, join: JoinCard) -> bool:
    if join.cardinality not in TO_ONE:
        return False
    same = context.settled.same
    looked_up = _looked_up(context, here, there)
    return all(
        (there, far) in same((here, near)) or (near, far) in looked_up for near, far in join.pairs
    )


def _looked_up(context: Context, here: int, there: int) -> set[tuple[str, str]]:
    """The columns of the one that must be among those of the other."""
    facts = context.facts
    left_out = {each.origin for each in facts.exclusions}
    return {
        (each.left.column.name, each.right.column.name)
        for each in facts.equalities
        if not each.joins and (each.left.use, each.right.use) == (here, there)
        if each.right not in left_out
    }


def chooses_kind(context: Context, term: Term) -> bool:
    """True when a condition leaves rows of one kind, by a text that is neither key nor day nor a
    mark of those that no longer hold: all of them may be measured in one unit."""
    return is_of_one_kind(context, term.origin.use, term.conditions)


def is_of_one_kind(context: Context, use: int, conditions: Filters = ()) -> bool:
    """The same of the rows of a use."""
    table = context.facts.uses[use].table
    marks = {name for each in table.required_filters for name in each.fields}
    marks |= {name for each in table.counted for name in each.marks}
    pinned = {name for other, name in context.settled.values if other == use}
    pinned |= {each.origin.column.name for each in conditions if each.pins}
    return any(
        _is_kind(column) and not any(column.name in key for key in table.keys)
        for name in pinned - marks
        if (column := table.columns.get(name)) is not None
    )


def _is_kind(column: ColumnCard) -> bool:
    if column.type is not ValueType.TEXT or NameKind.DELETED in column.named or is_day(column):
        return False
    known = column.allowed_texts or column.values
    return known is None or len(known) > _FLAG


def is_converted(context: Context, term: Term, unit: str) -> bool:
    """True when it is scaled by what is joined by its unit, its rate; or has none and stays."""
    joined = rates_of(context, term, unit)
    scaled_by = {each.use for each in term.factors | term.divisors}
    unrated = {each.origin.use for each in term.conditions if each.op == "is null"}
    return not joined.isdisjoint(scaled_by | unrated)


def rates_of(context: Context, term: Term, unit: str) -> set[int]:
    """The uses that are joined to the amount by its unit."""
    places = places_of(context, term.origin.use, unit)
    joined = {use for place in places for use, _ in context.settled.same(place)}
    return joined - {term.origin.use, *(use for use, _ in places)}


def stands_in(aggregate: Aggregate, term: Term) -> bool:
    """True when it only counts where another column of the row is empty:
    ``COALESCE(amount_eur, amount)``."""
    others = {each.origin for each in aggregate.terms} - {term.origin}
    return any(each.op == "is null" and each.origin in others for each in term.conditions)


def is_day(column: ColumnCard) -> bool:
    """True for a column of times, by its type or by its name."""
    dated = {NameKind.DAY, NameKind.VALID_FROM, NameKind.VALID_UNTIL}
    return column.type.is_temporal or not dated.isdisjoint(column.named)


def days_of_key(table: TableCard) -> tuple[str, ...]:
    """The dates in the table's key, where it names something else besides."""
    for key in table.keys:
        days = tuple(
            sorted(name for name in key if name in table.columns and is_day(table.columns[name]))
        )
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


def is_found_by_key(context: Context, use: Use, fields: Container[str] = ()) -> bool:
    """True when another table, or a value, identifies the row, without any of these fields.

    An order names its customer, who may have left since: the order counts all the same.
    """
    settled = context.settled
    inside = frozenset().union(
        *(each.inner for each in context.facts.nested if use.id in each.outer)
    )
    looked_up = {
        each.right.place
        for each in context.facts.equalities
        if not each.joins and each.left.use != use.id
    }

    def is_given(name: str) -> bool:
        place = (use.id, name)
        if place in settled.values or place in looked_up:
            return True
        return any(other != use.id and other not in inside for other, _ in settled.same(place))

    return any(
        key and all(name not in fields and is_given(name) for name in key) for key in use.table.keys
    )


def is_measured(facts: Facts, use: Use) -> bool:
    """True when a figure is made of this use's own rows, not of others' that they scale."""
    return any(
        term.origin.use == use.id and all(by.use == use.id for by in term.factors)
        for each in facts.aggregates
        if each.function not in EXTREMES
        for term in each.terms
    )
