"""The names of a fact's rows."""

from collections.abc import Iterator, Sequence
from typing import overload

from veridical.evidence.column import CellKind
from veridical.facts.fact import Part, Role, key_of
from veridical.facts.kernel.frame import Frame
from veridical.facts.kernel.value import Value
from veridical.facts.scope import Scoped


class Names(Sequence[Part]):
    """The names of rows, each made on first use: of thousands, few are printed."""

    def __init__(self, frame: Frame, rows: Sequence[int], columns: tuple[int, ...]) -> None:
        self._frame = frame
        self._rows = rows
        self._columns = columns
        self._made: dict[int, Part] = frame.named.setdefault(columns, {})

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._rows)

    def __iter__(self) -> Iterator[Part]:
        """The names one after another."""
        return map(self._of, self._rows)

    @overload
    def __getitem__(self, at: int) -> Part: ...
    @overload
    def __getitem__(self, at: slice) -> "Names": ...
    def __getitem__(self, at: int | slice) -> "Part | Names":
        """The name of one row, or the names of some."""
        if isinstance(at, slice):
            return Names(self._frame, self._rows[at], self._columns)
        return self._of(self._rows[at])

    def _of(self, row: int) -> Part:
        found = self._made.get(row)
        if found is None:
            found = self._made[row] = _name(self._frame, row, self._columns)
        return found


def names_in(scope: Scoped, rows: Sequence[int]) -> Names:
    """The names of these rows, distinct among all rows."""
    frame = scope.frame
    among = frame.members if len(frame.members) > 1 else rows
    return Names(frame, rows, frame.naming(among, scope.arguments.name))


def _name(frame: Frame, row: int, columns: Sequence[int]) -> Part:
    table = frame.table
    cells = [
        Value(table.columns[at].kind, cell)
        for at in columns
        if (cell := table.rows[row][at]) is not None
    ]
    if not cells and len(table.rows) > 1:
        cells = [Value(CellKind.NAME, f"#{row + 1}")]
    if len(cells) == 1:
        return Part(Role.NAME, cells[0], row=str(cells[0].value))
    items = tuple(Part(Role.NAME, cell) for cell in cells)
    return Part(Role.NAME, items=(items,) if items else (), row=" ".join(map(key_of, items)))
