"""Rows without a value count as well: a share or a mean is over all of them, no join leaves them
out, and what stands in for an empty value is read as well."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Aggregate, Problem, Term, Use, violated
from veridical.check.over_all_rows import ALL_ROWS
from veridical.check.row_keys import places_of
from veridical.contracts.violation import Code
from veridical.ontology.catalog import ColumnCard

_MEANS = frozenset({"avg", "median", "stddev", "variance"})
_FIGURES = _MEANS | {"sum", "min", "max"}
_LISTS = frozenset({"=", "in"})


def empty_counts(context: Context) -> Iterable[Problem]:
    """Means of the rows with a value, and shares of them."""
    for aggregate in context.facts.aggregates:
        if aggregate.function in _MEANS and not aggregate.divided:
            yield from _problems(_of_filled(aggregate))
    for aggregate in context.facts.denominators:
        if aggregate.function != "count":
            continue
        yield from _problems(_of_filled(aggregate))
        if not aggregate.terms:
            yield from _problems(_filtered(context, aggregate), soft=True)


def _problems(columns: Iterable[ColumnCard], *, soft: bool = False) -> Iterable[Problem]:
    for column in columns:
        constraint = column.empty_counts
        if constraint is not None and not constraint.fields:
            code, name = Code.INVALID_AGGREGATE_TARGET, column.name
            yield violated(constraint, code, name, ALL_ROWS, "empty", soft=soft)


def _of_filled(aggregate: Aggregate) -> Iterable[ColumnCard]:
    """The columns whose empty values this aggregate leaves out. Where a value stands in for one
    column of a sum, who wrote it knows which of them may be empty."""
    if any(term.or_else and term.origin.column.empty_counts for term in aggregate.terms):
        return []
    return [term.origin.column for term in aggregate.terms if not term.via]


def _filtered(context: Context, aggregate: Aggregate) -> Iterable[ColumnCard]:
    """The columns by which the counted rows are those with a value."""
    facts = context.facts
    counted = {use for side in facts.blocks[aggregate.block].sides for use in side.uses}
    return [
        each.origin.column
        for each in facts.filters
        if each.origin.use in counted
        and (each.op == "not is null" or (each.op in _LISTS and len(each.values) > 1))
    ]


def stands_in(context: Context) -> Iterable[Problem]:
    """Figures of a column that leave out what stands in for an empty value."""
    for aggregate in context.facts.aggregates:
        for term in aggregate.terms if aggregate.function in _FIGURES else ():
            constraint = term.origin.column.empty_counts
            if constraint is not None and constraint.fields:
                others = {(each.origin.use, each.origin.column.name) for each in aggregate.terms}
                missing = (term.origin.use, constraint.fields[0]) not in others
                if missing and not term.via and not _is_filled(context, term):
                    code, name = Code.INVALID_AGGREGATE_TARGET, term.origin.column.name
                    fields = constraint.fields[0]
                    yield violated(
                        constraint, code, name, None, "stands_in", soft=True, fields=fields
                    )


def _is_filled(context: Context, term: Term) -> bool:
    """True where rows with a value are chosen, or rows by the unit of what stands in."""
    constraint = term.origin.column.empty_counts
    use = term.origin.use
    stand_in = (
        context.facts.uses[use].table.columns.get(constraint.fields[0]) if constraint else None
    )
    units = stand_in.same_unit.fields if stand_in is not None and stand_in.same_unit else ()
    places = [
        term.origin.place,
        *(each for unit in units for each in places_of(context, use, unit)),
    ]
    return any(
        each.op != "is null"
        for place in places
        for each in context.settled.filters(place, term.conditions)
    )


def empty_kept(context: Context) -> Iterable[Problem]:
    """Joins by a number that may be empty, where the rows without one count."""
    joined = (side for each in context.facts.equalities for side in (each.left, each.right))
    for origin in dict.fromkeys(each for each in joined if each.column.empty_counts is not None):
        use, column = context.facts.uses[origin.use], origin.column
        constraint, other = column.empty_counts, _joined_by(context, use, column.name)
        if constraint is not None and other is not None and _has_figures(context, use):
            code, name, table = Code.OUTER_JOIN_UNDONE, column.name, context.facts.uses[other].table
            yield violated(constraint, code, name, None, "empty", soft=True, table=table.name)


def _has_figures(context: Context, use: Use) -> bool:
    """True when figures are made of these rows, or of what is joined to them."""
    blocks = context.facts.blocks
    return any(
        use.id in side.uses
        for each in context.facts.aggregates
        for side in blocks[each.block].sides
    )


def _joined_by(context: Context, use: Use, name: str) -> int | None:
    """The use that every row must meet by this column, where nothing else is wanted of it than
    whether its rows count."""
    facts, settled = context.facts, context.settled
    place = (use.id, name)
    looked_at = any(
        each.op == "is null" and each.origin.place == place for each in facts.comparisons
    )
    if looked_at or any(each.values or each.op == "or" for each in settled.filters(place)):
        return None
    optional = frozenset().union(*(block.optional for block in facts.blocks))
    decides = {
        tuple(part.column.rpartition(".")[::2])
        for condition in use.table.counted
        if not condition.constraint.purposes
        for parts in condition.parts
        for part in parts
    }
    found: list[int] = []
    for other, key in sorted(settled.same((use.id, name))):
        table = facts.uses[other].table
        left = other in optional or other in facts.negated
        if left or frozenset((key,)) not in table.keys or other == use.id:
            continue
        read = {each.origin.column.name for each in facts.readings if each.origin.use == other}
        if not all(each == key or (table.name, each) in decides for each in read):
            return None
        found.append(other)
    return found[0] if found else None
