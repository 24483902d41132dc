"""The verdict of the team on a requirement: a value that only the validator can make."""

from dataclasses import dataclass
from typing import Final

from veridical.contracts.requirements_review import Issue


class Signature:
    """The token that the validator puts on its verdicts."""

    __slots__ = ()


SIGNATURE: Final = Signature()
"""Only ``validator.py`` may import this (a test proves it)."""


@dataclass(frozen=True)
class TeamVerdict:
    """Approved, or not and why."""

    signature: Signature
    issues: tuple[Issue, ...]

    def __post_init__(self) -> None:
        if self.signature is not SIGNATURE:
            raise TypeError("a verdict is made by the validator only")

    @property
    def approved(self) -> bool:
        """True if there is no objection to the requirement."""
        return not self.issues
