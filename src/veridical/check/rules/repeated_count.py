"""A count of rows that a join repeats: of the orders, once for each of their lines."""

from collections.abc import Iterable, Iterator

from veridical.check.context import Context
from veridical.check.facts import Aggregate, Problem, Side, distinct
from veridical.check.row_multiplicity import is_repeated_by_keys, multiplier
from veridical.contracts.violation import Code


def find(context: Context) -> Iterable[Problem]:
    """Counts of one table's values while another one is joined for nothing but to repeat them."""
    found: list[Problem] = []
    for aggregate in context.facts.aggregates:
        if aggregate.function != "count" or aggregate.distinct:
            continue
        sides = context.facts.blocks[aggregate.block].sides
        if len(sides) > 1:
            found.extend(_repeated(context, aggregate, sides))
    return distinct(found)


def _repeated(context: Context, aggregate: Aggregate, sides: list[Side]) -> Iterator[Problem]:
    read = _read(context, aggregate)
    uses = {term.origin.use for term in aggregate.terms} or set().union(
        *(side.uses for side in sides)
    )
    for use in sorted(uses):
        met = multiplier(context, sides, use)
        if met is None or not is_repeated_by_keys(context, *met, frozenset((use,))):
            continue
        culprit = met[0]
        alone = read.isdisjoint(culprit.uses)
        if alone and (_is_own(context, aggregate, culprit) or use not in read):
            table = context.facts.uses[min(culprit.uses)].table.name
            name = context.facts.uses[use].table.name
            yield Problem(Code.REPEATED_COUNT, name, None, "", (("table", table),))


def _is_own(context: Context, aggregate: Aggregate, culprit: Side) -> bool:
    """True when what is counted is not the key that both sides have: that may stand for either."""
    return bool(aggregate.terms) and all(
        use not in culprit.uses
        for term in aggregate.terms
        for use, _ in context.settled.same((term.origin.use, term.origin.column.name))
    )


def _read(context: Context, aggregate: Aggregate) -> set[int]:
    """The uses of which more is read than what they are joined by, and than what is counted."""
    passed = {
        origin
        for each in context.facts.equalities
        if each.joins
        for origin in (each.left, each.right)
    }
    passed |= {term.origin for term in aggregate.terms}
    return {each.origin.use for each in context.facts.readings if each.origin not in passed} | {
        key.use for block in context.facts.blocks for key in block.keys
    }
