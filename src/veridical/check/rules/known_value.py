"""A literal is one of the values that its column can have."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Kind, Problem, distinct
from veridical.contracts.violation import Code
from veridical.ontology.nearest import nearest

_NAMES_VALUES = frozenset({"=", "in", "!=", "not in"})
_WRITTEN = (Kind.TEXT, Kind.NUMBER, Kind.BOOLEAN)


def find(context: Context) -> Iterable[Problem]:
    """Values outside a closed list; and, as a warning, values that no row has."""
    found: list[Problem] = []
    for each in context.facts.comparisons:
        column = each.origin.column
        known = column.allowed_texts
        if known is None and column.values is not None:
            known = frozenset(map(str, column.values))
        if known is None or each.op not in _NAMES_VALUES:
            continue
        soft = column.allowed_values is None or column.allowed_values.warns
        for literal in each.values:
            written = str(literal.value)
            if written not in known and literal.kind in _WRITTEN:
                suggestion = nearest(written, known)
                values = (("value", written),)
                found.append(
                    Problem(Code.VALUE_UNKNOWN, column.name, suggestion, "", values, soft=soft)
                )
    return distinct(found)
