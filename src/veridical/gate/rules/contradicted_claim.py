"""The answer says nothing that the evidence denies: no other value, no right value elsewhere."""

from collections.abc import Iterator

from veridical.contracts.proof import ClaimKind, GateCode, Standing
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.problem import Problem


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem for each claim that the evidence speaks against."""
    for bound in facts.unsettled:
        if bound.standing is Standing.CONTRADICTED and bound.claim.kind is not ClaimKind.LIST:
            yield Problem(GateCode.CONTRADICTED_CLAIM, bound=bound)
