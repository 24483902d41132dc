"""The nearest name that exists and that the caller may see, or honestly none."""

from collections.abc import Iterable

from rapidfuzz import fuzz, process

from veridical.ontology.catalog import Catalog, TableCard

_CLOSE_ENOUGH = 72.0
_PART_COUNTS = 0.9
"""What a shared part is worth beside a likeness of the whole."""
_SHORT = 4


def nearest(name: str, candidates: Iterable[str], cutoff: float = _CLOSE_ENOUGH) -> str | None:
    """The candidate most like this name; none when nothing is like it.

    Edit distance finds slips of the pen, shared parts find names that say more or less.
    """
    choices = {candidate: _plain(candidate) for candidate in candidates}
    wanted = _plain(name)
    whole = process.extractOne(wanted, choices, scorer=fuzz.ratio, score_cutoff=cutoff)
    if len(wanted) < _SHORT or (whole is not None and whole[1] >= 100 * _PART_COUNTS):
        return whole[2] if whole else None
    longer = {each: plain for each, plain in choices.items() if len(plain) >= _SHORT}
    floor = max(whole[1] if whole else 0.0, cutoff) / _PART_COUNTS
    part = process.extractOne(wanted, longer, scorer=fuzz.partial_ratio, score_cutoff=floor)
    best = part or whole
    return best[2] if best else None


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
