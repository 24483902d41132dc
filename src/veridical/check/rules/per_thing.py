"""Figures per thing where a thing has several rows: its first or last event, the record that a
double was merged into, the last stock that it reported."""

from collections.abc import Iterable, Iterator

from veridical.check.context import ColumnPlace, Context
from veridical.check.facts import (
    EXTREMES,
    Aggregate,
    Block,
    Facts,
    Filter,
    LiteralKind,
    Origin,
    Problem,
    Use,
    violated,
)
from veridical.check.row_times import figures_of
from veridical.contracts.violation import Code
from veridical.ontology.model import Cardinality, Constraint, ConstraintRule

_MEANS = frozenset({"avg", "median", "stddev", "variance"})
_AS_IT_IS = frozenset({"", "difference", "factor"})
_ADDS_UP = frozenset({"", "sum"})


def first_or_last(context: Context) -> Iterable[Problem]:
    """Means and shares that take every row of a thing instead of its first or its last. Whether a
    figure is per thing or per row, only the question says."""
    for use in context.facts.uses:
        for constraint in use.table.things:
            if constraint.rule is not ConstraintRule.FIRST_OR_LAST:
                continue
            if use.id in context.facts.negated or _is_one_each(context, use, constraint):
                continue
            if any(_takes_all(context, use, constraint, each) for each in context.facts.aggregates):
                values = {"table": use.table.name, "fields": ", ".join(constraint.fields)}
                name = constraint.fields[0]
                yield violated(constraint, Code.FAN_OUT, name, None, "things", soft=True, **values)


def _takes_all(context: Context, use: Use, constraint: Constraint, figure: Aggregate) -> bool:
    keys = {key.place for key in figure.keys}
    if all(keys & context.settled.same((use.id, name)) for name in constraint.fields):
        return False
    own = [term for term in figure.terms if term.origin.use == use.id]
    if own:
        return figure.function in _MEANS and all(term.via in _AS_IT_IS for term in own)
    return _is_share(context, use, constraint, figure)


def _is_share(context: Context, use: Use, constraint: Constraint, figure: Aggregate) -> bool:
    """True for a number of rows that are joined to their things, in a share."""
    sides = context.facts.blocks[figure.block].sides
    if len(sides) < 2 or not any(use.id in side.uses for side in sides):
        return False
    counts = not figure.terms and not figure.distinct and figure.function in ("sum", "count", "avg")
    things = frozenset().union(
        *(context.settled.same((use.id, name)) for name in constraint.fields)
    ) - {(use.id, name) for name in constraint.fields}
    shared = figure.function == "avg" or any(
        each.block == figure.block and each.function == "count"
        for each in context.facts.denominators
    )
    return counts and shared and bool(things)


def _is_one_each(context: Context, use: Use, constraint: Constraint) -> bool:
    """True when one row of each thing is chosen: by its rank, by the time or the number that was
    looked up, because no earlier or later one exists, or as a group of its own."""
    facts = context.facts
    things = {(use.id, name) for name in constraint.fields}
    if any(things <= {key.place for key in block.keys} for block in facts.blocks):
        return True
    kept = (key for block in facts.blocks for side in block.sides for key in side.keys)
    if any(key and {each.place for each in key} <= things for key in kept):
        return True  # DISTINCT
    others = {
        term.origin.use
        for each in facts.aggregates
        if each.function in EXTREMES
        for term in each.terms
    }
    ends = any(facts.uses[other].table is use.table for other in others - {use.id})
    filters = [
        each
        for name in use.table.columns
        if name not in constraint.fields
        for each in context.settled.filters((use.id, name))
    ]
    if any(each.op == "rank" or _is_looked_up(each, ends) for each in filters):
        return True
    return any(facts.uses[other].table is use.table for other in facts.negated - {use.id})


def _is_looked_up(each: Filter, ends: bool) -> bool:
    """True for a value, or for one of the first or last ones, that a sub-query gives."""
    if each.op == "in" and not each.values:
        return ends
    return each.op in ("=", "in") and any(value.kind is LiteralKind.OTHER for value in each.values)


