"""What a crew works with: the features' checkers and the gate's policy, taken along once."""

import pickle  # nosec B403 # from the server to a process that it started itself
from collections.abc import Mapping
from dataclasses import dataclass

from veridical.check.checker import Checker
from veridical.gate.policy import Policy


@dataclass(frozen=True)
class Equipment:
    """All that the work depends on beside the request."""

    checkers: Mapping[str, Checker]
    """By feature."""
    policy: Policy

    def packed(self) -> bytes:
        """For the way. Nothing of a request is ever in it."""
        return pickle.dumps(self)


def unpacked(equipment: bytes) -> Equipment:
    """What was packed by the server that started this process."""
    return pickle.loads(equipment)  # noqa: S301 # nosec B301
