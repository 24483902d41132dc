"""A claim after it was held against the evidence."""

from typing import NamedTuple

from veridical.contracts.proof import Ground, Standing
from veridical.gate.claim import Claim
from veridical.gate.evidence.sheet import Place


class Bound(NamedTuple):
    """A claim, how it stands, and the place or the arithmetic that decides it."""

    claim: Claim
    standing: Standing
    ground: Ground | None = None
    place: Place | None = None
    """The cell it rests on; for a claim that does not stand, the nearest or the opposing cell."""
    value: float | None = None
    """The reading of the claim that was borne out."""
    derivation: str = ""
    operands: tuple[int, ...] = ()
    """For a derivation: which of the other claims it was made from."""
    reason: str = ""
    """For a fact or an illegal derivation: what the evidence or the ontology says, in short."""
    coincidence: float | None = None
