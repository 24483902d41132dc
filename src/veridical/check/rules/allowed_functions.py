"""Only functions that compute from their arguments may be called."""

from collections.abc import Collection, Iterable

from veridical.check.context import Context
from veridical.check.facts import Problem
from veridical.check.sql.translate import translated_call
from veridical.contracts.violation import Code
from veridical.ontology.nearest import nearest
from veridical.statement.functions import allowed_functions


def find(context: Context) -> Iterable[Problem]:
    """Functions outside the engine's allow-list, with what the dialect has for each."""
    called = context.facts.functions
    if not called:
        return ()
    allowed = allowed_functions(context.dialect.name)
    return [
        Problem(Code.FUNCTION_NOT_ALLOWED, name, _instead(name, allowed, context))
        for name in dict.fromkeys(called)
        if name not in allowed
    ]


def _instead(name: str, allowed: Collection[str], context: Context) -> str | None:
    """The same call in this dialect, else the function that was meant and misspelled."""
    sql = context.facts.sql
    translated = translated_call(sql, name, context.dialect.name) if sql else None
    return translated or nearest(name, allowed, parts=False)
