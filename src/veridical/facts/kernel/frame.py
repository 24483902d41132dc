"""The rows that a fact is computed over: a result, two joined, or columns taken as items."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cached_property
from typing import Any, cast

from veridical.evidence.column import TIMES, Additivity, CellKind, Column
from veridical.evidence.moment import Moment, of_date, read_moment
from veridical.evidence.table import Cell, EvidenceTable
from veridical.evidence.unit import dimension_in
from veridical.facts.kernel.judged import Named, judged_by
from veridical.facts.kernel.value import FactError, Reason, Scalar, Vector

_NAMES = (CellKind.NAME, CellKind.CODE, CellKind.PERIOD, CellKind.DAY, CellKind.MOMENT)
_MOST_DECIMALS = 4
_SAMPLE = 400
"""The number of rows whose decimals are read."""
_MOST_NAMING = 3
_LONGEST_NAME = 400
_BETWEEN = " \0 "
"""Between texts that are read together; of none of them."""


@dataclass(frozen=True, slots=True)
class Source:
    """The origin of the rows of a computed frame."""

    result: str
    rows: tuple[int, ...]
    """The row of the result behind each row of the frame."""
    columns: Mapping[str, str]
    """The names of its columns by those in the frame."""


@dataclass(frozen=True, eq=False)
class Frame:
    """A table with its columns as vectors, made on first use."""

    table: EvidenceTable
    results: frozenset[str] = frozenset()
    """The results that it was made of."""
    known: dict[int, Vector] = field(default_factory=dict[int, Vector])
    sources: tuple[Source, ...] = ()
    """The origins of a frame that is no result itself."""
    unmatched: int = 0
    """Rows that a join left out."""
    keys: int = 0
    """The number of first columns that identify groups."""
    ungrouped: int = 0
    """Rows that are in none of the groups."""
    named: dict[tuple[int, ...], dict[int, Any]] = field(
        default_factory=dict[tuple[int, ...], dict[int, Any]]
    )
    """The printed names of rows by their columns, for all facts of an answer."""

    @cached_property
    def members(self) -> tuple[int, ...]:
        """All rows but totals."""
        return self.table.members if self.table.totals else self.every

    @cached_property
    def every(self) -> tuple[int, ...]:
        """All rows."""
        return tuple(range(len(self.table.rows)))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns."""
        return tuple(column.name for column in self.table.columns)

    def cells(self, at: int) -> Sequence[Cell]:
        """The cells of a column."""
        found = self._cells.get(at)
        if found is None:
            found = self._cells[at] = [row[at] for row in self.table.rows]
        return found

    def taken(self, at: int, rows: Sequence[int]) -> Sequence[Cell]:
        """The cells of a column in these rows."""
        cells = self.cells(at)
        return cells if rows is self.every else list(map(cells.__getitem__, rows))

    @cached_property
    def judged(self) -> Named:
        """The conditions on its rows that have a name."""
        return judged_by(self.table)

    @cached_property
    def _cells(self) -> dict[int, Sequence[Cell]]:
        return {}

    @cached_property
    def _places(self) -> dict[int, Sequence[str | None]]:
        return {}

    @cached_property
    def _telling(self) -> tuple[int, ...]:
        return self._tell_apart(self.members)

    @cached_property
    def _by_name(self) -> dict[str, int]:
        places = reversed(list(enumerate(self.columns)))  # of two of a name, the first counts
        return {name.casefold(): at for at, name in places}

    def place(self, name: str) -> int | None:
        """The place of a column by its name; none if there is no such column."""
        return self._by_name.get(name.casefold())

    def column(self, name: str) -> int:
        """The same, also for a name with the result before it. Raises ``FactError``."""
        found = self.place(name)
        if found is None:
            found = self.place(name.rpartition(".")[2])
        if found is None:
            raise FactError(Reason.NO_COLUMN, name, self.columns)
        return found

    def whole(self, at: int) -> Vector:
        """A column of all rows."""
        known = self.known.get(at)
        if known is None:
            known = self.known[at] = _vector(self, at)
        return known

    def find(self, name: str, within: Sequence[int] | None = None) -> tuple[int, ...]:
        """The rows that a name stands for; totals count where they are named. Raises
        ``FactError``."""
        table = self.table
        if len(name) > _LONGEST_NAME:
            raise FactError(Reason.NO_ROW, name)
        wanted = " ".join(name.casefold().split())
        everywhere = tuple(dict.fromkeys((*table.naming, *range(len(table.columns)))))
        allowed = None if within is None or within is self.every else frozenset(within)
        is_spelt = False
        for at in everywhere:
            cells = self.spelt(at)
            if wanted not in cells:
                continue
            is_spelt = True
            found = tuple([row for row, cell in enumerate(cells) if cell == wanted
                           and (allowed is None or row in allowed)])  # fmt: skip
            if found:
                return found
        found = self._within(name, [at for at in everywhere if table.columns[at].kind in TIMES])
        found = tuple(row for row in found if allowed is None or row in allowed)
        if found or is_spelt:  # a name of another row, such as a total, is none that is nearly it
            return found
        return self._near(wanted, self.every if within is None else within)

    def spelt(self, at: int) -> Sequence[str | None]:
        """The cells of a column as a fact's author writes them."""
        found = self._places.get(at)
        if found is None:
            cells = self.cells(at)
            if len(set(cells)) < len(cells) // 2:  # the same ones again and again
                known = {cell: None if cell is None else spelt(cell) for cell in set(cells)}
                found = list(map(known.__getitem__, cells))
            else:
                found = _all_spelt(cells)
            self._places[at] = found
        return found

    def _within(self, name: str, columns: Sequence[int]) -> tuple[int, ...]:
        """The rows of a time that a name stands for: the days of a month."""
        when = read_moment(name) if columns else None
        for at in columns if when else ():
            found = tuple(row for row, cell in enumerate(self.cells(at))
                          if when and (its := moment_of(cell)) and when.covers(its))  # fmt: skip
            if found:
                return found
        return ()

    def _near(self, wanted: str, among: Iterable[int]) -> tuple[int, ...]:
        """The one row whose names are all in the text, or that has the text within its name."""
        naming = [at for at, column in enumerate(self.table.columns) if column.kind in _NAMES]
        rows = list(among)
        columns = [self.spelt(at) for at in naming]
        joined = {row: [column[row] or "" for column in columns] for row in rows}
        parts = [
            row
            for row in rows
            if sum(bool(cell) and cell in wanted for cell in joined[row]) >= min(2, len(naming))
            and _covers(wanted, joined[row])
        ]
        if len(parts) == 1:
            return tuple(parts)
        within = [row for row in rows if any(wanted in cell for cell in joined[row])]
        if len(within) == 1 and len(wanted) > 1:
            return tuple(within)
        choices = [cell for row in rows[:12] for cell in joined[row][:1]]
        raise FactError(Reason.NO_ROW, wanted, choices)

    def naming(self, rows: Sequence[int], wanted: str = "") -> tuple[int, ...]:
        """The fewest columns that identify these rows."""
        if wanted:
            return (self.column(wanted),)
        if self.keys:
            return tuple(range(self.keys))
        return self._telling if rows is self.members else self._tell_apart(rows)

    def _tell_apart(self, rows: Sequence[int]) -> tuple[int, ...]:
        table = self.table
        found = table.naming
        if len(rows) <= 1:
            return tuple(at for at in found[:1] if at not in table.unit_columns)
        if found and table.columns[found[0]].is_key:
            return found[:1]
        usable = [
            at for at, column in enumerate(table.columns)
            if column.kind in _NAMES and any(map(_is_filled, self.taken(at, rows)))
        ]  # fmt: skip
        chosen: list[int] = []
        best = 0
        for at in usable:
            count = len(set(zip(*(self.taken(each, rows) for each in (*chosen, at)), strict=True)))
            if count > best:
                chosen.append(at)
                best = count
            if best == len(rows) or len(chosen) == _MOST_NAMING:
                break
        return tuple(chosen)


