"""The basis of a claim, before it is put into words: an operation over facts, rows, columns."""

from dataclasses import dataclass

from veridical.gate.prover.facts import Fact, Rows
from veridical.gate.prover.how import How
from veridical.gate.prover.measures import ColumnRef


@dataclass(frozen=True, slots=True)
class Basis:
    """An expression over the evidence, as it was evaluated."""

    how: How
    facts: tuple[Fact, ...] = ()
    """The combined facts, in order."""
    table: int = -1
    rows: Rows = frozenset()
    """The rows of the table that are counted or ranked, where no facts are combined."""
    columns: tuple[ColumnRef, ...] = ()
    """The columns that the rows are counted, ranked or named by."""
    values: tuple[str, ...] = ()
    """Figures and days for its wording, in the order of its placeholders."""
