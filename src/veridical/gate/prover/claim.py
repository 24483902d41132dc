"""One claim of an answer, and how it stands to the evidence."""

from dataclasses import dataclass
from enum import StrEnum


class Stand(StrEnum):
    """How a claim stands to the evidence."""

    PROVEN = "proven"
    CONTRADICTED = "contradicted"
    UNPROVEN = "unproven"


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of the answer, in places of its clean text."""

    start: int
    end: int
    kind: str
    stand: Stand
    reason: str = ""
