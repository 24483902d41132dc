"""Judgements whose limit follows from names: overdue, late, low on stock."""

from collections.abc import Iterable

from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at
from veridical.onboarding.profile import TableProfile
from veridical.onboarding.proposal import Proposal, ProposalKind

_CONFIDENCE = 0.6
"""Names define the comparison; a person confirms that the word means it."""


def find(findings: Findings) -> Iterable[Proposal]:
    """Due dates, and stocks beside their reorder level."""
    for table in findings.base_tables():
        yield from _due(findings, table)
        yield from _short(table)


def _due(findings: Findings, table: TableProfile) -> Iterable[Proposal]:
    times = findings.columns(ProposalKind.TIME_COLUMN, table.name)
    named = [each.name for each in table.columns if each.name in times]
    due = next((name for name in named if hints_at(name, "due")), None)
    if due is None:
        return
    done = next((name for name in named if hints_at(name, "settled") and name != due), None)
    yield _proposal(table, "overdue", (due, done) if done else (due,))
    if done:
        yield _proposal(table, "late", (done, due))


def _short(table: TableProfile) -> Iterable[Proposal]:
    numbers = [each.name for each in table.columns if each.is_numeric]
    levels = [name for name in numbers if hints_at(name, "reorder")]
    stocks = [name for name in numbers if hints_at(name, "stock") and name not in levels]
    if len(levels) == len(stocks) == 1:
        yield _proposal(table, "low_stock", (stocks[0], levels[0]))


def _proposal(table: TableProfile, reason: str, columns: tuple[str, ...]) -> Proposal:
    names: dict[str, str | int | float | bool | None] = {
        "first": columns[0],
        "second": columns[-1],
    }
    return Proposal(
        kind=ProposalKind.JUDGEMENT,
        table=table.name,
        columns=columns,
        reason=reason,
        evidence={**names},
        values=(reason,),
        confidence=_CONFIDENCE,
    )
