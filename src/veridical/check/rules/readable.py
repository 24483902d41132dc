"""Every name exists, every form makes sense: what the reader of the query could not resolve."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Problem


def find(context: Context) -> Iterable[Problem]:
    """The problems met while the facts were gathered."""
    return context.facts.problems
