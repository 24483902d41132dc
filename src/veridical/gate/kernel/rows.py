"""Selections of rows: by name, place, condition, period, rank, order and group."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime

from veridical.evidence.column import Additivity, Column, Kind
from veridical.evidence.dimension import COUNT
from veridical.evidence.moment import Moment, of_date, read_moment
from veridical.evidence.table import Cell, Table
from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.arithmetic import order_of
from veridical.gate.kernel.value import (
    Budget,
    EvaluationError,
    Reason,
    Selection,
    Series,
)

COUNT_COLUMN = "count"
OfSeries = Callable[[ex.Series], Series]
Holds = Callable[[ex.Scalar, ex.Comparator, ex.Scalar, Selection], bool]


class RowReader:
    """Evaluates selections over the tables of one answer."""

    def __init__(
        self, tables: Mapping[str, Table], budget: Budget, series_of: OfSeries, holds: Holds
    ) -> None:
        self._tables = tables
        self._budget = budget
        self._series_of = series_of
        self._holds = holds
        self._selected: dict[int, tuple[ex.Rows, Selection]] = {}
        self._groups: dict[tuple[str, tuple[int, ...], str], Table] = {}

    def select(self, rows: ex.Rows) -> Selection:
        """The rows that an expression selects, each expression once. Raises ``EvaluationError``."""
        self._budget.spend(1)
        known = self._selected.get(id(rows))
        if known is None:
            known = self._selected[id(rows)] = (rows, self._select(rows))
        return known[1]

    def _select(self, rows: ex.Rows) -> Selection:
        match rows:
            case ex.Table(name):
                table = self._tables.get(name)
                if table is None:
                    raise EvaluationError(Reason.NO_TABLE, name)
                return Selection(table, table.members)
            case ex.Row(within, value):
                return self._named(self.select(within), value)
            case ex.Named(within, values):
                return self._any_named(self.select(within), values)
            case ex.Blank(within, column, is_blank):
                return self._blank(self.select(within), column, is_blank=is_blank)
            case ex.Nth(within, place):
                return self._at(self.select(within), place)
            case ex.Where(within, left, comparator, right):
                return self._where(self.select(within), left, comparator, right)
            case ex.Range(within, first, last):
                return self._between(self.select(within), first, last)
            case ex.Ranked(series, first, last):
                return self._ranked(self._series_of(series), first, last)
            case ex.Sorted(series, descending):
                return self._sorted(self._series_of(series), descending=descending)
            case ex.Group(within, column):
                return self._grouped(self.select(within), column)

    def _named(self, within: Selection, value: str) -> Selection:
        """The rows with this value in a naming column, else in any; totals count when named."""
        table, wanted = within.table, value.casefold().strip()
        self._budget.spend(len(table.rows))
        everywhere = dict.fromkeys((*table.naming, *range(len(table.columns))))
        among = within.rows
        if among == table.members:
            among = tuple(range(len(table.rows)))
        for column in everywhere:
            found = tuple(row for row in among if _spelt(table.rows[row][column]) == wanted)
            if found:
                return Selection(table, found)
        when = read_moment(value)
        for column in everywhere if when else ():
            found = tuple(row for row in among if _is_within(when, table.rows[row][column]))
            if found:
                return Selection(table, found)
        raise EvaluationError(Reason.NO_ROW, value)

    def _any_named(self, within: Selection, values: tuple[str, ...]) -> Selection:
        """The rows of a value that has a comma itself, else those of each value."""
        try:
            return self._named(within, values[0])
        except EvaluationError:
            found = {row for each in values[1:] for row in self._named(within, each).rows}
            return Selection(within.table, tuple(sorted(found)))

    def _blank(self, within: Selection, name: str, *, is_blank: bool) -> Selection:
        at = within.table.column(name)
        if at is None:
            raise EvaluationError(Reason.NO_COLUMN, name)
        self._budget.spend(len(within.rows))
        rows = within.table.rows
        return Selection(
            within.table, tuple(row for row in within.rows if (rows[row][at] is None) is is_blank)
        )

    def _at(self, within: Selection, place: int) -> Selection:
        if not 1 <= place <= len(within.rows):
            raise EvaluationError(Reason.NO_ROW, f"#{place}")
        return Selection(within.table, (within.rows[place - 1],))

    def _where(
        self, within: Selection, left: ex.Scalar, comparator: ex.Comparator, right: ex.Scalar
    ) -> Selection:
        self._budget.spend(len(within.rows))
        found = tuple(
            row
            for row in within.rows
            if self._holds(left, comparator, right, Selection(within.table, (row,)))
        )
        return Selection(within.table, found)

    def _between(self, within: Selection, first: str, last: str) -> Selection:
        table = within.table
        kinds = (Kind.PERIOD, Kind.DAY, Kind.MOMENT)
        column = next((at for at, each in enumerate(table.columns) if each.kind in kinds), None)
        self._budget.spend(len(within.rows))
        if column is None:
            return self._from_to(within, first, last)
        start, end = read_moment(first), read_moment(last)
        if start is None or end is None:
            raise EvaluationError(Reason.NO_ROW, f"{first}..{last}")
        found = tuple(
            row
            for row in within.rows
            if (when := moment_of(table.rows[row][column])) is not None
            and (start.order <= when.order or start.covers(when))
            and (when.order <= end.order or end.covers(when))
        )
        if not found:
            raise EvaluationError(Reason.NO_ROW, f"{first}..{last}")
        return Selection(table, found)

    def _from_to(self, within: Selection, first: str, last: str) -> Selection:
        """The rows from one name to another, as the table has them."""
        start, end = (self._named(within, each).rows[0] for each in (first, last))
        if start > end:
            raise EvaluationError(Reason.NO_ROW, f"{first}..{last}")
        return Selection(within.table, tuple(row for row in within.rows if start <= row <= end))

    def _ranked(self, series: Series, first: int, last: int) -> Selection:
        """The rows at these ranks; those that share a rank's value are all there."""
        known = _figures(series)
        self._budget.spend(len(known))
        descending = first > 0
        ordered = sorted({value for _, value in known}, reverse=descending)
        ranks: dict[tuple[float, ...], int] = {}
        before = 0
        for value in ordered:
            ranks[value] = before + 1
            before += sum(each == value for _, each in known)
        low, high = sorted((abs(first), abs(last)))
        found = tuple(row for row, value in known if low <= ranks[value] <= high)
        if not found:
            raise EvaluationError(Reason.NO_ROW, f"rank {first}")
        by_value = dict(known)
        found = tuple(sorted(found, key=lambda row: by_value[row], reverse=descending))
        return Selection(series.selection.table, found)

    def _sorted(self, series: Series, *, descending: bool) -> Selection:
        known = _figures(series)
        self._budget.spend(len(known))
        ordered = sorted(known, key=lambda each: each[1], reverse=descending)
        missing = set(series.selection.rows) - {row for row, _ in known}
        rest = tuple(row for row in series.selection.rows if row in missing)
        return Selection(series.selection.table, (*(row for row, _ in ordered), *rest))

    def _grouped(self, within: Selection, name: str) -> Selection:
        table = within.table
        at = table.column(name)
        if at is None:
            raise EvaluationError(Reason.NO_COLUMN, name)
        key = (table.name, within.rows, name)
        if key in self._groups:
            return Selection(self._groups[key], self._groups[key].members)
        self._budget.spend(len(within.rows) * len(table.columns))
        groups: dict[Cell, list[int]] = {}
        for row in within.rows:
            groups.setdefault(table.rows[row][at], []).append(row)
        groups.pop(None, None)
        columns, rows = _summed(table, at, groups)
        grouped = Table(f"{table.name}/{name}", columns, rows, truncated=table.truncated)
        self._groups[key] = grouped
        return Selection(grouped, grouped.members)


