"""Where whole numbers divide to whole numbers, a share of less than one is nothing."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Problem, distinct
from veridical.contracts.violation import Code


def find(context: Context) -> Iterable[Problem]:
    """Divisions that cut the fraction off, on engines that do so."""
    if not context.dialect.whole_division:
        return ()
    names = context.facts.whole_divisions
    return distinct([Problem(Code.INTEGER_DIVISION, name) for name in names])