def _covers(wanted: str, cells: Sequence[str]) -> bool:
    """True if nothing of a text is left when these names are taken out of it."""
    rest = wanted
    for cell in sorted(filter(None, cells), key=len, reverse=True):
        rest = rest.replace(cell, " ", 1)
    return not any(sign.isalnum() for sign in rest)


def _is_filled(cell: Cell) -> bool:
    return cell is not None


def _vector(frame: Frame, at: int) -> Vector:
    column = frame.table.columns[at]
    found = _of_cells(column, frame.cells(at))
    named = frame.place(column.unit_column) if column.unit_column else None
    if named is None:
        return found
    units = frame.cells(named)
    return found.in_units([None if each is None else dimension_in(str(each)) for each in units])


def _of_cells(column: Column, cells: Sequence[Cell]) -> Vector:
    columns = frozenset({column.name})
    if column.kind is not CellKind.FIGURE or column.dimension is None:
        return Vector(column.name, column.kind, cells, columns=columns)
    factor = column.dimension.factor
    digits = _decimals(cells[:_SAMPLE])
    values: Sequence[Scalar | None] = cells
    if factor != 1:
        values = [cell * factor if isinstance(cell, float) else None for cell in cells]
    return Vector(
        column.name, CellKind.FIGURE, values, column.dimension.base, factor, digits,
        column.additivity, columns, column.decimals,
    )  # fmt: skip


