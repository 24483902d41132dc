"""One claim of an answer, and how it stands to the evidence."""

from dataclasses import dataclass
from enum import StrEnum

from veridical.contracts.proof import Standing
from veridical.gate.prover.basis import Basis


class Stand(StrEnum):
    """How a claim stands to the evidence."""

    PROVEN = "proven"
    CONTRADICTED = "contradicted"
    UNPROVEN = "unproven"


STANDINGS = {
    Stand.PROVEN: Standing.GROUNDED,
    Stand.CONTRADICTED: Standing.CONTRADICTED,
    Stand.UNPROVEN: Standing.UNGROUNDED,
}
"""How a proof says it."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of the answer, in places of its clean text."""

    start: int
    end: int
    kind: str
    stand: Stand
    reason: str = ""
    basis: Basis | None = None
    """What it rests on; where it is contradicted, what speaks against it."""
