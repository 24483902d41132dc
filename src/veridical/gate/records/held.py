"""A statement of the answer after it was held against a record."""

from dataclasses import dataclass

from veridical.contracts.proof import Standing


@dataclass(frozen=True, slots=True)
class Held:
    """Where it stands in the text, how it stands to the record, and what the record says."""

    start: int
    end: int
    standing: Standing
    says: str
