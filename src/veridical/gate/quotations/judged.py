"""How one quotation, figure or name of an answer stands to the documents."""

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
    """What it rests on; of one that does not stand, what comes closest."""
    code: GateCode | None = None
    variant: str = ""
    """Which wording of the code."""
    chunk: str = ""
    """The chunk that it cites, as a message names it."""
    instead: str = ""
    """What the chunk has in its place."""


def grounded(start: int, end: int, kind: ClaimKind, *spots: Spot) -> Judged:
    """What stands."""
    return Judged(start, end, kind, Standing.GROUNDED, spots)
