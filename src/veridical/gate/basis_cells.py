"""The cells that an expression touched: result, row, column, value."""

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import islice
from typing import Any

from veridical.contracts.proof import CellRef
from veridical.evidence.column import CellKind
from veridical.evidence.table import Cell, EvidenceTable
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.facts import Fact

MOST_CELLS = 12
"""The most cells shown; more are only counted."""
_MOST_KEYS = 3
_LONGEST_KEY = 60
_NAMING = (CellKind.NAME, CellKind.CODE, CellKind.PERIOD, CellKind.DAY, CellKind.MOMENT)
_CellPlace = tuple[int, int, int]


def cells_of(basis: Basis, tables: Sequence[EvidenceTable]) -> tuple[tuple[CellRef, ...], int]:
    """The first cells of an expression, in its order, and how many more there are."""
    places = list(dict.fromkeys(_places(basis, tables)))
    shown = tuple(
        cell_ref(tables[table], row, column) for table, row, column in places[:MOST_CELLS]
    )
    return shown, len(places) - len(shown)


def row_name(table: EvidenceTable, row: int) -> str:
    """The name of a row: its unique name, else its naming columns, else its number."""
    naming = table.naming
    if naming and table.columns[naming[0]].is_key:
        return _plain_text(table.rows[row][naming[0]])[:_LONGEST_KEY]
    named = (
        _plain_text(cell)
        for column, cell in zip(table.columns, table.rows[row], strict=True)
        if column.kind in _NAMING and cell is not None
    )
    return " / ".join(islice(named, _MOST_KEYS))[:_LONGEST_KEY] or f"#{row + 1}"


def _places(basis: Basis, tables: Sequence[EvidenceTable]) -> Iterator[_CellPlace]:
    for fact in basis.facts:
        yield from _of_fact(fact)
    if basis.table < 0:
        for ref in basis.columns:
            for row in tables[ref.table].members:
                yield ref.table, row, ref.column
        return
    table = tables[basis.table]
    columns = [ref.column for ref in basis.columns if ref.table == basis.table]
    for row in sorted(basis.rows):
        for column in columns or table.naming[:1]:
            yield basis.table, row, column


def _of_fact(fact: Fact) -> Iterator[_CellPlace]:
    if fact.table < 0:
        for part in fact.parts:
            yield from _of_fact(part)
        return
    for row in sorted(fact.rows):
        yield fact.table, row, fact.column


def cell_ref(table: EvidenceTable, row: int, column: int) -> CellRef:
    """One cell of a table as the wire shows it."""
    typed = table.columns[column]
    return CellRef(
        result=table.name,
        title=table.title,
        row=row,
        row_key=row_name(table, row),
        column=typed.name,
        value=_plain(table.rows[row][column]),
        unit=typed.dimension.unit if typed.dimension else "",
    )


def _plain(cell: Cell) -> Any:
    """The cell as JSON can carry it."""
    return cell.isoformat() if isinstance(cell, date) else cell


def _plain_text(cell: Cell) -> str:
    plain = _plain(cell)
    whole = isinstance(plain, float) and plain.is_integer()
    return str(int(plain)) if whole else str(plain)
