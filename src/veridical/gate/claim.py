"""A claim: a place in the answer and all that it may mean."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from veridical.contracts.proof import ClaimKind
from veridical.reading.figure import Reading

__all__ = ["Claim", "Days", "Reading", "Role"]


class Role(StrEnum):
    """What a piece of text does in the answer. Only what is stated must be borne out."""

    STATED = "stated"
    ORDINAL = "ordinal"
    """a rank: the 3rd, Platz 2, 第三"""
    MARKER = "marker"
    """the number of a list item, a footnote or a step"""
    HEADING = "heading"
    QUOTED = "quoted"
    """repeated from the question, without asserting it of the data"""
    OPERAND = "operand"
    """a constant of shown arithmetic: divided by 2, times 100"""


@dataclass(frozen=True, slots=True)
class Days:
    """One way to read a date or a period: its first and last day."""

    start: date
    end: date


class Claim(NamedTuple):
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
    counted: str = ""
    """For a count: the word for what is counted, as written."""
    yearless: tuple[int, int, int] | None = None
    """Of a date or period without a year: first month, number of months, day (0 for all)."""
    asked: bool = False
    """The question has it as well, and the answer asserts it: that proves nothing."""
