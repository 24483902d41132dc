"""The rows that a fact is computed over: a result, two joined, or columns taken as items."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from veridical.evidence.column import Additivity, Column, Kind
from veridical.evidence.moment import Moment, of_date, read_moment
from veridical.evidence.table import Cell, Table
from veridical.facts.kernel.judged import Named, judged_by
from veridical.facts.kernel.value import FactError, Reason, Scalar, Value, Vector

TIMES = (Kind.PERIOD, Kind.DAY, Kind.MOMENT)
_NAMES = (Kind.NAME, Kind.CODE, Kind.PERIOD, Kind.DAY, Kind.MOMENT)
_MOST_DECIMALS = 4
_SAMPLE = 400
"""Rows whose decimals are looked at."""
_MOST_NAMING = 3


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A table with its columns as vectors, made when they are first asked for."""

    table: Table
    results: frozenset[str] = frozenset()
    """The results that it was made of."""
    known: dict[int, Vector] = field(default_factory=dict[int, Vector])

    @property
    def members(self) -> tuple[int, ...]:
        """All rows but totals."""
        return self.table.members

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns."""
        return tuple(column.name for column in self.table.columns)

    @property
    def judged(self) -> Named:
        """The conditions on its rows that have a name."""
        return judged_by(self.table)

    def column(self, name: str) -> int:
        """The place of a column by its name. Raises ``FactError``."""
        found = self.table.column(name)
        if found is None:
            found = self.table.column(name.rpartition(".")[2])
        if found is None:
            raise FactError(Reason.NO_COLUMN, name, self.columns)
        return found

    def whole(self, at: int) -> Vector:
        """A column of all rows."""
        known = self.known.get(at)
        if known is None:
            known = self.known[at] = _vector(self.table, at)
        return known

    def find(self, name: str, within: Sequence[int] | None = None) -> tuple[int, ...]:
        """The rows that a name stands for; totals count where they are named. Raises
        ``FactError``."""
        table = self.table
        among = range(len(table.rows)) if within is None else within
        wanted = " ".join(name.casefold().split())
        everywhere = tuple(dict.fromkeys((*table.naming, *range(len(table.columns)))))
        for at in everywhere:
            found = tuple(row for row in among if spelt(table.rows[row][at]) == wanted)
            if found:
                return found
        when = read_moment(name)
        for at in everywhere if when else ():
            found = tuple(
                row for row in among if (m := moment_of(table.rows[row][at])) and when.covers(m)
            )
            if found:
                return found
        return self._near(wanted, among)

    def _near(self, wanted: str, among: Iterable[int]) -> tuple[int, ...]:
        """The one row whose names are all in the text, or that has the text within its name."""
        naming = [at for at, column in enumerate(self.table.columns) if column.kind in _NAMES]
        rows = list(among)
        joined = {row: [spelt(self.table.rows[row][at]) for at in naming] for row in rows}
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
        """The columns that tell these rows apart, the fewest that do."""
        if wanted:
            return (self.column(wanted),)
        table = self.table
        found = table.naming
        if found and (table.columns[found[0]].is_key or len(rows) <= 1):
            return found[:1]
        usable = [
            at for at, column in enumerate(table.columns)
            if column.kind in _NAMES and any(table.rows[row][at] is not None for row in rows)
        ]  # fmt: skip
        chosen: list[int] = []
        best = 0
        for at in usable:
            count = len({tuple(table.rows[row][each] for each in (*chosen, at)) for row in rows})
            if count > best:
                chosen.append(at)
                best = count
            if best == len(rows) or len(chosen) == _MOST_NAMING:
                break
        return tuple(chosen)


def _covers(wanted: str, cells: Sequence[str]) -> bool:
    """Whether nothing of a text is left when these names are taken out of it."""
    rest = wanted
    for cell in sorted(filter(None, cells), key=len, reverse=True):
        rest = rest.replace(cell, " ", 1)
    return not any(sign.isalnum() for sign in rest)


def _vector(table: Table, at: int) -> Vector:
    column = table.columns[at]
    cells = [row[at] for row in table.rows]
    return _of_cells(column, cells)


def _of_cells(column: Column, cells: Sequence[Cell]) -> Vector:
    columns = frozenset({column.name})
    if column.kind is not Kind.FIGURE or column.dimension is None:
        return Vector(column.name, column.kind, cells, columns=columns)
    factor = column.dimension.factor
    digits = max((_decimals(cell) for cell in cells[:_SAMPLE]), default=0)
    values: Sequence[Scalar | None] = cells
    if factor != 1:
        values = [cell * factor if isinstance(cell, float) else None for cell in cells]
    base = replace(column.dimension, factor=1.0)
    return Vector(
        column.name, Kind.FIGURE, values, base, factor, digits, column.additivity, columns,
        column.decimals,
    )  # fmt: skip


def _decimals(cell: Cell) -> int:
    if not isinstance(cell, float) or cell.is_integer():
        return 0
    return len(f"{cell:.{_MOST_DECIMALS}f}".rstrip("0").partition(".")[2])


def frame_of(table: Table) -> Frame:
    """The frame of one result."""
    return Frame(table, frozenset({table.name}))


def joined(left: Frame, right: Frame, on: tuple[str, str]) -> Frame:
    """Rows of both with the same key; the right one must have it once. Raises ``FactError``."""
    one, other = left.column(on[0]), right.column(on[1])
    index: dict[str, int] = {}
    for row in right.members:
        key = spelt(right.table.rows[row][other])
        if key in index:
            raise FactError(Reason.SEVERAL_ROWS, key)
        if key:
            index[key] = row
    taken = {column.name.casefold() for column in left.table.columns}
    kept = [
        at for at, column in enumerate(right.table.columns)
        if at != other and column.name.casefold() not in taken
    ]  # fmt: skip
    pairs = [
        (row, index[key])
        for row in left.members
        if (key := spelt(left.table.rows[row][one])) in index
    ]
    rows = tuple(
        left.table.rows[row] + tuple(right.table.rows[match][at] for at in kept)
        for row, match in pairs
    )
    columns = (*left.table.columns, *(right.table.columns[at] for at in kept))
    held = {**right.table.held, **left.table.held}
    cut = left.table.truncated or right.table.truncated
    table = replace(
        left.table, columns=columns, rows=rows, totals=frozenset(), held=held, truncated=cut,
        row_count=None,
    )  # fmt: skip
    return Frame(table, left.results | right.results)


def as_items(frame: Frame, names: Sequence[str], rows: Sequence[int]) -> Frame:
    """Columns as items: one row for each, with its figure. Raises ``FactError``."""
    at = [frame.column(name) for name in names]
    vectors = [frame.whole(each) for each in at]
    if len(rows) != 1:
        raise FactError(Reason.SEVERAL_ROWS, ", ".join(names))
    first = vectors[0]
    if any(each.dimension != first.dimension or each.dimension is None for each in vectors):
        raise FactError(Reason.DIMENSIONS, ", ".join(names))
    values = [vector.values[rows[0]] for vector in vectors]
    column = Column("item", Kind.NAME, is_key=True)
    digits = max((vector.digits or 0) for vector in vectors)
    figures = Column("value", Kind.FIGURE, first.dimension, Additivity.FULL)
    table = Table(
        frame.table.name,
        (column, figures),
        tuple((_item(name), value) for name, value in zip(names, values, strict=True)),
        frame.table.title,
        held=frame.table.held,
    )
    found = Frame(table, frame.results)
    found.known[1] = Vector(
        "value", Kind.FIGURE, values, first.dimension, first.scale, digits,
        Additivity.NEVER if any(v.additivity is Additivity.NEVER for v in vectors)
        else Additivity.FULL,
        frozenset(names),
    )  # fmt: skip
    return found


def _item(name: str) -> str:
    """What an item is called: the last part of a nested column's name."""
    return name.rpartition(".")[2].replace("_", " ")


def spelt(cell: Cell) -> str:
    """A cell as a fact's author writes it."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return f"{cell:g}" if abs(cell) < 1e15 else str(cell)
    if isinstance(cell, datetime):
        return cell.isoformat(timespec="minutes").casefold()
    if isinstance(cell, date):
        return cell.isoformat()
    return " ".join(cell.casefold().split())


def moment_of(cell: Scalar | None) -> Moment | None:
    """The time that a cell names."""
    if isinstance(cell, date):
        return of_date(cell)
    return read_moment(cell) if isinstance(cell, str) else None


def order_of(cell: Scalar | None) -> tuple[float, ...] | None:
    """By which cells come one after another: figures, times, texts that name a time."""
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, float):
        return (cell,)
    found = moment_of(cell)
    return found.order if found is not None else None


def frames_of(tables: Sequence[Table]) -> Mapping[str, Frame]:
    """All results by their names."""
    return {table.name: frame_of(table) for table in tables}


def value_of(cell: Scalar, kind: Kind) -> Value:
    """A cell that is no figure."""
    return Value(kind, cell)
