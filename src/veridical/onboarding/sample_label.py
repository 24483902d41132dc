"""Labels what rests on a sample: it proves nothing about the rows that nobody looked at."""

from collections.abc import Mapping

from veridical.onboarding.profile import TableProfile
from veridical.onboarding.proposal import Proposal, ProposalKind

_SETTLED = "declared"
_COUNT_ALL = frozenset({ProposalKind.PRIMARY_KEY, ProposalKind.SNAPSHOT, ProposalKind.TOTAL_ROWS})
"""Kinds whose proof is a count of the whole table."""


def labelled(proposal: Proposal, tables: Mapping[str, TableProfile]) -> Proposal:
    """The proposal; without proof, and with the size of the sample, if it rests on one."""
    table = tables.get(proposal.table)
    if table is None or not table.is_sampled or proposal.reason == _SETTLED:
        return proposal
    if proposal.kind in _COUNT_ALL and proposal.proven:
        return proposal
    sample = {"sample_seen": table.seen, "sample_rows": table.rows}
    return proposal.model_copy(
        update={"evidence": {**proposal.evidence, **sample}, "proven": False}
    )
