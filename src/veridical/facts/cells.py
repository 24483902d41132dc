"""The cells that a fact rests on."""

from collections.abc import Sequence

from veridical.facts.fact import Touched
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.frame import Frame
from veridical.facts.scope import Scoped

_MOST_ROWS = 100_000


def touched(scope: Scoped, measures: Sequence[ex.Measure]) -> tuple[Touched, ...]:
    """The cells that measures and condition read."""
    columns = {name for each in measures for name in ex.column_names(each.meaning
               or each.expression)}  # fmt: skip
    origin = scope.origin
    base = scope if scope.frame.sources else origin  # groups are of the rows of the result
    found = _traced(base.frame, base.rows, columns)
    if origin.condition is not None:
        met = set(ex.column_names(origin.condition))
        found = (*found, *_traced(origin.frame, origin.rows, met))
    return found


def _traced(frame: Frame, rows: Sequence[int], columns: set[str]) -> tuple[Touched, ...]:
    """Cells of a frame as those of the results that it was made of."""
    kept = tuple(rows[:_MOST_ROWS])
    if not frame.sources:
        return (Touched(frame.table.name, kept, frozenset(columns)),)
    found: list[Touched] = []
    for source in frame.sources:
        names = frozenset(source.columns[name] for name in columns if name in source.columns)
        places = source.rows if len(source.rows) == 1 else tuple(source.rows[row] for row in kept)
        if names:
            found.append(Touched(source.result, places, names))
    return tuple(found)
