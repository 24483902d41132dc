"""What a claim rests on, before anybody words it: an operation over facts, rows and columns."""

from dataclasses import dataclass

from veridical.gate.prover.facts import Fact, Rows
from veridical.gate.prover.how import How
from veridical.gate.prover.measures import ColumnRef


@dataclass(frozen=True, slots=True)
class Basis:
    """An expression over the evidence, as it was evaluated."""

    how: How
    facts: tuple[Fact, ...] = ()
    """What it combines, in the order in which it does."""
    table: int = -1
    rows: Rows = frozenset()
    """Of the table: what is counted or ranked, where no facts are combined."""
    columns: tuple[ColumnRef, ...] = ()
    """What the rows are counted, ranked or named by."""
    told: tuple[str, ...] = ()
    """Figures and days for its words, in the order in which these name them."""
    chance: float | None = None
    """The share of other figures that would have been found as well."""
