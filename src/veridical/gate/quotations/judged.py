"""The verdict on one quotation, figure or name of an answer."""

from dataclasses import dataclass

from veridical.contracts.proof import ClaimKind, GateCode, Standing
from veridical.gate.quotations.library import Spot


@dataclass(frozen=True, slots=True)
class Judged:
    """A stretch of the answer, how it stands, and where in which chunk."""

    start: int
    end: int
    kind: ClaimKind
    standing: Standing
    spots: tuple[Spot, ...] = ()
    """The evidence for it, or the closest text if it is not supported."""
    code: GateCode | None = None
    variant: str = ""
    """The wording of the code."""
    chunk: str = ""
    """The chunk that it cites, as a message names it."""
    instead: str = ""
    """The text that the chunk has in its place."""


def grounded(start: int, end: int, kind: ClaimKind, *spots: Spot) -> Judged:
    """A part of the answer that its chunks support."""
    return Judged(start, end, kind, Standing.GROUNDED, spots)
