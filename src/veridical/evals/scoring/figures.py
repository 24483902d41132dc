"""Compares the figures of an answer with known figures."""

from collections.abc import Iterable, Iterator, Set
from decimal import Decimal
from typing import Any, NamedTuple

from veridical.contracts.language import Language
from veridical.contracts.proof import ClaimKind
from veridical.gate.mention import Mention, mentions
from veridical.late_pattern import late_pattern
from veridical.reading.figure import Reading

_COARSEST = 0.005
"""The share of a figure that may be rounded away: half a percent."""
_DIGITS = late_pattern(r"\d+")
_LONGEST_NAME = 200
_SMALL = 13
"""Below it a bare number is likelier a word than a figure: two accounts, 12 months."""


class Figure(NamedTuple):
    """A figure of an answer."""

    text: str
    readings: tuple[Reading, ...]
    is_bare: bool
    """Without a unit."""
    narrows: bool
    """True for a condition of the question: an account's number, how many, over how much."""


def figures_in(text: str, question: str, language: Language) -> tuple[Figure, ...]:
    """The figures that the text states."""
    in_question = {
        reading.value for each in mentions(question, language) for reading in each.readings
    }
    return tuple(_figure(each, in_question) for each in mentions(text, language) if each.readings)


def _figure(mention: Mention, in_question: Set[float]) -> Figure:
    bare = mention.kind is ClaimKind.NUMBER and not any(each.unit for each in mention.readings)
    repeated = not in_question.isdisjoint(each.value for each in mention.readings)
    narrows = repeated and (bare or bool(mention.mark))
    return Figure(mention.text, mention.readings, bare, narrows)


def is_stated(
    value: Any, claims: Iterable[Figure], *, any_sign: bool = False, decimals: int | None = None
) -> bool:
    """True if one of the claims is this figure, exactly enough: to half a percent, or to so many
    decimals."""
    wanted = as_number(value)
    if wanted is None:
        return False
    room = _room(wanted) if decimals is None else 0.5 * 10.0**-decimals
    return any(_is(wanted, claim, room, any_sign=any_sign) for claim in claims)


def not_among(claims: Iterable[Figure], known: Iterable[Any]) -> tuple[Figure, ...]:
    """The claims that are none of the known figures nor of the digits in known names, and no small
    talk."""
    numbers = [number for value in known for number in _numbers(value)]
    return tuple(
        claim
        for claim in claims
        if not _is_small_talk(claim)
        and not claim.narrows
        and not any(_is(number, claim, _room(number), any_sign=True) for number in numbers)
    )


def _numbers(value: Any) -> Iterator[float]:
    """The value as a number, or those in a name: ``Product 11``."""
    if isinstance(value, str):
        yield from map(float, _DIGITS.findall(value[:_LONGEST_NAME]))
    elif (number := as_number(value)) is not None:
        yield number


def as_number(value: Any) -> float | None:
    """The value as a number, if it is one; the digits of an account are one too."""
    if isinstance(value, str) and value.isdecimal():
        return float(value)
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    return float(value)


def _is(wanted: float, claim: Figure, room: float, *, any_sign: bool) -> bool:
    if any_sign:
        stated = ((abs(reading.value), reading.half_step) for reading in claim.readings)
        return any(_equal(abs(wanted), value, half, room) for value, half in stated)
    return any(_equal(wanted, r.value, r.half_step, room) for r in claim.readings)


def _equal(wanted: float, stated: float, half_step: float, room: float) -> bool:
    return half_step <= max(room, 0.5) and abs(wanted - stated) <= min(half_step, room) + 1e-9


def _room(wanted: float) -> float:
    return max(_COARSEST * abs(wanted), 0.005)


def _is_small_talk(claim: Figure) -> bool:
    return claim.is_bare and all(abs(reading.value) < _SMALL for reading in claim.readings)
