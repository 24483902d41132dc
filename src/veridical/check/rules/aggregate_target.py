"""Measures that must not be summed: rates never, balances not over periods, yearly and monthly
rows of one table never in one aggregate."""

from collections.abc import Iterable

from veridical.check.context import ColumnPlace, Context
from veridical.check.facts import Aggregate, Problem, Term, violated
from veridical.check.narrowing import admits, limited_to
from veridical.check.row_keys import is_fixed
from veridical.contracts.violation import Code
from veridical.ontology.model import Constraint, ConstraintRule

_ADDING = frozenset({"sum", "avg", "median", "stddev", "variance"})
_UNCHANGED = frozenset({"", "list", "shifted"})
"""Values that were collected in a list, or taken from another row, are what they were."""
_STILL_A_SNAPSHOT = _UNCHANGED | {"sum"}
"""A snapshot that went through a minimum, a mean or a difference is one no more."""
_UNTOUCHED = frozenset({"count", "list", "any"})


def aggregate_target(context: Context) -> Iterable[Problem]:
    """Sums over columns, or over dimensions, that don't add up."""
    for aggregate in context.facts.aggregates:
        if aggregate.function not in _ADDING:
            continue
        for term in aggregate.terms:
            column = term.origin.column
            never = column.never_aggregate
            if never is not None and _is_forbidden(context, never, aggregate, term):
                code, called = Code.INVALID_AGGREGATE_TARGET, aggregate.function.upper()
                yield violated(never, code, column.name, None, "never", function=called)
            elif column.semi_additive is not None and aggregate.function == "sum":
                yield from _summed_snapshot(context, aggregate, term)


def _is_forbidden(context: Context, never: Constraint, aggregate: Aggregate, term: Term) -> bool:
    if term.via not in _UNCHANGED:
        return False
    if never.rule is not ConstraintRule.NEVER_SUM:
        return True
    return aggregate.function == "sum" and not _is_of_one_row(context, aggregate, term)


def _is_of_one_row(context: Context, aggregate: Aggregate, term: Term) -> bool:
    """True when a key is chosen or grouped by: the sum of one value is that value."""
    use = term.origin.use
    return any(
        all(is_fixed(context, name, aggregate, term) for name in key)
        for key in context.facts.uses[use].table.keys
    )


def _summed_snapshot(context: Context, aggregate: Aggregate, term: Term) -> Iterable[Problem]:
    constraint = term.origin.column.semi_additive
    if constraint is None or term.via not in _STILL_A_SNAPSHOT:
        return
    use = term.origin.use
    several = len(aggregate.terms) > 1
    open_over = [
        name
        for name in constraint.fields
        if not (is_fixed(context, name, aggregate, term) or _is_mean_over(aggregate, use, name))
        or (several and _differs(context, aggregate, term, name))
        or _loses_rows(context, aggregate, use, constraint.fields, name)
    ]
    if open_over:
        code, name = Code.INVALID_AGGREGATE_TARGET, term.origin.column.name
        soft = all(_is_grouped_in_part(context, aggregate, use, each) for each in open_over)
        fields = ", ".join(open_over)
        yield violated(constraint, code, name, open_over[0], "over", soft=soft, fields=fields)


def _is_grouped_in_part(context: Context, aggregate: Aggregate, use: int, name: str) -> bool:
    """True when it is grouped by something made of the day: a month may have one of them."""
    place = (use, name)
    blocks = context.facts.blocks
    whole = any(key.place == place for block in blocks for key in block.keys)
    return (
        blocks[aggregate.block].grouped
        and not whole
        and any(
            each.clause == "group" and each.origin.place == place for each in context.facts.readings
        )
    )


def _loses_rows(
    context: Context, aggregate: Aggregate, use: int, over: tuple[str, ...], name: str
) -> bool:
    """True when the first row of each group leaves out others of the same time.

    The latest row of each product is one of several warehouses': the others are not in the sum.
    A column of the caller's scope leaves out nothing where another one is chosen.
    """
    settled = context.settled
    ways = [each for each in settled.filters((use, name)) if each.pins]
    keys = context.facts.uses[use].table.keys
    if not keys or not ways or any(each.op != "rank" or each.keeps_ties for each in ways):
        return False
    kept = {part.origin.place for part in ways[0].parts}
    kept |= {key.place for key in aggregate.keys}
    scope = context.caller.scope.allowed
    chosen = any((use, column) in settled.values for column in scope)

    def is_kept(column: str) -> bool:
        place = (use, column)
        known = column in over or place in settled.values or (chosen and column in scope)
        return known or not kept.isdisjoint(settled.same(place))

    return not any(all(is_kept(column) for column in key) for key in keys)


