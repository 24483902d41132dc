"""An answer with the origin of each piece, as a canonical pattern puts it together."""

from dataclasses import dataclass
from typing import Any, NamedTuple

NOWHERE = -1


class Part(NamedTuple):
    """A piece of the text: words of a template, a cell of the result, or a value of the question.

    It says where it was taken from and proves nothing by itself: the gate compares it with the
    recorded result.
    """

    text: str
    row: int = NOWHERE
    column: int = NOWHERE
    """The cell that is shown, from 0."""
    units: tuple[int, ...] = ()
    """The columns that name the unit of the cell, which stands behind it."""
    from_question: Any = None
    """The value or the period of the question that is shown; none for words and cells."""
    owned: bool = False
    """True for words that the owner of the known question wrote: its title, its labels. They may
    name what is shown, ``Sales 2025``, but give no figure."""


@dataclass(frozen=True, slots=True)
class Written:
    """The pieces of one answer, in their order."""

    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The answer."""
        return "".join([part.text for part in self.parts])
