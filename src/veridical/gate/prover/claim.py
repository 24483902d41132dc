"""One claim of an answer, and its standing."""

from dataclasses import dataclass
from enum import StrEnum

from veridical.contracts.proof import Standing
from veridical.gate.prover.basis import Basis


class Stand(StrEnum):
    """The standing of a claim."""

    PROVEN = "proven"
    CONTRADICTED = "contradicted"
    UNPROVEN = "unproven"


STANDINGS = {
    Stand.PROVEN: Standing.GROUNDED,
    Stand.CONTRADICTED: Standing.CONTRADICTED,
    Stand.UNPROVEN: Standing.UNGROUNDED,
}
"""The standing on the wire for each stand."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of the answer, in places of its clean text."""

    start: int
    end: int
    kind: str
    stand: Stand
    basis: Basis | None = None
    """The expression it rests on, or the one that contradicts it."""
