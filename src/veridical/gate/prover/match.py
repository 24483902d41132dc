"""An expression whose value is a figure, with the facts that it is made of."""

from dataclasses import dataclass

from veridical.gate.prover.facts import Fact, FactReader, Over
from veridical.gate.prover.measures import ColumnRef


@dataclass(frozen=True, slots=True)
class Match:
    """An expression whose value is the figure."""

    text: str
    columns: frozenset[ColumnRef]
    direction: int = 0
    """1 or -1 where it is a difference or a change: which way it goes."""
    fact: Fact | None = None
    """The fact itself, where it is a single one."""
    sides: tuple[Fact, ...] = ()
    """The two facts that it combines."""
    fits_words: bool = True
    """Whether its columns are those that the words beside the figure speak of."""


def describe(fact: Fact, facts: FactReader) -> str:
    """A fact in words that a reader understands."""
    if fact.table < 0:
        return f"{fact.value:g}"
    table = facts.tables[fact.table]
    column = table.columns[fact.column].name
    if fact.over is Over.CELL:
        row = next(iter(fact.rows))
        naming = table.naming[:1]
        name = table.rows[row][naming[0]] if naming else f"#{row + 1}"
        return f"{column} of {name}"
    return f"{fact.over} of {column} over {len(fact.rows)} rows"
