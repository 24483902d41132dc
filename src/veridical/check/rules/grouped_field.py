"""Beside an aggregate stands only what the query groups by."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Problem, distinct
from veridical.contracts.violation import Code


def find(context: Context) -> Iterable[Problem]:
    """Columns that would take an arbitrary row's value, or that the engine refuses."""
    if not context.dialect.strict_groups:
        return ()
    return distinct(
        Problem(Code.UNGROUPED_FIELD, origin.column.name)
        for block in context.facts.blocks
        for origin in block.ungrouped
    )
