"""Events of a thing that may happen to it several times: resolved, reopened, resolved again."""

from collections.abc import Iterable

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at
from veridical.onboarding.profile import TableProfile
from veridical.onboarding.proposal import Proposal, ProposalKind

_FEWEST_REPEATED = 5


def find(findings: Findings) -> Iterable[Proposal]:
    """The pointer of each table of events, with the things that have one kind more than once."""
    for table in findings.base_tables():
        kinds = findings.columns(ProposalKind.CLOSED_LIST, table.name)
        times = findings.columns(ProposalKind.TIME_COLUMN, table.name)
        if not kinds or not times or not hints_at(table.name, "event"):
            continue
        for link in findings.links(table.name)[:1]:
            yield from _repeated(findings, table, link, sorted(kinds)[0])


def _repeated(
    findings: Findings, table: TableProfile, link: Proposal, kind: str
) -> Iterable[Proposal]:
    source = findings.source
    by = ", ".join(f"t.{source.name(each)}" for each in (*link.columns, kind))
    row = source.one(
        f"SELECT COUNT(*), SUM(CASE WHEN n > 1 THEN 1 ELSE 0 END), SUM(n) FROM"
        f" (SELECT COUNT(*) AS n FROM {source.rows_of(table)} GROUP BY {by}) AS s"
    )
    if not row or (row[1] or 0) < _FEWEST_REPEATED:
        return
    yield Proposal(
        kind=ProposalKind.EVENTS,
        table=table.name,
        columns=link.columns,
        target=link.target,
        reason="counted",
        evidence={
            "repeated": int(row[1]),
            "things": int(row[0]),
            "kind": kind,
            "wrong": int(row[2]),
            "right": int(row[0]),
        },
        confidence=0.7,
        stake=round(row[2] / row[0] - 1, 4),
    )
