"""Findings of the checks of prose, with their consequences."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """The consequence for a sentence."""

    REFUSED = "refused"
    """goes back to its author"""
    MARKED = "marked"
    """is shown with a mark"""


class Code(StrEnum):
    """The kinds of faults. The catalogue has a sentence for each."""

    FACT = "fact"
    """a fact could not be computed"""
    SLOT = "slot"
    """a slot has nothing to print"""
    FIGURE = "figure"
    """a digit, a number word outside slots"""
    TIME = "time"
    NAME = "name"
    OPPOSITE = "opposite"
    """the words contradict the facts beside them"""
    UNSHOWN = "unshown"
    """the words claim something that no fact shows"""
    PAIRING = "pairing"
    """a figure stands beside the name of another row"""
    COLUMN = "column"
    """the words name another column than the fact's"""
    ALIAS = "alias"
    """a measure has the name of another column"""
    UNSAID = "unsaid"
    """a limit behind the figures that neither question nor prose mentions"""
    COMPLEMENT = "complement"
    """a slot prints the remainder, and the words do not mention it"""
    SCALE = "scale"
    """a unit or a scale behind a slot that prints its own"""
    FORM = "form"
    """no answer in this form"""


@dataclass(frozen=True, slots=True)
class ProseFinding:
    """One finding, at a stretch of the shown text."""

    code: Code
    level: Level
    text: str
    start: int = 0
    end: int = 0
    instead: str = ""
    """The slot that would print it, the right claim, or the choices."""
    reason: str = ""
    """Why a fact could not be computed."""
