"""Columns of a row's parents, which say something of the row itself: along declared joins."""

from collections.abc import Iterator

from veridical.check.context import Context
from veridical.check.facts import Aggregate, Term
from veridical.check.fixed_columns import Place
from veridical.ontology.catalog import JoinCard
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


def places_of(context: Context, use: int, name: str) -> list[Place]:
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
