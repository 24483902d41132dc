"""Permitted names of a query: existing ones, functions that only compute, and its own tenants."""

from collections.abc import Collection, Iterable

from veridical.check.context import Context
from veridical.check.facts import LiteralKind, Problem
from veridical.check.sql.translate import translated_call
from veridical.contracts.violation import Code
from veridical.ontology.nearest import nearest
from veridical.statement.functions import allowed_functions

_NAMES_VALUES = frozenset({"=", "in", "like", "ilike"})
_SUGGESTIONS = 20
"""Unknown functions that get a suggestion: each one takes milliseconds."""


def readable(context: Context) -> Iterable[Problem]:
    """The problems met while the facts were gathered."""
    return context.facts.problems


def known_functions(context: Context) -> Iterable[Problem]:
    """Functions outside the engine's allow-list, with what the dialect has for each."""
    called = context.facts.functions
    if not called:
        return ()
    allowed = allowed_functions(context.dialect.name)
    unknown = [name for name in dict.fromkeys(called) if name not in allowed]
    return [
        Problem(
            Code.FUNCTION_NOT_ALLOWED,
            name,
            _instead(name, allowed, context) if at < _SUGGESTIONS else None,
        )
        for at, name in enumerate(unknown)
    ]


def _instead(name: str, allowed: Collection[str], context: Context) -> str | None:
    """The same call in this dialect, else the function that was meant and misspelled."""
    sql = context.facts.sql
    translated = translated_call(sql, name, context.dialect.name) if sql else None
    return translated or nearest(name, allowed, parts=False)


def permitted(context: Context) -> Iterable[Problem]:
    """Tables the scope does not cover, and filters on tenants the caller does not have."""
    allowed = context.caller.scope.allowed
    if not allowed:
        return ()
    found: list[Problem] = []
    for use in context.facts.uses:
        covered = any(column in use.table.columns for column in allowed)
        if not covered and use.table.name not in context.caller.scope.shared:
            found.append(Problem(Code.NOT_PERMITTED, use.table.name, None, "table"))
    for each in context.facts.comparisons:
        own = allowed.get(each.origin.column.name)
        if own is None or each.op not in _NAMES_VALUES:
            continue
        mine = {str(value) for value in own}
        written = (
            value for value in each.values if value.kind in (LiteralKind.TEXT, LiteralKind.NUMBER)
        )
        if any(str(value.value) not in mine for value in written):
            found.append(Problem(Code.NOT_PERMITTED, each.origin.column.name, None, "tenant"))
    return found
