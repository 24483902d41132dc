"""Deterministic pseudo-random draws: decided by the seed and the occasion."""

import hashlib
from dataclasses import dataclass

from veridical.evals.modes.mode import ModeName

_BYTES = 7
_MOST = 256**_BYTES


@dataclass(frozen=True, slots=True)
class Draw:
    """The draws of one run."""

    seed: int
    case: str
    mode: ModeName
    repeat: int

    def number(self, *occasion: str | int) -> float:
        """A number from 0 up to, not including, 1."""
        text = "|".join(map(str, (self.seed, self.case, self.mode, self.repeat, *occasion)))
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:_BYTES]) / _MOST

    def happens(self, rate: float, *occasion: str | int) -> bool:
        """True in this share of all runs."""
        return self.number(*occasion) < rate
