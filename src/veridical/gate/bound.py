"""A claim after it was held against the evidence."""

from typing import NamedTuple

from veridical.contracts.proof import Binding, Ground, Standing
from veridical.gate.claim import Claim


class Bound(NamedTuple):
    """A claim, how it stands, and the cell that decides it, where it is one."""

    claim: Claim
    standing: Standing
    ground: Ground | None = None
    binding: Binding | None = None
