"""Tenants stay apart: no table outside the scope, no literal that names another tenant."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Kind, Problem
from veridical.contracts.violation import Code

_NAMES_VALUES = frozenset({"=", "in", "like", "ilike"})


def find(context: Context) -> Iterable[Problem]:
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
        written = (value for value in each.values if value.kind in (Kind.TEXT, Kind.NUMBER))
        if any(str(value.value) not in mine for value in written):
            found.append(Problem(Code.NOT_PERMITTED, each.origin.column.name, None, "tenant"))
    return found
