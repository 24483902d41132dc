"""So much for each, times how many there are: ``50 per passenger``, ``3 passengers``, ``150``."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from veridical.contracts.proof import ClaimKind, Ground, Standing
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim
from veridical.gate.claims import find_claims
from veridical.gate.derive.known import is_figure
from veridical.gate.evidence.evidence import Evidence
from veridical.late_pattern import late_pattern

_FOR_EACH = late_pattern(
    r"\s*(?:\w+\s){0,2}(?:per|each|apiece|pro|je|jeweils|for\s(?:each|every)|für\sjede[nrs]?"
    r"|times\sthe\snumber)\b"
    r"|\s*(?:元|美元|个)?/(?:人|个|件|天|月)",
    re.IGNORECASE,
)
_EACH_BEFORE = late_pattern(
    r"(?:\b(?:each|every|je|jeweils|jede[rs]?)\s(?:\w+\s){0,4}|[每各][^\d。]{0,6})$",
    re.IGNORECASE,
)
_SAYS_EACH = late_pattern(
    r"\b(?:per|each|apiece|every|pro|je|jeweils|jede[nrs]?|times the number)\b|[每各]|/人",
    re.IGNORECASE,
)
_NEAR = 40
_MOST_RATES = 12
_MOST = 100
_NOISE = 1e-9


class _Rate(NamedTuple):
    """So much for each: the figure, its words, and which claim it is, if one."""

    value: float
    text: str
    claim: int | None = None


def derive_from_rate(
    claim: Claim, bounds: Sequence[Bound], text: str, evidence: Evidence
) -> Bound | None:
    """The claim as a rate times a stated whole number: a stated rate, or one that a text gives."""
    counts = [(at, bound.claim) for at, bound in enumerate(bounds) if _is_count(bound)]
    if not counts:
        return None
    for rate in (*_stated(bounds, text), *_given(evidence)):
        for at, count in counts:
            made = rate.value * count.readings[0].value
            for wanted in claim.readings:
                reach = wanted.half_step + abs(made) * _NOISE
                if rate.claim != at and abs(made - wanted.value) <= reach:
                    return Bound(
                        claim,
                        Standing.GROUNDED,
                        Ground.DERIVATION,
                        value=wanted.value,
                        derivation=f"{rate.text} × {count.text} = {made:.12g}",
                        operands=(at,) if rate.claim is None else (rate.claim, at),
                    )
    return None


def _stated(bounds: Sequence[Bound], text: str) -> Iterator[_Rate]:
    for at, bound in enumerate(bounds):
        claim = bound.claim
        if bound.standing is Standing.GROUNDED and is_figure(bound) and _is_rate(claim, text):
            yield _Rate(claim.readings[0].value, claim.text, at)


def _given(evidence: Evidence) -> Iterator[_Rate]:
    for exhibit in evidence.exhibits:
        if exhibit.text and _SAYS_EACH.search(exhibit.text):
            yield from _rates_in(exhibit.text)


@lru_cache(maxsize=64)
def _rates_in(text: str) -> tuple[_Rate, ...]:
    """The amounts of a text that are for each; a text that is full of them is a table."""
    found = tuple(
        _Rate(claim.readings[0].value, claim.text)
        for claim in find_claims(text)
        if claim.kind is ClaimKind.AMOUNT and claim.readings and _is_rate(claim, text)
    )
    return found if len(found) <= _MOST_RATES else ()


def _is_rate(claim: Claim, text: str) -> bool:
    if _FOR_EACH.match(text, claim.end):
        return True
    return _EACH_BEFORE.search(text, max(0, claim.start - _NEAR), claim.start) is not None


def _is_count(bound: Bound) -> bool:
    if bound.standing is not Standing.GROUNDED or not is_figure(bound):
        return False
    reading = bound.claim.readings[0]
    return not reading.unit and 1 < reading.value < _MOST and reading.value == int(reading.value)
