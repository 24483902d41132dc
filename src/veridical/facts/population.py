"""How many rows a fact speaks of, out of how many, and which were left out."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from veridical.contracts.language import Language
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.value import Vector
from veridical.facts.scope import Scoped
from veridical.ontology.printed import Noun


@dataclass(frozen=True, slots=True)
class Population:
    """The rows behind a sentence."""

    count: int
    """In scope, with a value."""
    of: int
    """In the result, before any condition."""
    condition: ex.Expression | None = None
    names: tuple[str, ...] = ()
    """Rows that the fact is limited to by name."""
    missing: int = 0
    """In scope, without a value."""
    by: tuple[str, ...] = ()
    """The columns that its rows are groups of."""
    truncated: bool = False
    total: int | None = None
    """Rows in all, where the result was cut."""
    held: tuple[tuple[str, object], ...] = ()
    nouns: Mapping[Language, Noun] = field(default_factory=dict[Language, Noun])
    """What its rows are called."""


def population(scope: Scoped, *vectors: Vector, by: tuple[str, ...] = ()) -> Population:
    """The rows in scope, those counted that have a value in each of these columns."""
    rows = len(scope.rows)
    known = rows
    if vectors:
        known = sum(
            all(cell is not None for cell in cells)
            for cells in zip(*(vector.values for vector in vectors), strict=True)
        )
    table = scope.frame.table
    limited = scope.arguments.rows if len(scope.of) < len(table.members) else ()
    return Population(
        count=known,
        of=len(scope.of),
        condition=scope.condition,
        names=tuple(limited),
        missing=rows - known,
        by=by,
        truncated=table.truncated,
        total=table.row_count,
        nouns=table.nouns,
    )
