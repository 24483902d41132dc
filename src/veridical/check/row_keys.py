"""The rows that an aggregate runs over: which columns of their keys, and of their parents along
declared joins, have one value."""

from collections.abc import Container, Iterator

from veridical.check.context import ColumnPlace, Context
from veridical.check.facts import EXTREMES, Aggregate, Facts, Term, Use
from veridical.ontology.catalog import ColumnCard, JoinCard, TableCard
from veridical.ontology.name_kinds import NameKind
from veridical.ontology.parents import TO_ONE


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


def parents_of(context: Context, start: int) -> Iterator[int]:
    """The uses that each row of this one meets once, along the joins that it is joined by, or that
    it is looked up by: ``account IN (SELECT …)``."""
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

    def is_given(name: str) -> bool:
        place = (use.id, name)
        return place in settled.values or any(other != use.id for other, _ in settled.same(place))

    return any(
        key and all(name not in fields and is_given(name) for name in key) for key in use.table.keys
    )


def is_measured(facts: Facts, use: Use) -> bool:
    """True when a figure is made of this use's own rows."""
    return any(
        term.origin.use == use.id
        for each in facts.aggregates
        if each.function not in EXTREMES
        for term in each.terms
    )
