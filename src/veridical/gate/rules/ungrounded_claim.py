"""Every figure, date and fact of the answer is found in the evidence or follows from it."""

from collections.abc import Iterator

from veridical.contracts.proof import ClaimKind, GateCode, Standing
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.problem import Problem, about_claim
from veridical.gate.rules.stretch import names_a_stretch

_OF_OTHER_RULES = frozenset({ClaimKind.NAME, ClaimKind.IDENTIFIER, ClaimKind.LIST})


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem for each claim that nothing bears out; without evidence, another rule speaks."""
    if not facts.unsettled or not facts.filled:
        return
    for bound in facts.unsettled:
        if (
            bound.standing is Standing.UNGROUNDED
            and bound.claim.kind not in _OF_OTHER_RULES
            and not names_a_stretch(bound, facts)
        ):
            yield about_claim(GateCode.UNGROUNDED_CLAIM, bound, facts)