def _summed(
    table: Table, key: int, groups: Mapping[Cell, list[int]]
) -> tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]]:
    """One row for each group: its value, how many rows it has, its figures that add up."""
    figures = [
        at
        for at, column in enumerate(table.columns)
        if column.kind is Kind.FIGURE and column.additivity is not Additivity.NEVER
    ]
    own = table.columns[key]
    columns = (
        replace(own, is_key=True),
        Column(COUNT_COLUMN, Kind.FIGURE, COUNT),
        *(table.columns[at] for at in figures),
    )
    rows = tuple(
        (value, float(len(members)), *(_total(table, members, at) for at in figures))
        for value, members in groups.items()
    )
    return columns, rows


def _total(table: Table, rows: list[int], column: int) -> float | None:
    cells = [cell for row in rows if isinstance(cell := table.rows[row][column], float)]
    return math.fsum(cells) if cells else None


def _figures(series: Series) -> list[tuple[int, tuple[float, ...]]]:
    """The rows that have something to be ranked by: a figure, a day, a period."""
    found = [
        (row, order)
        for row, value in zip(series.selection.rows, series.values, strict=True)
        if (order := order_of(value)) is not None
    ]
    if not found and any(value is not None for value in series.values):
        raise EvaluationError(Reason.NOT_A_FIGURE)
    return found


def moment_of(cell: Cell) -> Moment | None:
    """The time that a cell names."""
    if isinstance(cell, date):
        return of_date(cell)
    return read_moment(cell) if isinstance(cell, str) else None


def _is_within(when: Moment | None, cell: Cell) -> bool:
    its = moment_of(cell)
    return when is not None and its is not None and when.covers(its)


def _spelt(cell: Cell) -> str:
    """A cell as a reference writes it."""
    if isinstance(cell, datetime):
        return cell.isoformat(timespec="minutes").casefold()
    if isinstance(cell, date):
        return cell.isoformat()
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:g}"
    return str(cell).casefold().strip()
