"""One answer with its evidence and what is known of it, whatever set it comes from."""

import zlib
from dataclasses import dataclass
from typing import Any, Literal

from veridical.gate.evidence.exhibit import Exhibit

Half = Literal["read", "held_out"]


@dataclass(frozen=True, slots=True)
class Sample:
    """An answer that must pass (``good``) or must be blocked."""

    id: str
    group: str
    """What must not be torn apart: one document, one record, one task."""
    answer: str
    exhibits: tuple[Exhibit, ...]
    rows: Any
    """The same evidence in a form that ``figured`` reads: rows as dictionaries, or several."""
    good: bool
    question: str = ""
    kind: str = ""
    """The way of corruption, the model, or the type of the question: figures are kept per kind."""
    language: str = "en"

    @property
    def half(self) -> Half:
        """Misses of the held-out half are not read while rules are written."""
        return half_of(self.group)


def half_of(group: str) -> Half:
    """A fixed coin for each group."""
    return "held_out" if zlib.crc32(group.encode()) & 1 else "read"