def merged_into(context: Context) -> Iterable[Problem]:
    """Things that are counted, grouped or chosen by a number that another row stands for."""
    doubles = {
        table.name: constraint
        for table in context.catalog.tables.values()
        for constraint in table.things
        if constraint.rule is ConstraintRule.MERGED_INTO
    }
    if not doubles:
        return
    read = {
        (context.facts.uses[each.origin.use].table.name, each.origin.column.name)
        for each in context.facts.readings
    }
    for name, constraint in doubles.items():
        pointer = constraint.fields[0]
        if (name, pointer) in read:
            continue
        if any(_tells_things_apart(context, use, name) for use in context.facts.uses):
            values = {"table": name, "fields": pointer}
            yield violated(
                constraint, Code.REPEATED_COUNT, name, pointer, "merged", soft=True, **values
            )


def _tells_things_apart(context: Context, use: Use, table: str) -> bool:
    """True when figures are per thing: a number of different ones, a group of each, or one."""
    facts, settled = context.facts, context.settled
    if use.id in facts.negated:
        return False
    places = {(use.id, name) for name in _numbers(use, table)}
    if not places or not facts.aggregates:
        return False
    counted = any(
        term.origin.place in places
        for each in facts.aggregates
        if each.function == "count" and each.distinct
        for term in each.terms
    )
    grouped = any(
        key.place in places and not _is_added_up_again(facts, block, key)
        for block in facts.blocks
        for key in block.keys
    )
    figures = bool(figures_of(context, use))
    totals = {each.fields[0] for column in use.table.columns.values() for each in column.one_level}
    chosen = figures and any(
        literal.kind is not LiteralKind.NULL and place[1] not in totals
        for place in places
        if (literal := settled.values.get(place)) is not None
    )
    return counted or grouped or chosen


def _is_added_up_again(facts: Facts, block: Block, key: Origin) -> bool:
    """True for groups that only sums are made of, which are the same for any groups; those are of
    a group that the result shows, counts, or takes a mean of."""
    if any(term.origin == key for _, terms in facts.shown_terms for term in terms):
        return False
    later = [
        each
        for each in facts.aggregates
        if each.block != block.index
        and any(key.use in side.uses for side in facts.blocks[each.block].sides)
    ]
    return bool(later) and all(each.function == "sum" and each.terms for each in later)


def _numbers(use: Use, table: str) -> Iterator[str]:
    """The columns of this use that hold the number of a thing."""
    if use.table.name == table:
        yield from (name for key in use.table.keys if len(key) == 1 for name in key)
    for join in use.table.joins:
        one = join.cardinality is Cardinality.MANY_TO_ONE and len(join.pairs) == 1
        if join.target == table and one:
            yield join.pairs[0][0]


def last_known(context: Context) -> Iterable[Problem]:
    """Stocks of one day, where not everything has reported on it."""
    for aggregate in context.facts.aggregates:
        for term in aggregate.terms if aggregate.function == "sum" else ():
            constraint = term.origin.column.semi_additive
            if constraint is None or not constraint.last_per or term.via not in _ADDS_UP:
                continue
            use = term.origin.use
            grouped = {key.place for key in aggregate.keys}
            pinned = any(
                (use, day) in context.settled.values and (use, day) not in grouped
                for day in constraint.fields
            )
            missing = [
                name for name in constraint.last_per if not _is_per(context, (use, name), grouped)
            ]
            if pinned and missing:
                values = {"fields": ", ".join(missing)}
                code, name = Code.MISSING_REQUIRED_FILTER, term.origin.column.name
                yield violated(constraint, code, name, None, "last", soft=True, **values)


def _is_per(context: Context, place: ColumnPlace, grouped: set[ColumnPlace]) -> bool:
    """True when the last day is looked up for each of these, or one of them is chosen."""
    settled, uses = context.settled, context.facts.uses
    if place in settled.values:
        return True
    table = uses[place[0]].table
    looked_up = {
        each.right.place
        for each in context.facts.equalities
        if not each.joins and each.left.place == place
    }
    if any(
        uses[use].table is table and name == place[1]
        for use, name in settled.same(place) | looked_up
        if use != place[0]
    ):
        return True
    return any(
        each.op == "rank" and any(part.origin.place == place for part in each.parts)
        for name in table.columns
        for each in settled.filters((place[0], name))
    )
