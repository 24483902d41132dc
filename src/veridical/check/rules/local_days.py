"""Times of one zone are not taken for days of another."""

import re
from collections.abc import Iterable, Iterator

from veridical.check.context import Context
from veridical.check.facts import ORDERS, Filter, LiteralKind, Origin, Problem, violated
from veridical.contracts.violation import Code

_MIDNIGHT = re.compile(r"\d{4}(-\d\d){0,2}([ T]00:00(:00(\.0+)?)?Z?)?")
_COMPARED = ORDERS | {"=", "in"}
_PATTERNS = frozenset({"like", "ilike", "glob"})


def local_days(context: Context) -> Iterable[Problem]:
    """Days that are taken from a time, or compared with it, without a shift."""
    for origin in (*context.facts.days, *_compared(context)):
        constraint = origin.column.local_days
        if constraint is not None:
            values = {"zone": constraint.zone, "local": constraint.local_zone}
            code, name = Code.DAY_FOR_TIMESTAMP, origin.column.name
            yield violated(constraint, code, name, None, "zone", soft=True, **values)


def _compared(context: Context) -> Iterator[Origin]:
    for each in context.facts.comparisons:
        if each.origin.column.local_days is not None and _is_with_day(each):
            yield each.origin


def _is_with_day(each: Filter) -> bool:
    texts = [
        str(value.value)
        for value in each.values
        if value.kind in (LiteralKind.TEXT, LiteralKind.DATE)
    ]
    if each.op in _PATTERNS:
        return any(_MIDNIGHT.fullmatch(text.rstrip("%*- ")) for text in texts)
    return each.op in _COMPARED and any(map(_MIDNIGHT.fullmatch, texts))
