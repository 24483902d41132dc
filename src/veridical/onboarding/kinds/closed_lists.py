"""Closed lists: columns with few values that come again and again."""

from collections.abc import Iterable

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at
from veridical.onboarding.profile import ColumnProfile, TableProfile
from veridical.onboarding.proposal import Kind, Proposal

_MOST = 12
_MOST_NAMED = 40
_LONGEST = 40
_FEWEST_ROWS = 20
_REPEATED = 5
"""Rows for each value."""


def find(findings: Findings) -> Iterable[Proposal]:
    """Text columns that choose from few values."""
    for table in findings.base_tables():
        measures = findings.measures(table.name)
        for column in findings.plain(table):
            if column.name not in measures and _is_list(table, column):
                named = hints_at(column.name, "closed")
                yield Proposal(
                    kind=Kind.CLOSED_LIST,
                    table=table.name,
                    columns=(column.name,),
                    values=tuple(value for value, _ in column.values),
                    reason="counted",
                    evidence={"count": len(column.values), "rows": column.filled},
                    confidence=0.9 if named else 0.7,
                )


def _is_list(table: TableProfile, column: ColumnProfile) -> bool:
    named = hints_at(column.name, "closed")
    listed = column.is_text or (column.is_whole and named)
    if not column.values or not listed or column.longest > _LONGEST:
        return False
    if hints_at(column.name, "open") and not named:
        return False
    often = column.filled >= _REPEATED * column.distinct and table.seen >= _FEWEST_ROWS
    return often and 1 < column.distinct <= (_MOST_NAMED if named else _MOST)
