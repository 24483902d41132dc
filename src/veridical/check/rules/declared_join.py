"""A join follows a declared relation; another way to join may be right, so it only warns."""

from collections.abc import Iterable

from veridical.check.context import ColumnPlace, Context
from veridical.check.facts import Equality, Origin, Problem, Side
from veridical.check.row_times import chooses_version
from veridical.contracts.violation import Code
from veridical.ontology.catalog import TableCard
from veridical.ontology.model import Constraint, Role
from veridical.ontology.terms import terms


def declared_join(context: Context) -> Iterable[Problem]:
    """Pairs of columns that no relation pairs."""
    facts = context.facts
    for equality in facts.equalities:
        if equality.left.use == equality.right.use or not equality.joins:
            continue
        left, right = facts.uses[equality.left.use].table, facts.uses[equality.right.use].table
        if left is right or not (left.joins or right.joins):
            continue
        if _declared(equality, left, right) or _is_lookup(context, equality):
            continue
        if _meets_versions(context, equality):
            continue
        if not _meets_groups(context, equality) and not _is_beside_declared(context, equality):
            pair = f"{left.name}.{equality.left.column.name}"
            way, values = _declared_way(left, right), (("table", right.name),)
            yield Problem(Code.UNDECLARED_JOIN, pair, way, "", values, soft=True)


def _declared(equality: Equality, left: TableCard, right: TableCard) -> bool:
    pair = (equality.left.column.name, equality.right.column.name)
    if any(join.target == right.name and pair in join.pairs for join in left.joins):
        return True
    if any(join.target == left.name and pair[::-1] in join.pairs for join in right.joins):
        return True
    return bool(_targets(left, pair[0]) & _targets(right, pair[1]))


def _is_lookup(context: Context, equality: Equality) -> bool:
    """True when a row of the other table is found by its whole key, and no relation of
    the two tables is declared: a rate by its day and currency."""
    uses = context.facts.uses
    for near, far in ((equality.left, equality.right), (equality.right, equality.left)):
        here, there = uses[near.use].table, uses[far.use].table
        related = any(join.target == there.name for join in here.joins) or any(
            join.target == here.name for join in there.joins
        )
        for key in there.keys:
            if related or far.column.name not in key:
                continue
            found = {name: _met_by(context, near.use, (far.use, name)) for name in key}
            if len(key) > 1:  # the day of the night, in the currency of the booking
                found = {name: found[name] or _met_by_any(context, (far.use, name)) for name in key}
            chosen = {name for name in key if (far.use, name) in context.settled.values}
            chosen |= _met_by_expressions(context, far.use)
            whole = all(found[name] or name in chosen for name in key)
            met = found[far.column.name]
            named = _calls(met, far.column.name, there.name) or _may_point(here, near, far)
            if whole and (len(key) > 1 or named):
                return True
    return False


def _may_point(here: TableCard, near: Origin, far: Origin) -> bool:
    """True for a column that points nowhere yet, and is no measure, beside a key of its type."""
    column = near.column
    free = all(column.name not in dict(join.pairs) for join in here.joins)
    own = any(column.name in key for key in here.keys)
    same = column.type is far.column.type and column.role is not Role.MEASURE
    return free and not own and same


def _calls(column: str | None, key: str, table: str) -> bool:
    """True when a column is named like the key or the table that it is joined to: ``ord_cust_no``
    ends with ``cust_no``, ``police.broker`` names a broker."""
    if column is None:
        return False
    words = terms(table)
    named = bool(words) and set(words) <= set(terms(column))
    return named or column.casefold().endswith(key.casefold())


def _met_by_expressions(context: Context, use: int) -> set[str]:
    """The columns of a use that conditions hold against something made of another one's: a day
    against ``DATE(t.created_at)``."""
    if not any(use in each for each in context.facts.links):
        return set()
    return context.facts.chosen_by(use)


def _meets_versions(context: Context, equality: Equality) -> bool:
    """True when a thing is joined by its name to its versions, and filtered by their days:
    the tariff that held when the contract began."""
    if equality.left.column.name.casefold() != equality.right.column.name.casefold():
        return False
    return any(
        constraint.settled_by
        and (chooses_version(context, use, constraint) or _keeps_last(context, use, constraint))
        for use in (equality.left.use, equality.right.use)
        for constraint in context.facts.uses[use].table.required_filters
    )


def _keeps_last(context: Context, use: int, constraint: Constraint) -> bool:
    """True when one version of each thing was kept: the first by ``ROW_NUMBER``."""
    days = (*constraint.fields, *constraint.settled_by)
    return any(each.op == "rank" for name in days for each in context.settled.filters((use, name)))


def _meets_groups(context: Context, equality: Equality) -> bool:
    """True when a side was put together into one row for each value, or set of values, by which
    it is joined: figures of two kinds side by side, by day or by region."""
    uses = {equality.left.use, equality.right.use}
    for block in context.facts.blocks:
        sides = [side for side in block.sides if not uses.isdisjoint(side.uses)]
        if len(sides) == 2 and any(_is_joined_by_groups(context, side) for side in sides):
            return True
    return False


def _is_joined_by_groups(context: Context, side: Side) -> bool:
    grouped = any(
        block.grouped and block.keys in side.keys and block.index != 0
        for block in context.facts.blocks
        if any(side.uses & each.uses for each in block.sides)
    )
    same = context.settled.same
    return grouped and any(
        any(use not in side.uses for use, _ in same(each.place))
        for key in side.keys
        for each in key
    )


def _is_beside_declared(context: Context, equality: Equality) -> bool:
    """True when the same two tables are joined by a whole declared relation as well: further
    equalities only leave rows out."""
    uses, same = context.facts.uses, context.settled.same
    for near, far in (
        (equality.left.use, equality.right.use),
        (equality.right.use, equality.left.use),
    ):
        for join in uses[near].table.joins:
            if join.target == uses[far].table.name and all(
                (far, there) in same((near, here)) for here, there in join.pairs
            ):
                return True
    return False


def _met_by(context: Context, use: int, place: ColumnPlace) -> str | None:
    """The column of this use that a place is made equal to."""
    return next((name for other, name in context.settled.same(place) if other == use), None)


def _met_by_any(context: Context, place: ColumnPlace) -> str | None:
    return next((name for use, name in context.settled.same(place) if use != place[0]), None)


def _targets(table: TableCard, column: str) -> set[tuple[str, str]]:
    """The targets of a column: two columns that point to the same key may meet."""
    return {(table.name, column)} | {
        (join.target, far) for join in table.joins for near, far in join.pairs if near == column
    }


def _declared_way(left: TableCard, right: TableCard) -> str | None:
    for join in left.joins:
        if join.target == right.name:
            near, far = join.pairs[0]
            return f"{left.name}.{near} = {right.name}.{far}"
    for join in right.joins:
        if join.target == left.name:
            near, far = join.pairs[0]
            return f"{right.name}.{near} = {left.name}.{far}"
    return None