def _is_mean_over(aggregate: Aggregate, use: int, name: str) -> bool:
    """``SUM(stock) / COUNT(DISTINCT day)`` is the mean of the days' sums."""
    over = aggregate.mean_over
    return len(over) == 1 and all(each.use == use and each.column.name == name for each in over)


def _differs(context: Context, aggregate: Aggregate, term: Term, name: str) -> bool:
    """True when a UNION brings the same snapshot of another period under the same sum."""
    if any(key.column.name == name for key in aggregate.keys):
        return False
    own = context.settled.value((term.origin.use, name), term.conditions)
    return any(
        other.origin.column is term.origin.column
        and other.origin.use != term.origin.use
        and not (_is_instead_of(term, other) or _is_instead_of(other, term))
        and context.settled.value((other.origin.use, name), other.conditions) != own
        for other in aggregate.terms
    )


def _is_instead_of(one: Term, other: Term) -> bool:
    """True when the one only counts where the other is empty: ``COALESCE(other, one)``."""
    return any(each.op == "is null" and each.origin == other.origin for each in one.conditions)


def one_level(context: Context) -> Iterable[Problem]:
    """Aggregates whose rows come from more than one level."""
    for aggregate in context.facts.aggregates:
        if aggregate.function in _UNTOUCHED:
            continue
        for term in aggregate.terms:
            for constraint in term.origin.column.one_level:
                mixed = _levels_mix(context, aggregate, term, constraint)
                ranked = not mixed and _are_compared(context, aggregate, term, constraint)
                if mixed or ranked:
                    yield _mixed(constraint, term.origin.column.name, soft=ranked)


def _mixed(constraint: Constraint, name: str, *, soft: bool) -> Problem:
    field, levels = constraint.fields[0], " / ".join(constraint.levels)
    values = {"field": field, "levels": levels}
    return violated(constraint, Code.MIXED_LEVELS, name, field, soft=soft, **values)


def _are_compared(
    context: Context, aggregate: Aggregate, term: Term, constraint: Constraint
) -> bool:
    """True when a row for each value, the total among them, is put beside the others: to find the
    largest, or what share of all each has."""
    block = context.facts.blocks[aggregate.block]
    place = (term.origin.use, constraint.fields[0])
    grouped = any(key.place == place for key in aggregate.keys)
    summed = any(  # a sum of the groups' sums, in the same block: a window over all of them
        each.block == aggregate.block
        and any(other.origin == term.origin and other.via == "sum" for other in each.terms)
        for each in context.facts.aggregates
    )
    if not grouped or not (block.cut is not None or summed):
        return False
    return _reaches_several(context, place, term, constraint)


def _levels_mix(context: Context, aggregate: Aggregate, term: Term, constraint: Constraint) -> bool:
    place = (term.origin.use, constraint.fields[0])
    told_apart = any(
        each.origin.place == place
        for other in aggregate.terms
        if other.origin == term.origin
        for each in other.conditions
    )
    if told_apart or context.settled.fixed(place, aggregate, term) or _has_parent(context, place):
        return False
    return _reaches_several(context, place, term, constraint)


def _has_parent(context: Context, place: ColumnPlace) -> bool:
    """True when the level points to what it is joined to or looked up in: a total has none."""
    facts = context.facts
    outer = facts.negated.union(*(block.optional for block in facts.blocks))
    looked_up = (each.right.place for each in facts.equalities if each.left.place == place)
    return any(
        use != place[0] and use not in outer and frozenset((name,)) in facts.uses[use].table.keys
        for use, name in (*context.settled.same(place), *looked_up)
    )


def _reaches_several(
    context: Context, place: ColumnPlace, term: Term, constraint: Constraint
) -> bool:
    filters = context.settled.filters(place, term.conditions)
    listed = [value for values in constraint.levels.values() for value in values]

    def is_reached(values: tuple[int | str, ...]) -> bool:
        if values:
            return any(admits(filters, value) for value in values)
        return not limited_to(filters, (), set(map(str, listed)))

    return sum(map(is_reached, constraint.levels.values())) > 1
