"""The proposals that a person should decide on, the most consequential first."""

from collections.abc import Iterable

from veridical.onboarding.proposal import Proposal, ProposalKind, State

_ORDER = {
    ProposalKind.TENANT: 0,
    ProposalKind.TOTAL_ROWS: 1,
    ProposalKind.SNAPSHOT: 2,
    ProposalKind.UNIT: 3,
    ProposalKind.VALIDITY: 4,
    ProposalKind.FOREIGN_KEY: 5,
    ProposalKind.UNCOUNTED: 6,
    ProposalKind.SOFT_DELETE: 6,
    ProposalKind.NOT_ADDITIVE: 7,
    ProposalKind.EVENTS: 7,
    ProposalKind.EMPTY_COUNTS: 7,
    ProposalKind.LOCAL_DAYS: 8,
    ProposalKind.CONVERSION: 8,
    ProposalKind.STATED: 8,
    ProposalKind.CODE: 8,
    ProposalKind.PERIOD: 8,
    ProposalKind.TIME_COLUMN: 9,
    ProposalKind.PRIMARY_KEY: 10,
    ProposalKind.PERSONAL: 11,
    ProposalKind.CLOSED_LIST: 12,
    ProposalKind.JUDGEMENT: 13,
}
"""Errors from tenants, totals and states are multiples; a list only makes a filter wrong."""
_SETTLED = "declared"
_STRUCTURE = frozenset(
    {ProposalKind.PRIMARY_KEY, ProposalKind.FOREIGN_KEY, ProposalKind.TIME_COLUMN}
)


def decisions(proposals: Iterable[Proposal]) -> list[Proposal]:
    """All proposals to decide on, without those that the database itself declares."""
    decidable = [each for each in proposals if each.kind in _ORDER and each.reason != _SETTLED]
    return sorted(decidable, key=lambda each: (_ORDER[each.kind], -each.stake, each.id))


def open_decisions(proposals: Iterable[Proposal]) -> list[Proposal]:
    """The undecided ones; a key that the data proves needs no decision."""
    return [
        each
        for each in decisions(proposals)
        if each.state is State.OPEN and not (each.proven and each.kind in _STRUCTURE)
    ]
