"""Answers of yes, of no, and none: rows without one count in a share as well, or do not."""

from collections.abc import Iterable

from veridical.onboarding.findings import Findings
from veridical.onboarding.kinds.soft_deletes import is_flag
from veridical.onboarding.proposal import Proposal, ProposalKind

_BOTH = 2
_FEWEST = 20


def find(findings: Findings) -> Iterable[Proposal]:
    """The columns of yes and no that some rows leave empty, with both means."""
    for table in findings.base_tables():
        deleted = findings.columns(ProposalKind.SOFT_DELETE, table.name)
        for column in table.columns:
            both = is_flag(column) and len(column.values) == _BOTH and column.is_numeric
            if not both or column.name in deleted or not _FEWEST <= column.filled < table.seen:
                continue
            yes = dict(column.values).get(1, 0)
            yield Proposal(
                kind=ProposalKind.EMPTY_COUNTS,
                table=table.name,
                columns=(column.name,),
                reason="counted",
                evidence={
                    "empty": table.seen - column.filled,
                    "rows": table.seen,
                    "wrong": f"{100 * yes / column.filled:.1f} %",
                    "right": f"{100 * yes / table.seen:.1f} %",
                },
                confidence=0.6,
                stake=round(table.seen / column.filled - 1, 4),
            )
