"""Beside an aggregate stands only what the query groups by."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Block, Problem, distinct
from veridical.contracts.violation import Code


def find(context: Context) -> Iterable[Problem]:
    """Columns that would take an arbitrary row's value, or that the engine refuses."""
    lenient = not context.dialect.strict_groups
    return distinct(
        [
            Problem(Code.UNGROUPED_FIELD, origin.column.name, origin.column.name, soft=lenient)
            for block in context.facts.blocks
            for origin in block.ungrouped
            if not (lenient and _says_which_row(context, block))
        ]
    )


def _says_which_row(context: Context, block: Block) -> bool:
    """An engine that allows it gives some row's value; beside MIN or MAX it is that row's."""
    functions = {each.function for each in context.facts.aggregates if each.block == block.index}
    return block.grouped or not functions.isdisjoint(("min", "max"))
