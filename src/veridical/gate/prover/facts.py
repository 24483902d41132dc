"""Values that the evidence gives: cells, and figures over several rows, each with its origin."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from veridical.evidence.column import Additivity, CellKind, Column
from veridical.evidence.dimension import NUMBER, Dimension, Quantity
from veridical.evidence.table import EvidenceTable
from veridical.facts.kernel.reduce import FUNCTIONS
from veridical.gate.prover.how import How
from veridical.gate.prover.measures import ColumnRef
from veridical.reading.units import CURRENCIES

Rows = frozenset[int]
RowSet = tuple[int, Rows]
"""A table and some of its rows."""


class Over(StrEnum):
    """How a fact comes from its rows."""

    CELL = "cell"
    SUM = "sum"
    MEAN = "mean"
    MEDIAN = "median"
    MIN = "min"
    MAX = "max"
    DERIVED = "derived"


_KERNEL = {Over.SUM: "sum", Over.MEAN: "avg", Over.MEDIAN: "median"}


@dataclass(frozen=True, slots=True)
class Fact:
    """One value of the evidence, in the base unit of its dimension."""

    value: float
    dimension: Dimension
    over: Over
    table: int
    column: int
    rows: Rows
    how: How | None = field(default=None, compare=False)
    """For one that is derived: how it comes from its parts."""
    parts: tuple["Fact", ...] = field(default=(), compare=False, repr=False)

    @property
    def raw(self) -> float:
        """As the evidence has it."""
        return self.value / self.dimension.factor if self.dimension.factor else self.value

    @property
    def ref(self) -> ColumnRef:
        """Its column."""
        return ColumnRef(self.table, self.column)


class FactReader:
    """Reads facts from tables, each once."""

    def __init__(self, tables: Sequence[EvidenceTable]) -> None:
        self.tables = tuple(tables)
        self.members = tuple(frozenset(table.members) for table in tables)
        self.whole: tuple[RowSet, ...] = tuple(enumerate(self.members))
        self.figures = tuple(
            tuple(at for at, each in enumerate(table.columns) if each.kind is CellKind.FIGURE)
            for table in tables
        )
        self.refs = frozenset(
            ColumnRef(at, column) for at, columns in enumerate(self.figures) for column in columns
        )
        """All columns of figures."""
        self._currencies = [_currency_column(table) for table in tables]
        self._known: dict[RowSet, tuple[Fact, ...]] = {}

    def column(self, ref: ColumnRef) -> Column:
        """The column that a reference means."""
        return self.tables[ref.table].columns[ref.column]

    def cell(self, table: int, row: int, column: int) -> Fact | None:
        """The figure in a cell; none where it is empty."""
        value = self.tables[table].rows[row][column]
        if not isinstance(value, float):
            return None
        dimension = self.tables[table].columns[column].dimension or NUMBER
        return Fact(value * dimension.factor, dimension, Over.CELL, table, column, frozenset({row}))

    def over(self, table: int, rows: Rows) -> tuple[Fact, ...]:
        """All facts of these rows: the cells of one, the figures over several."""
        key = (table, rows)
        if key not in self._known:
            self._known[key] = tuple(
                fact for column in self.figures[table] for fact in self._of(table, rows, column)
            )
        return self._known[key]

    def _of(self, table: int, rows: Rows, column: int) -> Iterator[Fact]:
        cells = [cell for row in sorted(rows) if (cell := self.cell(table, row, column))]
        if len(rows) == 1 or not cells:
            yield from cells
            return
        typed, values = self.tables[table].columns[column], [each.value for each in cells]
        adds = typed.additivity is Additivity.FULL or (
            typed.additivity is Additivity.NOT_OVER_TIME and self.tables[table].is_of_one_time(rows)
        )
        for over, function in _KERNEL.items():
            if over is not Over.SUM or adds:
                value = FUNCTIONS[function](values)
                yield Fact(value, cells[0].dimension, over, table, column, rows)
        for over, best in ((Over.MIN, min(values)), (Over.MAX, max(values))):
            there = frozenset[int]().union(*(each.rows for each in cells if each.value == best))
            yield Fact(best, cells[0].dimension, over, table, column, there)

    def currencies(self, table: int, rows: Rows) -> frozenset[str]:
        """All currencies of these rows."""
        column, cells = self._currencies[table], self.tables[table].rows
        return frozenset(str(cells[row][column]) for row in rows if column is not None)


def _currency_column(table: EvidenceTable) -> int | None:
    """The column of currencies' codes."""
    for at, column in enumerate(table.columns):
        codes = {row[at] for row in table.rows if row[at] is not None}
        if column.kind is CellKind.NAME and codes <= CURRENCIES.keys():
            return at
    return None


def is_plain(dimension: Dimension) -> bool:
    """True if its unit is unknown: a number, or a guess that it counts."""
    return dimension.quantity in (Quantity.NUMBER, Quantity.COUNT) and not dimension.unit
