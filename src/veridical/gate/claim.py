"""A claim: a place in the answer and all that it may mean."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from veridical.contracts.proof import ClaimKind


class Role(StrEnum):
    """What a piece of text does in the answer. Only what is stated must be borne out."""

    STATED = "stated"
    ORDINAL = "ordinal"
    """a rank: the 3rd, Platz 2, 第三"""
    MARKER = "marker"
    """the number of a list item, a footnote or a step"""
    HEADING = "heading"
    QUOTED = "quoted"
    """repeated from the question"""
    OPERAND = "operand"
    """a constant of shown arithmetic: divided by 2, times 100"""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a figure: its value in full, and how exactly it was written."""

    value: float
    """``12,5 Mio.`` is 12500000; ``12.5 %`` is 12.5; 25 basis points are 0.25 (unit ``%``)."""
    half_step: float = 0.0
    """Half a unit of the last digit shown, in the same measure: 50000 for ``12,5 Mio.``."""
    unit: str = ""
    """ISO code of a currency, ``%``, or the unit as written; empty for a bare number."""
    scale: float = 1.0
    """What a scale word multiplied by: the evidence may be kept in that scale."""


@dataclass(frozen=True, slots=True)
class Days:
    """One way to read a date or a period: its first and last day."""

    start: date
    end: date


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim. Figures have readings, dates and periods have days, lists have items."""

    kind: ClaimKind
    text: str
    start: int
    end: int
    role: Role = Role.STATED
    readings: tuple[Reading, ...] = ()
    days: tuple[Days, ...] = ()
    items: tuple[str, ...] = ()
    approximate: bool = False
    """Said to be about so much: rund, about, 约."""
    bound: str = ""
    """``over`` or ``under`` where the figure only limits: more than 5, unter 100, 不到."""
