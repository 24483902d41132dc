"""The evidence behind one answer. A result does not change once it is recorded, so whoever checks
several answers against it, or one answer anew, prepares it once."""

from dataclasses import dataclass, field
from typing import Any

from veridical.contracts.chunk import Chunk
from veridical.contracts.input_budget import OverBudgetError
from veridical.gate.evidence.exhibit import Exhibit


@dataclass(slots=True)
class Evidence:
    """The exhibits, and what was worked out from them."""

    exhibits: tuple[Exhibit, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    """Documents beside the exhibits."""
    over: OverBudgetError | None = None
    """Why it was not read, where there was too much of it."""
    derived: dict[type, Any] = field(default_factory=dict[type, Any])
    """What others have worked out from it, by its kind, for the next answer."""
