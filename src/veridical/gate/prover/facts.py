"""Values that the evidence gives: cells, and figures over several rows, each with its origin."""

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from veridical.evidence.column import Additivity, Column, Kind
from veridical.evidence.dimension import NUMBER, Dimension, Quantity
from veridical.evidence.table import Table
from veridical.gate.prover.measures import ColumnRef

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


@dataclass(frozen=True, slots=True)
class Fact:
    """One value of the evidence, in the base unit of its dimension."""

    value: float
    dimension: Dimension
    over: Over
    table: int
    column: int
    rows: Rows
    text: str = ""

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

    def __init__(self, tables: Sequence[Table]) -> None:
        self.tables = tuple(tables)
        self.members = tuple(frozenset(table.members) for table in tables)
        self._known: dict[tuple[int, Rows], tuple[Fact, ...]] = {}
        self.first_of_name: dict[str, ColumnRef] = {}
        """Where a column's name stands first, among all tables."""
        for at, table in enumerate(tables):
            for number, column in enumerate(table.columns):
                self.first_of_name.setdefault(column.name, ColumnRef(at, number))
        self.figures = tuple(
            tuple(at for at, each in enumerate(table.columns) if each.kind is Kind.FIGURE)
            for table in tables
        )

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

    def _read(self, table: int, rows: Rows) -> Iterable[Fact]:
        for column in self.figures[table]:
            cells = [
                (row, fact.value) for row in sorted(rows) if (fact := self.cell(table, row, column))
            ]
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

        if typed.additivity is not Additivity.NEVER:
            yield fact(math.fsum(values), Over.SUM)
        else:
            yield from self._weighted(table, column, rows, cells)
        yield fact(math.fsum(values) / len(values), Over.MEAN)
        for over, best in ((Over.MIN, min(values)), (Over.MAX, max(values))):
            there = frozenset(row for row, value in cells if value == best)
            yield Fact(best, dimension, over, table, column, there)
        if len(values) > 2:
            yield fact(statistics.median(values), Over.MEDIAN)

    def _weighted(
        self, table: int, column: int, rows: Rows, cells: list[tuple[int, float]]
    ) -> Iterable[Fact]:
        """Means weighted by what adds up: a rate over all by its numbers of cases."""
        dimension = self.tables[table].columns[column].dimension or NUMBER
        for other in self.figures[table]:
            weighing = self.tables[table].columns[other]
            if other == column or weighing.additivity is Additivity.NEVER:
                continue
            weights = [(self.cell(table, row, other), value) for row, value in cells]
            if any(weight is None or weight.value < 0 for weight, _ in weights):
                continue
            total = math.fsum(weight.value for weight, _ in weights if weight)
            if total:
                mean = math.fsum(weight.value * value for weight, value in weights if weight)
                yield Fact(mean / total, dimension, Over.WEIGHTED, table, column, rows)


def is_plain(dimension: Dimension) -> bool:
    """Whether nobody says what unit it has: a number, or a guess that it counts."""
    return dimension.quantity in (Quantity.NUMBER, Quantity.COUNT) and not dimension.unit
