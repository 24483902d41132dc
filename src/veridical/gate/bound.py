"""A claim after it was checked against the evidence."""

from typing import NamedTuple

from veridical.contracts.proof import Binding, Ground, Standing
from veridical.gate.claim import StatedClaim


class Bound(NamedTuple):
    """A claim, its standing, and its ground and binding if it has them."""

    claim: StatedClaim
    standing: Standing
    ground: Ground | None = None
    binding: Binding | None = None
