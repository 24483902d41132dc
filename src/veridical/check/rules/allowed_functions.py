"""Only functions that compute from their arguments may be called."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Problem
from veridical.contracts.violation import Code
from veridical.ontology.nearest import nearest
from veridical.statement.functions import allowed_functions


def find(context: Context) -> Iterable[Problem]:
    """Functions outside the engine's allow-list."""
    called = context.facts.functions
    if not called:
        return ()
    allowed = allowed_functions(context.dialect.name)
    return [
        Problem(Code.FUNCTION_NOT_ALLOWED, name, nearest(name, allowed))
        for name in dict.fromkeys(called)
        if name not in allowed
    ]
