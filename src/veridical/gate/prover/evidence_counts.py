"""Counts that do not depend on the text: between columns, between results, and of values."""

from collections.abc import Iterator
from dataclasses import dataclass

from veridical.contracts.input_budget import keep_time
from veridical.evidence.column import CellKind, Column
from veridical.gate.lazy import lazy
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.facts import FactReader
from veridical.gate.prover.how import How
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.scope import RowSet

_FEW_VALUES = 40
_ORDERED = (CellKind.FIGURE, CellKind.DAY, CellKind.MOMENT)


@dataclass(frozen=True, slots=True)
class Counted:
    """A count that the evidence gives, and how sure it is that the text means it."""

    count: int
    how: How
    rows: RowSet | None
    sure: bool
    """True if a condition of the text itself was counted."""
    is_named: bool = False
    """True if the passage names what was counted."""
    columns: tuple[ColumnRef, ...] = ()
    """The columns it was counted by."""

    @property
    def basis(self) -> Basis:
        """The count as the basis of a claim."""
        table, rows = self.rows or (-1, frozenset[int]())
        return Basis(self.how, (), table, rows, self.columns, (str(self.count),))


class EvidenceCounts:
    """Counts each of them once."""

    def __init__(self, facts: FactReader) -> None:
        self._facts = facts
        self._columns: dict[ColumnRef, list[Counted]] = {}

    @lazy
    def compared(self) -> list[Counted]:
        """Rows in which one column is more, less or the same as another."""
        return list(self._compared())

    @lazy
    def moved(self) -> list[Counted]:
        """Rows that rose or fell from one result to another."""
        return list(self._moved())

    def of_column(self, ref: ColumnRef) -> list[Counted]:
        """Rows with and without a value, and different values."""
        if ref not in self._columns:
            self._columns[ref] = list(self._of_column(ref))
        return self._columns[ref]

    def _of_column(self, ref: ColumnRef) -> Iterator[Counted]:
        rows = self._facts.tables[ref.table].rows
        cells = [rows[row][ref.column] for row in self._facts.members[ref.table]]
        empty = sum(cell is None for cell in cells)
        if empty:
            yield Counted(empty, How.WITHOUT_VALUE, None, sure=False, columns=(ref,))
            filled = len(cells) - empty
            yield Counted(filled, How.WITH_VALUE, None, sure=False, columns=(ref,))
        if self._facts.column(ref).kind in (CellKind.FIGURE, CellKind.MOMENT, CellKind.DAY):
            return
        different = {cell for cell in cells if cell is not None}
        if 1 < len(different) < _FEW_VALUES:
            yield Counted(len(different), How.DISTINCT_VALUES, None, sure=False, columns=(ref,))

    def _compared(self) -> Iterator[Counted]:
        """Rows in which one column is more, less or the same as another: late, over budget."""
        for at, table in enumerate(self._facts.tables):
            kinds = [(n, c) for n, c in enumerate(table.columns) if c.kind in _ORDERED]
            for first, one in kinds:
                for second, other in kinds:
                    keep_time()
                    if first >= second or not _alike(one, other):
                        continue
                    pairs = [
                        (table.rows[row][first], table.rows[row][second])
                        for row in self._facts.members[at]
                    ]
                    known = [(a, b) for a, b in pairs if a is not None and b is not None]
                    for count in (
                        sum(a < b for a, b in known),  # pyright: ignore[reportOperatorIssue]
                        sum(a > b for a, b in known),  # pyright: ignore[reportOperatorIssue]
                        sum(a == b for a, b in known),
                    ):
                        both = (ColumnRef(at, first), ColumnRef(at, second))
                        how = How.COMPARED_COLUMNS
                        yield Counted(count, how, None, sure=False, columns=both)

    def _moved(self) -> Iterator[Counted]:
        """Rows that rose or fell from one result to another of the same columns."""
        tables = self._facts.tables
        for at, mine in enumerate(tables):
            for other in range(at + 1, len(tables)):
                theirs = tables[other]
                if not mine.naming or not theirs.naming:
                    continue
                named = {cells[theirs.naming[0]]: row for row, cells in enumerate(theirs.rows)}
                for column in self._facts.figures[at]:
                    place = theirs.column(mine.columns[column].name)
                    if place is None:
                        continue
                    pairs = [
                        (a.value, b.value)
                        for row in self._facts.members[at]
                        if (name := mine.rows[row][mine.naming[0]]) in named
                        and (a := self._facts.cell(at, row, column))
                        and (b := self._facts.cell(other, named[name], place))
                    ]
                    moved = (How.MOVED_ROWS, None)
                    both = (ColumnRef(at, column), ColumnRef(other, place))
                    yield Counted(sum(a < b for a, b in pairs), *moved, sure=False, columns=both)
                    yield Counted(sum(a > b for a, b in pairs), *moved, sure=False, columns=both)


def _alike(one: Column, other: Column) -> bool:
    if one.kind is not other.kind:
        return False
    if one.kind is not CellKind.FIGURE:
        return True
    return one.dimension == other.dimension and bool(set(one.words) & set(other.words))
