"""A figure on the way to a claim: neighbours may still lend it their unit and scale."""

from dataclasses import dataclass

from veridical.contracts.proof import ClaimKind
from veridical.gate.claim import Claim, Days, Reading, Role
from veridical.reading.figure import Digits
from veridical.reading.numbers import read_scaled

Yearless = tuple[int, int, int]
"""First month, number of months, and the day (0 for all) of a date or period without a year."""


_UNSCALED = (1.0,)


@dataclass(slots=True)
class Draft:
    """What is known of one place of the text so far."""

    kind: ClaimKind
    start: int
    end: int
    digits: tuple[Digits, ...] = ()
    unit: str = ""
    factor: float = 1.0
    scales: tuple[float, ...] = _UNSCALED
    negative: bool = False
    bracket: bool = False
    mark: str = ""
    role: Role = Role.STATED
    days: tuple[Days, ...] = ()
    counted: str = ""
    yearless: Yearless | None = None
    at_end: bool = False
    """Of a period that names no year: only its end is meant."""
    asked: bool = False
    """Asserted here, and the question has it as well."""


def finished(draft: Draft, text: str) -> Claim:
    """The draft as a claim, with every reading that is left."""
    about = draft.mark == "about"
    return Claim(
        draft.kind,
        text[draft.start : draft.end],
        draft.start,
        draft.end,
        draft.role,
        _readings(draft, about) if draft.digits else (),
        draft.days,
        (),
        about,
        "" if about else draft.mark,
        draft.counted,
        draft.yearless,
        draft.asked,
    )


def _readings(draft: Draft, about: bool) -> tuple[Reading, ...]:
    loose = draft.negative or draft.bracket or about
    if not loose and draft.scales == _UNSCALED and draft.factor == 1.0 and len(draft.digits) == 1:
        ((value, half),) = draft.digits
        return (Reading(value, half, draft.unit),)
    found = read_scaled(
        draft.digits, draft.scales, draft.unit, draft.factor, negative=draft.negative
    )
    if draft.bracket and not draft.negative:
        found += tuple(
            Reading(-each.value, each.half_step, each.unit, each.scale) for each in found
        )
    if about:
        found += tuple(
            Reading(each.value, coarse, each.unit, each.scale)
            for each in found
            if (coarse := _coarse(each.value)) > each.half_step
        )
    return found


def _coarse(value: float) -> float:
    """Half a unit of the last digit that is not a zero, from the second on: "about 1,200" is
    right to 50, and so is "about 2,000"."""
    whole = abs(value)
    if whole < 100 or whole != int(whole):
        return 0.0
    digits = str(int(whole))
    zeros = min(len(digits) - len(digits.rstrip("0")), len(digits) - 2)
    return 0.5 * 10.0**zeros
