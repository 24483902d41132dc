"""The evidence behind one answer. A result does not change once it is recorded, so it is
prepared once for several answers, or for one answer that is checked again."""

from dataclasses import dataclass, field
from typing import Any

from veridical.contracts.chunk import Chunk
from veridical.contracts.input_budget import OverBudgetError
from veridical.evidence.exhibit import Exhibit


@dataclass(slots=True)
class Evidence:
    """The exhibits, and the values derived from them."""

    exhibits: tuple[Exhibit, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    """Documents beside the exhibits."""
    over: OverBudgetError | None = None
    """Why it was not read, where there was too much of it."""
    derived: dict[type, Any] = field(default_factory=dict[type, Any])
    """Values derived from it, by type, kept for the next answer."""
