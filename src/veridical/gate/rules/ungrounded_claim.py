"""Every figure, date and fact of the answer is found in the evidence or follows from it."""

from collections.abc import Iterator

from veridical.contracts.proof import ClaimKind, GateCode, Standing
from veridical.gate.bound import Bound
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.problem import Problem, about_claim

_OF_OTHER_RULES = frozenset({ClaimKind.NAME, ClaimKind.IDENTIFIER, ClaimKind.LIST})


def find(facts: GateFacts) -> Iterator[Problem]:
    """One problem for each claim that nothing bears out; without evidence, another rule speaks."""
    if not facts.unsettled or not facts.filled:
        return
    for bound in facts.unsettled:
        if (
            bound.standing is Standing.UNGROUNDED
            and bound.claim.kind not in _OF_OTHER_RULES
            and not _names_a_stretch(bound, facts)
        ):
            yield about_claim(GateCode.UNGROUNDED_CLAIM, bound, facts)


def _names_a_stretch(bound: Bound, facts: GateFacts) -> bool:
    """True for the parts of a year beside figures of tables: the three months, twelve months."""
    readings = bound.claim.readings
    return (
        bool(readings)
        and all(reading.unit in _PARTS.get(reading.value, ()) for reading in readings)
        and all(each.rows or each.calculation for each in facts.filled)
    )


_MONTHS = ("months", "month", "Monate", "Monaten", "月", "个月")
_QUARTERS = ("quarters", "Quartale", "Quartalen", "季度", "个季度")
_PARTS = {3.0: _MONTHS, 6.0: _MONTHS, 9.0: _MONTHS, 12.0: _MONTHS, 4.0: _QUARTERS}
