"""Compares the figures of an answer with known figures."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.proof import ClaimKind
from veridical.gate.claim import Claim, Role
from veridical.gate.claims.find import find_claims

_COARSEST = 0.005
"""How much of a figure may be rounded away: half a percent."""
_SMALL = 13
"""Below it a bare number is likelier a word than a figure: two accounts, 12 months."""
_FIGURES = frozenset({ClaimKind.NUMBER, ClaimKind.AMOUNT, ClaimKind.PERCENT, ClaimKind.COUNT})

_BARE = (ClaimKind.NUMBER, ClaimKind.COUNT)


def figures_in(text: str, question: str, language: Language) -> tuple[Claim, ...]:
    """What the text states as figures; what it repeats from the question is left out."""
    return tuple(
        claim
        for claim in find_claims(text, question, language)
        if claim.kind in _FIGURES and claim.role in (Role.STATED, Role.QUOTED)
    )


def is_told(
    value: Any, claims: Iterable[Claim], *, any_sign: bool = False, decimals: int | None = None
) -> bool:
    """Whether one of the claims is this figure, exactly enough: to half a percent, or to so many
    decimals."""
    wanted = as_number(value)
    if wanted is None:
        return False
    room = _room(wanted) if decimals is None else 0.5 * 10.0**-decimals
    return any(_is(wanted, claim, room, any_sign=any_sign) for claim in claims)


def not_among(claims: Iterable[Claim], known: Iterable[Any]) -> tuple[Claim, ...]:
    """The claims that are none of the known figures, and no small talk."""
    numbers = [number for value in known if (number := as_number(value)) is not None]
    return tuple(
        claim
        for claim in claims
        if claim.role is Role.STATED
        and not _is_small_talk(claim)
        and not _narrows_down(claim)
        and not any(_is(number, claim, _room(number), any_sign=True) for number in numbers)
    )


def _narrows_down(claim: Claim) -> bool:
    """True for what the question asked by: an account's number, how many, over how much."""
    return claim.asked and (bool(claim.bound) or claim.kind in _BARE)


def as_number(value: Any) -> float | None:
    """The value as a number, if it is one."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    return float(value)


def _is(wanted: float, claim: Claim, room: float, *, any_sign: bool) -> bool:
    if any_sign:
        told = ((abs(reading.value), reading.half_step) for reading in claim.readings)
        return any(_equal(abs(wanted), value, half, room) for value, half in told)
    return any(_equal(wanted, r.value, r.half_step, room) for r in claim.readings)


def _equal(wanted: float, told: float, half_step: float, room: float) -> bool:
    return half_step <= max(room, 0.5) and abs(wanted - told) <= min(half_step, room) + 1e-9


def _room(wanted: float) -> float:
    return max(_COARSEST * abs(wanted), 0.005)


def _is_small_talk(claim: Claim) -> bool:
    bare = claim.kind is ClaimKind.NUMBER
    return bare and all(abs(r.value) < _SMALL and not r.unit for r in claim.readings)
