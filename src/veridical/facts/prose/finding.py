"""What a check of the prose found, and what becomes of it."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """What becomes of a sentence."""

    REFUSED = "refused"
    """goes back to its author"""
    MARKED = "marked"
    """is shown with a mark"""


class Code(StrEnum):
    """What is wrong. The catalogue has a sentence for each."""

    FACT = "fact"
    """a fact could not be computed"""
    SLOT = "slot"
    """a slot prints nothing that there is"""
    FIGURE = "figure"
    """a digit, a number word outside slots"""
    TIME = "time"
    NAME = "name"
    OPPOSITE = "opposite"
    """the words say the opposite of the facts beside them"""
    UNSHOWN = "unshown"
    """the words claim something that no fact shows"""
    PAIRING = "pairing"
    """a figure stands beside the name of another row"""
    COLUMN = "column"
    """the words name another column than the fact's"""
    ALIAS = "alias"
    """a measure is called by the name of another column"""
    UNSAID = "unsaid"
    """a limit behind the figures that neither question nor prose says"""
    COMPLEMENT = "complement"
    """a slot prints what is left over, and the words do not say so"""
    SCALE = "scale"
    """a unit or a scale behind a slot that prints its own"""
    FORM = "form"
    """no answer in this form"""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding, at a stretch of the shown text."""

    code: Code
    level: Level
    said: str
    start: int = 0
    end: int = 0
    instead: str = ""
    """The slot that would print it, what the facts show, what there is to choose from."""
    reason: str = ""
    """Of a fact: why it could not be computed."""
