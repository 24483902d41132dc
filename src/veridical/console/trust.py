"""The line of trust under an answer: what comes from the data, what does not, what was caught."""

from collections.abc import Sequence
from dataclasses import dataclass

from veridical.console.lead import Lead
from veridical.console.prose import Passage, Piece
from veridical.contracts.facts_answer import State

GOOD = "good"


@dataclass(frozen=True, slots=True)
class Trust:
    """The counts of the marks that the page shows."""

    figures: int = 0
    """Figures of results."""
    names: int = 0
    """Names and other texts of results."""
    open: int = 0
    """Claims that nothing proves, or that the data contradicts."""
    own: int = 0
    """Sentences in the model's own words."""
    flagged: int = 0
    """Sentences with a remark of a check or of the reviewer."""

    @property
    def is_proven(self) -> bool:
        """True if anything rests on a result, and nothing is open."""
        return self.figures + self.names > 0 and not self.open


def trust_in(lead: Lead | None, passages: Sequence[Passage]) -> Trust:
    """The line of trust of what is shown."""
    pieces = [piece for each in passages for piece in each.pieces]
    good = [piece for piece in pieces if piece.mood == GOOD and piece.table is None]
    figures = sum(map(_is_figure, good))
    tables = sum(piece.table.figures for piece in pieces if piece.table is not None)
    return Trust(
        figures=figures + tables + (lead.figures if lead else 0),
        names=len(good) - figures,
        open=sum(piece.mood in ("open", "bad") for piece in pieces),
        own=sum(each.state is State.OWN and bool(_text(each)) for each in passages),
        flagged=sum(bool(each.reasons) for each in passages),
    )


def _is_figure(piece: Piece) -> bool:
    return any(map(str.isdigit, piece.text))


def _text(passage: Passage) -> str:
    return "".join(piece.text for piece in passage.pieces).strip()
