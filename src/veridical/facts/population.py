"""The number of rows behind a fact, of how many, and those left out."""

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
    """The nouns for its rows."""
    unmatched: int = 0
    """Rows that the other result of a join has no counterpart for."""
    ungrouped: int = 0
    """Rows that are in none of the groups."""
    before: "Population | None" = None
    """The rows that its groups are made of, where a condition chose them."""


def population(scope: Scoped, *vectors: Vector, by: tuple[str, ...] = ()) -> Population:
    """The rows in scope, those counted that have a value in each of these columns."""
    rows = len(scope.rows)
    known = rows
    gaps = [each for each in vectors if None in each.values]
    if len(gaps) == 1:
        known = rows - gaps[0].values.count(None)
    elif gaps:
        cells = zip(*(each.values for each in gaps), strict=True)
        known = sum(None not in each for each in cells)
    table, origin = scope.frame.table, scope.origin
    named = bool(scope.arguments.rows) and len(origin.of) < len(origin.frame.members)
    named = named or (bool(scope.arguments.among) and bool(origin.arguments.rows))
    chosen = scope.condition is not None and bool(scope.arguments.by) and origin is not scope
    return Population(
        count=known,
        of=len(scope.of),
        condition=None if chosen else scope.condition,
        before=grouping(origin) if chosen else None,
        names=origin.arguments.rows if named else (),
        missing=rows - known,
        by=by,
        truncated=table.truncated,
        total=table.row_count,
        nouns=table.nouns,
        unmatched=origin.frame.unmatched,
        ungrouped=scope.frame.ungrouped,
    )


def grouping(scope: Scoped) -> Population:
    """The rows that groups are made of; those without a group are in none."""
    by = scope.arguments.by
    keys = [scope.frame.whole(scope.frame.column(name)) for name in by]
    return population(scope, *(key.having([key.values[row] for row in scope.rows])
                               for key in keys), by=by)  # fmt: skip
