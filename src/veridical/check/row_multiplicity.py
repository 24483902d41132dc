"""Joins that keys alone prove to match one row with several."""

from collections.abc import Set

from veridical.check.context import Context
from veridical.check.facts import Origin, Side
from veridical.contracts.schema import ValueType
from veridical.ontology.catalog import ColumnCard, JoinCard
from veridical.ontology.model import Cardinality, Constraint
from veridical.ontology.name_kinds import NameKind


def is_repeated_by_keys(
    context: Context, culprit: Side, reached: set[int], measured: frozenset[int]
) -> bool:
    """True when a foreign key allows several rows of this side to meet one that is reached.

    It points to the reached row; or both point to the same third; or only a part of it is joined.
    ``measured`` are the uses that the figure is made of: a price times the quantity of each line
    is a figure of the lines, and no line is repeated.
    """
    pairs = [(use, there) for use in culprit.uses for there in reached]
    if any(_is_joined_in_part(context, there, use) for use, there in pairs):
        return True
    return measured.isdisjoint(culprit.uses) and any(
        _points_to(context, use, there) or _point_to_the_same(context, use, there)
        for use, there in pairs
    )


def _points_to(context: Context, use: int, there: int) -> bool:
    return any(all(_joined(context, use, there, join)) for join in _joins(context, use, there))


def _is_joined_in_part(context: Context, use: int, there: int) -> bool:
    """An order line names a part and its supplier; joined by the part, it meets all suppliers."""
    joined = [_joined(context, use, there, join) for join in _joins(context, use, there)]
    return any(any(each) for each in joined) and not any(all(each) for each in joined)


def _point_to_the_same(context: Context, use: int, there: int) -> bool:
    """Both point to the same third and are joined by that, or by a part of it."""
    here, other = context.facts.uses[use].table, context.facts.uses[there].table
    return any(
        one.target == far.target and _meet_in(context, use, there, one, far)
        for one in here.joins
        for far in other.joins
        if one.cardinality is far.cardinality is Cardinality.MANY_TO_ONE
    )


def _meet_in(context: Context, use: int, there: int, one: JoinCard, other: JoinCard) -> bool:
    """Joined by columns that point to the same ones, which are no key of this side."""
    same = context.settled.same
    own = {target: near for near, target in other.pairs}
    met = frozenset(
        near
        for near, target in one.pairs
        if target in own and (there, own[target]) in same((use, near))
    )
    return bool(met) and met not in context.facts.uses[use].table.keys


def _joins(context: Context, use: int, there: int) -> list[JoinCard]:
    tables = context.facts.uses
    return [
        join
        for join in tables[use].table.joins
        if join.cardinality is Cardinality.MANY_TO_ONE and join.target == tables[there].table.name
    ]


def _joined(context: Context, use: int, there: int, join: JoinCard) -> list[bool]:
    same = context.settled.same
    return [(there, far) in same((use, near)) for near, far in join.pairs]


def multiplier(
    context: Context, sides: list[Side], use: int, groups: frozenset[Origin] = frozenset()
) -> tuple[Side, set[int]] | None:
    """The side that meets one row of this use with several of its own, if any; and all that each
    row meets once. ``groups`` keep rows apart: within each, their columns have one value."""
    own = next((side for side in sides if use in side.uses), None)
    if own is None:
        return None
    reached = set(own.uses)
    waiting = [side for side in sides if side is not own and side.uses]
    while waiting:
        joined = next((side for side in waiting if meets_one(context, side, reached, groups)), None)
        if joined is None:
            # Without any key whether rows repeat is unknown.
            known = next((side for side in waiting if side.keys), None)
            return (known, reached) if known is not None else None
        reached |= joined.uses
        waiting.remove(joined)
    return None


def meets_one(
    context: Context, side: Side, reached: Set[int], groups: frozenset[Origin] = frozenset()
) -> bool:
    """True when at most one row of this side goes with each row reached so far."""
    return any(
        all(
            origin in groups or is_bound(context, origin, reached) or _is_chosen(context, origin)
            for origin in key
        )
        for key in side.keys
    )


def _is_chosen(context: Context, origin: Origin) -> bool:
    """True for the first day, or the number, of versions of which a condition chooses one by its
    days. A number that is more than another one still leaves several."""
    use, name = origin.use, origin.column.name
    return _chooses_by_name(context, use) or any(
        name in constraint.settled_by
        and not constraint.where_read
        and _chooses_day(context, use, constraint)
        for constraint in context.facts.uses[use].table.required_filters
    )


def _chooses_by_name(context: Context, use: int) -> bool:
    """True when, of rows that no ontology describes, one is chosen by how long it is valid."""
    table = context.facts.uses[use].table
    ends = {NameKind.VALID_UNTIL, NameKind.UNTIL}
    return table.entity is None and any(
        not ends.isdisjoint(table.columns[name].named) for name in context.facts.chosen_by(use)
    )


def _chooses_day(context: Context, use: int, constraint: Constraint) -> bool:
    columns = context.facts.uses[use].table.columns
    about = {*constraint.fields, *constraint.settled_by}
    days = {name for name in about if name in columns and not _is_number(columns[name])}
    return not days.isdisjoint(context.facts.chosen_by(use))


def _is_number(column: ColumnCard) -> bool:
    return column.type is ValueType.INTEGER and column.encoding is None


def is_bound(context: Context, origin: Origin, reached: Set[int]) -> bool:
    """True when a filter or a join leaves this column one value for each row reached."""
    place = origin.place
    if context.settled.value(place) is not None:
        return True
    same = context.settled.same(place)
    return any(use in reached for use, _ in same) or any(
        computed.place in same and made_of <= reached
        for computed, made_of in context.facts.computed
    )
