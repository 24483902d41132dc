"""What tasks need beside their request: the checkers of all features, the gate's policy and what
columns mean, loaded once."""

import pickle  # nosec B403 # from the server to a process that it started itself
from collections.abc import Mapping
from dataclasses import dataclass, field

from veridical.check.checker import Checker
from veridical.gate.evidence.source import Meaning
from veridical.gate.policy import Policy


@dataclass(frozen=True)
class TaskContext:
    """Checkers, policy and meanings that all tasks share."""

    checkers: Mapping[str, Checker]
    """By feature."""
    policy: Policy
    meanings: Mapping[str, Meaning] = field(default_factory=dict[str, Meaning])
    """By feature."""

    def packed(self) -> bytes:
        """Pickled for the fork server. Nothing of a request is ever in it."""
        return pickle.dumps(self)


def unpacked(context: bytes) -> TaskContext:
    """What was packed by the server that started this process."""
    return pickle.loads(context)  # noqa: S301 # nosec B301
