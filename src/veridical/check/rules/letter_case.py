"""A text in capitals equals no text with small letters."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Problem, distinct
from veridical.contracts.violation import Code

_RESPELLED = {"LOWER": str.lower, "UPPER": str.upper}


def find(context: Context) -> Iterable[Problem]:
    """Comparisons of a changed case with a text of the other case."""
    return distinct(
        [
            Problem(
                Code.NEVER_MATCHES,
                each.origin.column.name,
                _RESPELLED[each.function](each.text),
                "case",
                (("function", each.function), ("value", each.text)),
            )
            for each in context.facts.respellings
        ]
    )
