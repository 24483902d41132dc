"""A claim as the rules about a run see it: a place in the answer and its readings."""

from enum import StrEnum
from typing import NamedTuple

from veridical.contracts.proof import ClaimKind
from veridical.reading.figure import Reading


class ClaimRole(StrEnum):
    """The role of a claim in the answer. Only stated claims must be supported by the data."""

    STATED = "stated"
    QUOTED = "quoted"
    """repeated from the question, without asserting it of the data"""


class StatedClaim(NamedTuple):
    """One claim. Figures have readings."""

    kind: ClaimKind
    text: str
    start: int
    end: int
    role: ClaimRole = ClaimRole.STATED
    readings: tuple[Reading, ...] = ()
    mark: str = ""
    """``about``, ``over`` or ``under``, from the words beside a figure."""
