"""Names and identifiers stand in a result, in the question or in the ontology."""

from collections.abc import Iterator

from veridical.contracts.proof import ClaimKind, GateCode, Standing
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.problem import Problem

_NAMES = frozenset({ClaimKind.NAME, ClaimKind.IDENTIFIER})


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem for each name that came from nowhere; without evidence, another rule speaks."""
    if not facts.filled:
        return
    for bound in facts.stated:
        if bound.claim.kind in _NAMES and bound.standing is Standing.UNGROUNDED:
            yield Problem(GateCode.UNKNOWN_NAME, bound=bound)
