"""Which proposals a person should decide on, the most consequential first."""

from collections.abc import Iterable

from veridical.onboarding.proposal import Kind, Proposal, State

_ORDER = {
    Kind.TENANT: 0,
    Kind.TOTAL_ROWS: 1,
    Kind.SNAPSHOT: 2,
    Kind.UNIT: 3,
    Kind.VALIDITY: 4,
    Kind.FOREIGN_KEY: 5,
    Kind.SOFT_DELETE: 6,
    Kind.NOT_ADDITIVE: 7,
    Kind.CODE: 8,
    Kind.PERIOD: 8,
    Kind.TIME_COLUMN: 9,
    Kind.PRIMARY_KEY: 10,
    Kind.PERSONAL: 11,
    Kind.CLOSED_LIST: 12,
    Kind.JUDGEMENT: 13,
}
"""What tenants, totals and states get wrong is a multiple; a list gets a filter wrong."""
_SETTLED = "declared"
_STRUCTURE = frozenset({Kind.PRIMARY_KEY, Kind.FOREIGN_KEY, Kind.TIME_COLUMN})


def decisions(proposals: Iterable[Proposal]) -> list[Proposal]:
    """All that can be decided on; what the database itself declares can't."""
    asked = [each for each in proposals if each.kind in _ORDER and each.reason != _SETTLED]
    return sorted(asked, key=lambda each: (_ORDER[each.kind], -each.stake, each.id))


def open_decisions(proposals: Iterable[Proposal]) -> list[Proposal]:
    """Those that nobody decided on yet; a key that the data proves needs nobody."""
    return [
        each
        for each in decisions(proposals)
        if each.state is State.OPEN and not (each.proven and each.kind in _STRUCTURE)
    ]
