"""A day as the end of a period of points in time is its first moment, and itself left out."""

import re
from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Filter, Kind, Problem, distinct
from veridical.contracts.schema import ValueType
from veridical.contracts.violation import Code
from veridical.ontology.catalog import ColumnCard
from veridical.ontology.name_kinds import NameKind

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_ENDS = frozenset({"between", "<=", "="})


def find(context: Context) -> Iterable[Problem]:
    """Timestamps that must be at most, or exactly, a day."""
    return distinct(
        [
            Problem(
                Code.DAY_FOR_TIMESTAMP,
                each.origin.column.name,
                None,
                "",
                (("value", str(each.values[-1].value)),),
            )
            for each in context.facts.comparisons
            if _ends_with_day(each)
        ]
    )


def _holds_moments(column: ColumnCard) -> bool:
    """By its type, by what was seen of it, or, of a text, by its name: ``created_at``."""
    if column.type is ValueType.TIMESTAMP:
        return True
    return column.type is ValueType.TEXT and (column.timed or NameKind.MOMENT in column.named)


def _ends_with_day(each: Filter) -> bool:
    if not _holds_moments(each.origin.column) or each.op not in _ENDS:
        return False
    last = each.values[-1] if each.values else None
    if last is None or last.kind not in (Kind.TEXT, Kind.DATE):
        return False
    return _DAY.fullmatch(str(last.value)) is not None
