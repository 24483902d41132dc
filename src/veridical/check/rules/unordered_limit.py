"""The first five of what is in no order are any five."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Problem, distinct
from veridical.contracts.violation import Code


def find(context: Context) -> Iterable[Problem]:
    """Blocks that keep some of their groups, or one row, without saying which."""
    return distinct(
        [
            Problem(Code.UNORDERED_LIMIT, f"LIMIT {block.cut}")
            for block in context.facts.blocks
            if block.cut is not None and not block.ordered
        ]
    )
