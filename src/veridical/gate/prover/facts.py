"""Values that the evidence gives: cells, and figures over several rows, each with its origin."""

import math
import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from veridical.evidence.column import Additivity, CellKind, Column
from veridical.evidence.dimension import NUMBER, Dimension, Quantity
from veridical.evidence.table import EvidenceTable
from veridical.gate.lazy import lazy
from veridical.gate.prover.how import How
from veridical.gate.prover.measures import ColumnRef
from veridical.reading.units import CURRENCIES

Rows = frozenset[int]


class Over(StrEnum):
    """How a fact comes from its rows."""

    CELL = "cell"
    SUM = "sum"
    MEAN = "mean"
    MEDIAN = "median"
    MIN = "min"
    MAX = "max"
    WEIGHTED = "weighted"
    DERIVED = "derived"


_SIZED = (Over.CELL, Over.SUM)


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
        self._known: dict[tuple[int, Rows], tuple[Fact, ...]] = {}
        self._sized: dict[tuple[int, Rows], tuple[Fact, ...]] = {}
        self.first_of_name: dict[str, ColumnRef] = {}
        """The first column of each name, among all tables."""
        for at, table in enumerate(tables):
            for number, column in enumerate(table.columns):
                self.first_of_name.setdefault(column.name, ColumnRef(at, number))
        self.figures = tuple(
            tuple(at for at, each in enumerate(table.columns) if each.kind is CellKind.FIGURE)
            for table in tables
        )
        self.factors = frozenset(
            column.dimension.factor
            for table in tables
            for column in table.columns
            if column.dimension is not None
        )
        """The factors of all units of the evidence."""

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
            self._known[key] = tuple(self._read(table, rows))
        return self._known[key]

    def sized(self, table: int, rows: Rows) -> tuple[Fact, ...]:
        """Those of them that have a size of their own: cells and sums, no means or extremes."""
        key = (table, rows)
        if key not in self._sized:
            kept = (fact for fact in self.over(table, rows) if fact.over in _SIZED)
            self._sized[key] = tuple(kept)
        return self._sized[key]

    def _cells(self, table: int, rows: Iterable[int], column: int) -> list[tuple[int, float]]:
        """The figures of a column in the base unit of its dimension, by row."""
        typed = self.tables[table]
        dimension = typed.columns[column].dimension or NUMBER
        factor, cells = dimension.factor, typed.rows
        return [
            (row, value * factor) for row in rows if isinstance(value := cells[row][column], float)
        ]

    def _read(self, table: int, rows: Rows) -> Iterable[Fact]:
        ordered = sorted(rows)
        for column in self.figures[table]:
            cells = self._cells(table, ordered, column)
            dimension = self.tables[table].columns[column].dimension or NUMBER
            if len(rows) == 1:
                for _, value in cells:
                    yield Fact(value, dimension, Over.CELL, table, column, rows)
                continue
            if not cells:
                continue
            yield from self._reduced(table, column, rows, cells)

    def _reduced(
        self, table: int, column: int, rows: Rows, cells: list[tuple[int, float]]
    ) -> Iterable[Fact]:
        typed = self.tables[table].columns[column]
        dimension = typed.dimension or NUMBER
        values = [value for _, value in cells]

        def fact(value: float, over: Over) -> Fact:
            return Fact(value, dimension, over, table, column, rows)

        total = math.fsum(values)
        if typed.additivity is Additivity.FULL or (
            typed.additivity is Additivity.NOT_OVER_TIME and self.tables[table].is_of_one_time(rows)
        ):
            yield fact(total, Over.SUM)
        if typed.additivity is Additivity.NEVER:
            yield from self._weighted(table, column, rows, cells)
        yield fact(total / len(values), Over.MEAN)
        for over, best in ((Over.MIN, min(values)), (Over.MAX, max(values))):
            there = frozenset(row for row, value in cells if value == best)
            yield Fact(best, dimension, over, table, column, there)
        if len(values) > 2:
            yield fact(statistics.median(values), Over.MEDIAN)

    def _weighted(
        self, table: int, column: int, rows: Rows, cells: list[tuple[int, float]]
    ) -> Iterable[Fact]:
        """Means weighted by an additive column: a rate over all by its numbers of cases."""
        dimension = self.tables[table].columns[column].dimension or NUMBER
        places = [row for row, _ in cells]
        for other in self.figures[table]:
            weighing = self.tables[table].columns[other]
            if other == column or weighing.additivity is Additivity.NEVER:
                continue
            weights = [weight for _, weight in self._cells(table, places, other)]
            if len(weights) < len(cells) or any(weight < 0 for weight in weights):
                continue
            total = math.fsum(weights)
            if total:
                pairs = zip(weights, cells, strict=True)
                mean = math.fsum(weight * value for weight, (_, value) in pairs)
                yield Fact(mean / total, dimension, Over.WEIGHTED, table, column, rows)

    def near(self, edges: Sequence[float]) -> list[Fact]:
        """The cells of all rows whose size lies between these edges, in the order of the rows;
        each two edges are the ends of a range."""
        found: set[tuple[int, int, int]] = set()
        for (table, column), (sizes, rows) in self._by_size.items():
            for low, high in zip(edges[::2], edges[1::2], strict=True):
                first, last = bisect_left(sizes, low), bisect_right(sizes, high)
                found.update((table, row, column) for row in rows[first:last])
        return [cell for each in sorted(found) if (cell := self.cell(*each))]

    def currency(self, table: int, rows: Rows) -> str:
        """The one currency of all these rows; empty where there is none."""
        codes = self.currencies(table, rows)
        return str(next(iter(codes))) if len(codes) == 1 else ""

    def currencies(self, table: int, rows: Rows) -> frozenset[object]:
        """All currencies of these rows."""
        column = self._currencies[table]
        cells = self.tables[table].rows
        return frozenset(cells[row][column] for row in rows) if column is not None else frozenset()

    @lazy
    def _currencies(self) -> list[int | None]:
        """Of each table the column of currencies' codes."""
        found: list[int | None] = []
        for table in self.tables:
            columns = (
                at
                for at, column in enumerate(table.columns)
                if column.kind is CellKind.NAME
                and {row[at] for row in table.rows if row[at] is not None} <= CURRENCIES.keys()
            )
            found.append(next(columns, None))
        return found

    def holds(self, value: float, half_step: float) -> bool:
        """True if a cell of any row has this number, whatever its unit."""
        room = half_step * (1 + 1e-9)
        for (table, column), (sizes, _) in self._by_size.items():
            dimension = self.tables[table].columns[column].dimension or NUMBER
            low, high = (value - room) * dimension.factor, (value + room) * dimension.factor
            first = bisect_left(sizes, low)
            if first < len(sizes) and sizes[first] <= high:
                return True
        return False

    @lazy
    def _by_size(self) -> dict[tuple[int, int], tuple[list[float], list[int]]]:
        """Of each column of figures the sizes in order, and the rows that have them."""
        found: dict[tuple[int, int], tuple[list[float], list[int]]] = {}
        for table, columns in enumerate(self.figures):
            for column in columns:
                cells = self._cells(table, self.members[table], column)
                ordered = sorted((abs(value), row) for row, value in cells)
                sizes, rows = [size for size, _ in ordered], [row for _, row in ordered]
                found[table, column] = sizes, rows
        return found


def is_plain(dimension: Dimension) -> bool:
    """True if its unit is unknown: a number, or a guess that it counts."""
    return dimension.quantity in (Quantity.NUMBER, Quantity.COUNT) and not dimension.unit
