"""A claim as the rules about a run look at it: a place in the answer and what it may mean."""

from enum import StrEnum
from typing import NamedTuple

from veridical.contracts.proof import ClaimKind
from veridical.reading.figure import Reading


class Role(StrEnum):
    """What a piece of text does in the answer. Only what is stated must be borne out."""

    STATED = "stated"
    QUOTED = "quoted"
    """repeated from the question, without asserting it of the data"""


class Claim(NamedTuple):
    """One claim. Figures have readings."""

    kind: ClaimKind
    text: str
    start: int
    end: int
    role: Role = Role.STATED
    readings: tuple[Reading, ...] = ()
    mark: str = ""
    """``about``, ``over`` or ``under``, as the words beside a figure say."""
