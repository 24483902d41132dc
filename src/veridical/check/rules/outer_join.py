"""What an outer join keeps is not thrown away again, and its empty rows are not counted."""

from collections.abc import Iterable, Iterator

from veridical.check.context import Context
from veridical.check.facts import Block, Filter, Problem, distinct
from veridical.contracts.violation import Code

_KEEPS_EMPTY = frozenset({"is null", "not is null", "group", "rank"})
"""``IS NULL`` looks for the empty rows; who writes ``IS NOT NULL`` leaves them out knowingly."""


def find(context: Context) -> Iterable[Problem]:
    """Filters on the optional side of a join, and counts of rows where that side may be empty."""
    found: list[Problem] = []
    for block in context.facts.blocks:
        if block.optional:
            found.extend(_undone(block))
            found.extend(_counted(context, block))
    return distinct(found)


def _undone(block: Block) -> Iterator[Problem]:
    for each in block.demands:
        if each.origin.use in block.optional and _loses_empty(each):
            yield Problem(
                Code.OUTER_JOIN_UNDONE,
                each.origin.column.name,
                None,
                "",
                (("table", each.origin.column.table),),
            )


def _loses_empty(each: Filter) -> bool:
    if each.op in ("or", "and"):
        lost = [_loses_empty(part) for part in each.parts]
        return all(lost) if each.op == "or" else bool(lost) and all(lost)
    return each.op not in _KEEPS_EMPTY


def _counted(context: Context, block: Block) -> Iterator[Problem]:
    """``COUNT(*)`` gives 1 where there is nothing to count."""
    demanded = {each.origin.use for each in block.demands}
    empty = block.optional - demanded
    grouped = block.keys and all(key.use not in block.optional for key in block.keys)
    if not empty or not grouped:
        return
    for aggregate in context.facts.aggregates:
        counts = aggregate.function == "count" and not aggregate.terms and not aggregate.distinct
        if counts and aggregate.block == block.index:
            table = context.facts.uses[min(empty)].table.name
            yield Problem(Code.COUNTS_EMPTY_ROW, table)
