"""Two results joined by a key, as one frame."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from veridical.evidence.column import Column
from veridical.facts.kernel.frame import Frame, Source, spelt
from veridical.facts.kernel.value import FactError, Reason


def joined(left: Frame, right: Frame, on: tuple[str, str]) -> Frame:
    """Rows of both with the same key; the right one must have it once. Raises ``FactError``."""
    one, other = left.column(on[0]), right.column(on[1])
    index = _by_key(right, other)
    pairs = [
        (row, index[key])
        for row in left.members
        if (key := spelt(left.table.rows[row][one])) in index
    ]
    kept = [at for at in range(len(right.columns)) if at != other]
    taken = {name.casefold() for name in left.columns}
    names = {at: _apart(right.columns[at], right.table.name, taken) for at in kept}
    columns = (
        *left.table.columns,
        *(_renamed(right, at, names) for at in kept),
    )
    rows = tuple(
        left.table.rows[row] + tuple(right.table.rows[match][at] for at in kept)
        for row, match in pairs
    )
    table = replace(
        left.table, columns=columns, rows=rows, totals=frozenset(),
        held={**right.table.held, **left.table.held},
        truncated=left.table.truncated or right.table.truncated, row_count=None,
    )  # fmt: skip
    sources = (
        Source(left.table.name, tuple(row for row, _ in pairs), {c: c for c in left.columns}),
        Source(right.table.name, tuple(match for _, match in pairs),
               {names[at]: right.columns[at] for at in kept} | {on[0]: right.columns[other]}),
    )  # fmt: skip
    unmatched = len(left.members) - len(pairs)
    return Frame(table, left.results | right.results, sources=sources, unmatched=unmatched)


def _renamed(frame: Frame, at: int, names: Mapping[int, str]) -> Column:
    """A column of the right side, under the names that the columns have beside the left one."""
    column = frame.table.columns[at]
    unit = frame.place(column.unit_column) if column.unit_column else None
    unit_column = names.get(unit, "") if unit is not None else ""
    return replace(column, name=names[at], is_key=False, unit_column=unit_column)


def _by_key(frame: Frame, at: int) -> dict[str, int]:
    index: dict[str, int] = {}
    for row in frame.members:
        key = spelt(frame.table.rows[row][at])
        if key in index:
            raise FactError(Reason.SEVERAL_ROWS, key)
        if key:
            index[key] = row
    return index


def _apart(name: str, result: str, taken: Collection[str]) -> str:
    """A column of the other result; where the first has one of its name, under both names."""
    return f"{result}.{name}" if name.casefold() in taken else name
