"""The times that figures are of: a year in a column's name, the period of a row."""

import re
from datetime import date

from veridical.evidence.column import Kind
from veridical.evidence.column_words import name_words
from veridical.evidence.moment import Moment, find_moments, of_date, read_moment
from veridical.evidence.table import Cell, Table
from veridical.gate.references.leaves import Leaf

TIMES = (Kind.PERIOD, Kind.DAY, Kind.MOMENT)


def column_moment(name: str) -> Moment | None:
    """The time that a column's name says: ``headcount_2024``."""
    found = find_moments(name.replace("_", " "))
    dated = [each.moment for each in found if each.moment.year or each.moment.quarter]
    return dated[-1] if dated else None


def cell_moment(cell: Cell) -> Moment | None:
    """The time that a cell says."""
    if isinstance(cell, str):
        return read_moment(cell)
    return of_date(cell) if isinstance(cell, date) else None


def time_column(table: Table) -> int | None:
    """The column of the rows' own times; the days of things are properties of theirs."""
    if any(each.is_key and each.kind in (Kind.NAME, Kind.CODE) for each in table.columns):
        return None
    return next((at for at, each in enumerate(table.columns) if each.kind in TIMES), None)


def row_moments(table: Table, rows: frozenset[int] | tuple[int, ...]) -> list[Moment]:
    """The periods of rows, where the table has a column of them."""
    column = time_column(table)
    if column is None:
        return []
    return [m for row in sorted(rows) if (m := cell_moment(table.rows[row][column]))]


def leaf_moment(leaf: Leaf) -> Moment | None:
    """The time that a part of an expression is of."""
    for column in leaf.columns:
        found = column_moment(column)
        if found is not None:
            return found
    moments = row_moments(leaf.rows.table, leaf.rows.rows)
    return max(moments, key=lambda each: each.order) if moments else None


def is_before(one: str, other: str) -> bool:
    """Whether one column is another one of an earlier time: visits_2024, rides of last month."""
    if name_words(other).has("earlier"):
        return True
    plain = re.sub(r"\d", "", one)
    return plain == re.sub(r"\d", "", other) and one != other