def _decimals(cells: Sequence[Cell]) -> int:
    """The number of decimals of figures."""
    found = 0
    for cell in cells:
        while found < _MOST_DECIMALS and isinstance(cell, float) and round(cell, found) != cell:
            found += 1
    return found


def frame_of(table: EvidenceTable) -> Frame:
    """The frame of one result."""
    return Frame(table, frozenset({table.name}))


def as_items(frame: Frame, names: Sequence[str], rows: Sequence[int]) -> Frame:
    """Columns as items: one row for each, with its figure. Raises ``FactError``."""
    places = tuple(dict.fromkeys(frame.column(name) for name in names))
    if len(rows) != 1:
        raise FactError(Reason.SEVERAL_ROWS if rows else Reason.NO_ROW, ", ".join(names))
    vectors = [frame.whole(each).over(rows) for each in places]
    first = vectors[0]
    if any(each.dimension != first.dimension or each.dimension is None for each in vectors):
        raise FactError(Reason.DIMENSIONS, ", ".join(names))
    values = [vector.values[0] for vector in vectors]
    own = [frame.columns[at] for at in places]
    items = _items(own)
    never = any(each.additivity is Additivity.NEVER for each in vectors)
    additivity = Additivity.NEVER if never else Additivity.FULL
    digits = max((vector.digits or 0) for vector in vectors)
    columns = (Column("item", CellKind.NAME, is_key=True),
               Column("value", CellKind.FIGURE, first.dimension, additivity))  # fmt: skip
    table = EvidenceTable(
        frame.table.name, columns, tuple(zip(items, values, strict=True)), frame.table.title,
        held=frame.table.held,
    )  # fmt: skip
    known = Vector("value", CellKind.FIGURE, values, first.dimension, first.scale, digits,
                   additivity, frozenset(own))  # fmt: skip
    sources = tuple(Source(frame.table.name, (rows[0],), {"value": name}) for name in own)
    return Frame(table, frame.results, {1: known}, sources)


def _items(names: Sequence[str]) -> list[str]:
    """The names of items: the last part of a nested column's name if that is unique."""
    short = [_item(name) for name in names]
    return short if len(set(short)) == len(short) else list(names)


def _item(name: str) -> str:
    """The name of an item: the last part of a nested column's name."""
    return name.rpartition(".")[2].replace("_", " ")


def spelt(cell: Cell) -> str:
    """A cell as a fact's author writes it."""
    if isinstance(cell, str):
        return " ".join(cell.casefold().split())
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, datetime):
        return cell.isoformat().casefold()
    if isinstance(cell, date):
        return cell.isoformat()
    return str(int(cell)) if float(cell).is_integer() else repr(float(cell))


def _all_spelt(cells: Sequence[Cell]) -> Sequence[str | None]:
    """The same for a whole column: texts together, unless one of them has spaces to mend."""
    if all(isinstance(cell, str) for cell in cells):
        text = _BETWEEN.join(cast("Sequence[str]", cells)).casefold()
        found = text.split(_BETWEEN)
        if len(found) == len(cells) and " ".join(text.split()) == text:
            return found
    return [None if cell is None else spelt(cell) for cell in cells]


def moment_of(cell: Scalar | None) -> Moment | None:
    """The time that a cell names."""
    if isinstance(cell, date):
        return of_date(cell)
    return read_moment(cell) if isinstance(cell, str) else None


def order_of(cell: Scalar | None) -> tuple[float, ...] | None:
    """The sort key of cells: figures, times, texts that name a time."""
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, float):
        return (cell,)
    if isinstance(cell, datetime):
        at = cell.astimezone(UTC) if cell.tzinfo else cell
        clock = (at.hour, at.minute, at.second, at.microsecond)
        return (at.year, at.month, 0, at.day, *clock)
    if isinstance(cell, date):
        return (cell.year, cell.month, 0, cell.day)
    found = moment_of(cell)
    return found.order if found is not None else None


def frames_of(tables: Sequence[EvidenceTable]) -> Mapping[str, Frame]:
    """All results by their names."""
    return {table.name: frame_of(table) for table in tables}
