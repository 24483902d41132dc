"""What is computed from the evidence is computed in a way that the measure allows."""

from collections.abc import Iterator

from veridical.contracts.proof import GateCode, Standing
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.problem import Problem


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem for each figure such as a summed balance."""
    for bound in facts.unsettled:
        if bound.standing is Standing.ILLEGAL:
            yield Problem(
                GateCode.ILLEGAL_DERIVATION, bound=bound, values=(("reason", bound.reason),)
            )
