"""What tasks need beside their request: the checkers of all features and the gate's policy,
loaded once."""

import pickle  # nosec B403 # from the server to a process that it started itself
from collections.abc import Mapping
from dataclasses import dataclass

from veridical.check.checker import Checker
from veridical.gate.policy import Policy


@dataclass(frozen=True)
class TaskContext:
    """Checkers and policy that all tasks share."""

    checkers: Mapping[str, Checker]
    """By feature."""
    policy: Policy

    def packed(self) -> bytes:
        """Pickled for the fork server. Nothing of a request is ever in it."""
        return pickle.dumps(self)


def unpacked(context: bytes) -> TaskContext:
    """What was packed by the server that started this process."""
    return pickle.loads(context)  # noqa: S301 # nosec B301
