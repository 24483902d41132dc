"""A literal is one of the values that its column can have."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Comparison, Kind, Problem, distinct
from veridical.check.suggest import nearest
from veridical.contracts.violation import Code

_NAMES_VALUES = frozenset({"=", "in", "!=", "not in"})


def find(context: Context) -> Iterable[Problem]:
    """Values outside a closed list; and, as a warning, values that no row has."""
    found: list[Problem] = []
    for each in context.facts.comparisons:
        if each.op not in _NAMES_VALUES:
            continue
        column = each.origin.column
        if column.allowed_values is not None:
            known = {str(value) for value in column.allowed_values.values}
            found.extend(_unknown(each, known, soft=False))
        elif column.values is not None:
            found.extend(_unknown(each, {str(value) for value in column.values}, soft=True))
    return distinct(found)


def _unknown(each: Comparison, known: set[str], soft: bool) -> Iterable[Problem]:
    for literal in each.values:
        if literal.kind in (Kind.TEXT, Kind.NUMBER, Kind.BOOLEAN):
            written = str(literal.value)
            if written not in known:
                yield Problem(
                    Code.VALUE_UNKNOWN,
                    each.origin.column.name,
                    nearest(written, known),
                    "",
                    (("value", written),),
                    soft=soft,
                )
