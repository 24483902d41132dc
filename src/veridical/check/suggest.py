"""The nearest name that exists and that the caller may see, or honestly none."""

from collections.abc import Iterable

from rapidfuzz import fuzz, process

from veridical.ontology.catalog import Catalog, TableCard

_CLOSE_ENOUGH = 72.0
_CERTAIN = 84.0


def nearest(name: str, candidates: Iterable[str], cutoff: float = _CLOSE_ENOUGH) -> str | None:
    """The candidate most like this name; none when nothing is like it."""
    choices = {candidate: _plain(candidate) for candidate in candidates}
    found = process.extractOne(_plain(name), choices, scorer=_likeness, score_cutoff=cutoff)
    return found[2] if found else None


def only_sensible(name: str, candidates: Iterable[str]) -> str | None:
    """The one candidate that is surely meant; none when two would do."""
    choices = {candidate: _plain(candidate) for candidate in candidates}
    ranked = process.extract(_plain(name), choices, scorer=_likeness, limit=2)
    if not ranked or ranked[0][1] < _CERTAIN:
        return None
    if len(ranked) > 1 and ranked[1][1] > ranked[0][1] - 4:
        return None
    return ranked[0][2]


def column_elsewhere(name: str, here: Iterable[TableCard], catalog: Catalog) -> str | None:
    """``Table.column`` for a column of this name in a table that the query does not read.

    Tables that a declared join reaches come first.
    """
    reached = [join.target for table in here for join in table.joins]
    for table_name in (*reached, *catalog.tables):
        table = catalog.table(table_name)
        column = table.column(name) if table else None
        if table and column:
            return f"{table.name}.{column.name}"
    return None


def _plain(name: str) -> str:
    return "".join(sign for sign in name.casefold() if sign.isalnum())


def _likeness(left: str, right: str, *, score_cutoff: float | None = None) -> float:
    """Edit distance for slips of the pen, shared parts for names that say more or less."""
    edit = fuzz.ratio(left, right)
    if min(len(left), len(right)) < 4:
        return edit
    return max(edit, 0.9 * fuzz.partial_ratio(left, right))
