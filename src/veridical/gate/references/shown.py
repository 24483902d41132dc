"""The shown answer: the pieces that a template comes to, each with what stands behind it."""

from dataclasses import dataclass, field
from enum import StrEnum

from veridical.evidence.moment import Moment
from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.value import EvaluationError, Reason, Selection, Value
from veridical.gate.references.leaves import Leaf


class Part(StrEnum):
    """What a piece of the shown text is."""

    PROSE = "prose"
    FIGURE = "figure"
    NAME = "name"
    """of rows, or a value that rows share"""
    YEAR = "year"
    QUOTE = "quote"
    BLANK = "blank"
    GLOSS = "gloss"
    """the condition that words describe, said by the host"""


@dataclass(frozen=True, slots=True)
class Piece:
    """One part of the shown text."""

    start: int
    end: int
    text: str
    part: Part
    source: str = ""
    expression: ex.Expression | None = None
    value: Value | None = None
    rows: Selection | None = None
    """The rows that a name is of."""
    moment: Moment | None = None
    leaves: tuple[Leaf, ...] = ()
    own: Selection | None = None
    """The rows that a name was asked for, which may be fewer than have it."""
    claim: int | None = None
    """The assertion that it stands in."""
    item: int | None = None
    """The item of a list that it stands in."""


@dataclass(frozen=True, slots=True)
class Asserted:
    """An assertion as it is shown."""

    start: int
    end: int
    source: str
    expression: ex.Expression | None
    holds: bool | None
    item: int | None
    error: EvaluationError | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """The rows that a list goes through."""

    start: int
    end: int
    source: str
    expression: ex.Rows
    rows: Selection


@dataclass(frozen=True, slots=True)
class Failure:
    """A part of the template that has no value."""

    start: int
    source: str
    reason: Reason
    subject: str


@dataclass(slots=True)
class Shown:
    """The whole answer as it is shown."""

    pieces: list[Piece] = field(default_factory=list[Piece])
    claims: list[Asserted] = field(default_factory=list[Asserted])
    lists: list[Listed] = field(default_factory=list[Listed])
    failures: list[Failure] = field(default_factory=list[Failure])
    items: int = 0
    length: int = 0

    @property
    def text(self) -> str:
        """What the reader sees."""
        return "".join(piece.text for piece in self.pieces)
