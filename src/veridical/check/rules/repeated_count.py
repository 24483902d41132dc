"""A count of rows that a join repeats: of the orders, once for each of their lines.

What a count is meant to count, only its question says: rows of the one table or of the other. So
nothing is said where the question names neither, unless the join repeats both.
"""

from collections.abc import Iterable, Iterator

from veridical.check.context import Context
from veridical.check.counted_noun import Counted, counted_in, is_counted, place_of
from veridical.check.facts import Aggregate, Problem, Side, distinct
from veridical.check.row_multiplicity import is_repeated_by_keys, multiplier
from veridical.contracts.violation import Code
from veridical.ontology.model import Cardinality

_PAIR = 2


def find(context: Context) -> Iterable[Problem]:
    """Counts of what the question counts, while a join repeats its rows."""
    counts = [
        each for each in context.facts.aggregates if each.function == "count" and not each.distinct
    ]
    counted = counted_in(context.question) if counts and context.question else None
    found: list[Problem] = []
    for aggregate in counts:
        sides = context.facts.blocks[aggregate.block].sides
        if counted is not None and len(sides) == 1:
            found.extend(_pointers(context, aggregate, counted))
        if len(sides) > 1 and counted is not None:
            found.extend(_repeated(context, aggregate, sides, counted))
        if len(sides) == _PAIR and not aggregate.terms:
            found.extend(_pairs(context, aggregate, sides))
    return distinct(found)


def _pointers(context: Context, aggregate: Aggregate, counted: Counted) -> Iterator[Problem]:
    """Pointers to what the question counts, each as often as a row has it. Where something else is
    chosen by its key, there may be one row for each: who took part in race 18."""
    for term in aggregate.terms:
        origin = term.origin
        table = context.facts.uses[origin.use].table
        whole = frozenset((origin.column.name,)) in table.keys
        if term.via or whole or origin in aggregate.keys or is_counted(counted, table.name):
            continue
        names = {near for join in table.joins for near, _ in join.pairs}.union(*table.keys)
        if any((origin.use, name) in context.settled.values for name in names):
            continue
        targets = [
            join.target
            for join in table.joins
            if join.cardinality is Cardinality.MANY_TO_ONE
            and [near for near, _ in join.pairs] == [origin.column.name]
        ]
        for target in targets:
            if is_counted(counted, target):
                values = (("table", table.name),)
                yield Problem(Code.REPEATED_COUNT, target, None, "rows", values, soft=True)


def _pairs(context: Context, aggregate: Aggregate, sides: list[Side]) -> Iterator[Problem]:
    """Rows of two tables that are joined by what neither is called by: each meets several of the
    other, and the number of pairs is the number of nothing."""
    uses = [min(side.uses) for side in sides if len(side.uses) == 1]
    met = [multiplier(context, sides, use, aggregate.keys) for use in uses]
    if len(uses) < len(sides) or not all(
        each is not None and is_repeated_by_keys(context, *each, frozenset((use,)))
        for each, use in zip(met, uses, strict=True)
    ):
        return
    one, other = (context.facts.uses[use].table.name for use in uses)
    yield Problem(Code.REPEATED_COUNT, one, None, "", (("table", other),), soft=True)


def _repeated(
    context: Context, aggregate: Aggregate, sides: list[Side], counted: Counted
) -> Iterator[Problem]:
    uses = {term.origin.use for term in aggregate.terms} or set().union(
        *(side.uses for side in sides)
    )
    tables = {use.id: use.table.name for use in context.facts.uses}
    for use in sorted(uses):
        place = place_of(counted, tables[use])
        if place is None:
            continue
        met = multiplier(context, sides, use, aggregate.keys)
        if met is None or not is_repeated_by_keys(context, *met, frozenset((use,))):
            continue
        culprits = [tables[each] for each in sorted(met[0].uses)]
        others = (place_of(counted, each) for each in culprits)
        if all(other is None or other > place for other in others):
            yield Problem(
                Code.REPEATED_COUNT, tables[use], None, "", (("table", culprits[0]),), soft=True
            )
