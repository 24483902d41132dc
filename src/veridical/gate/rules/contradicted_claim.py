"""No claim contradicts the evidence: no other value, no right value at the wrong place."""

from collections.abc import Iterator

from veridical.contracts.proof import ClaimKind, GateCode, Standing
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.problem import Problem


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem for each claim that the evidence contradicts."""
    for bound in facts.unsettled:
        if bound.standing is Standing.CONTRADICTED and bound.claim.kind is not ClaimKind.LIST:
            yield Problem(GateCode.CONTRADICTED_CLAIM, bound=bound)
