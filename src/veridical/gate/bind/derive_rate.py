"""So much for each, times how many there are: ``50 per passenger``, ``3 passengers``, ``150``."""

import re
from collections.abc import Sequence

from veridical.contracts.proof import Ground, Standing
from veridical.gate.bind.known import is_figure
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim

_FOR_EACH = re.compile(
    r"\s*(?:\w+\s){0,2}(?:per|each|apiece|pro|je|jeweils|for\s(?:each|every)|für\sjede[nrs]?)\b"
    r"|\s*(?:元|美元|个)?/(?:人|个|件|天|月)",
    re.IGNORECASE,
)
_EACH_BEFORE = re.compile(
    r"(?:\b(?:each|every|je|jeweils|jede[rs]?)\s(?:\w+\s){0,4}|[每各][^\d。]{0,6})$",
    re.IGNORECASE,
)
_NEAR = 40
_MOST = 100
_NOISE = 1e-9


def derive_from_rate(claim: Claim, bounds: Sequence[Bound], text: str) -> Bound | None:
    """The claim as a stated rate times a stated whole number, both of them grounded."""
    known = [
        (at, bound, bound.claim.readings[0])
        for at, bound in enumerate(bounds)
        if bound.standing is Standing.GROUNDED and is_figure(bound)
    ]
    rates = [each for each in known if _is_rate(each[1].claim, text)]
    if not rates:
        return None
    counts = [each for each in known if _is_count(each[1])]
    for wanted in claim.readings:
        for rate_at, rate, price in rates:
            for count_at, count, many in counts:
                made = price.value * many.value
                reach = wanted.half_step + abs(made) * _NOISE
                if rate_at != count_at and abs(made - wanted.value) <= reach:
                    return Bound(
                        claim,
                        Standing.GROUNDED,
                        Ground.DERIVATION,
                        value=wanted.value,
                        derivation=f"{rate.claim.text} × {count.claim.text} = {made:.12g}",
                        operands=(rate_at, count_at),
                    )
    return None


def _is_rate(claim: Claim, text: str) -> bool:
    if _FOR_EACH.match(text, claim.end):
        return True
    return _EACH_BEFORE.search(text, max(0, claim.start - _NEAR), claim.start) is not None


def _is_count(bound: Bound) -> bool:
    reading = bound.claim.readings[0]
    return not reading.unit and 1 < reading.value < _MOST and reading.value == int(reading.value)
