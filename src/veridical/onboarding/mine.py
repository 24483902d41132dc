"""From profiles to proposals: every kind in turn, each building on those before it."""

from collections.abc import Callable, Mapping

from veridical.onboarding.findings import Findings
from veridical.onboarding.kinds import KINDS
from veridical.onboarding.profile import TableProfile
from veridical.onboarding.proposal import Proposal
from veridical.onboarding.source import Source


def _unseen(done: int, of: int) -> None:
    """Ignores the progress."""


def mine(
    source: Source,
    tables: Mapping[str, TableProfile],
    progress: Callable[[int, int], None] = _unseen,
) -> list[Proposal]:
    """The proposals from the profiles and some further counting."""
    findings = Findings(source, tables)
    for number, find in enumerate(KINDS, 1):
        findings.add(list(find(findings)))
        progress(number, len(KINDS))
    return findings.proposals
