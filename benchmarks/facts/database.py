"""The typed cells of evidence in DuckDB, so that somebody else may compute over them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import Any

import duckdb

from veridical.evidence.column import Additivity, CellKind
from veridical.evidence.dimension import NUMBER, Dimension
from veridical.evidence.moment import Moment, of_date, read_moment
from veridical.evidence.table import Cell, EvidenceTable

TIMES = (CellKind.PERIOD, CellKind.DAY, CellKind.MOMENT)
PARTS = ("y", "h", "q", "m", "w", "d", "t")
"""Year, half, quarter, month, week, day, clock in minutes."""
_SQL_TYPES = {CellKind.FIGURE: "DOUBLE", CellKind.FLAG: "BOOLEAN"}


@dataclass(frozen=True, slots=True)
class Field:
    """A column: ``c0`` its cells in base units, ``k0`` as folded text, and of a time ``o0`` its
    order, ``s0`` its seconds and its parts."""

    name: str
    at: int
    kind: CellKind
    dimension: Dimension
    scale: float
    additivity: Additivity
    is_key: bool

    @property
    def names(self) -> list[str]:
        """Its columns in SQL."""
        found = [f"c{self.at}", f"k{self.at}"]
        if self.kind in TIMES:
            found += [f"o{self.at}", f"s{self.at}", *(f"{part}{self.at}" for part in PARTS)]
        return found


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows that a claim may be about: a result, two joined, or columns as items."""

    view: str
    result: str
    fields: tuple[Field, ...]
    cells: dict[int, tuple[Cell, ...]]
    members: tuple[int, ...]
    """All but totals."""
    naming: tuple[int, ...] = ()
    results: frozenset[str] = frozenset()
    held: dict[str, Cell] = field(default_factory=dict[str, Cell])

    def field(self, name: str) -> Field | None:
        """A column by its name."""
        folded = name.casefold()
        return next((each for each in self.fields if each.name.casefold() == folded), None)


class Database:
    """One evidence."""

    def __init__(self, tables: Sequence[EvidenceTable]) -> None:
        self.connection = duckdb.connect(":memory:", config={"threads": 1})
        self.results = {table.name: self._loaded(table) for table in tables}
        self._views: dict[str, Rows] = {}

    def close(self) -> None:
        """Gives the memory back."""
        self.connection.close()

    def all(self, sql: str) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        return self.connection.execute(sql).fetchall()

    def joined(self, left: Rows, right: Rows, on: tuple[str, str]) -> Rows:
        """Rows of both with the same key."""
        key = f"{left.view}_{right.view}_{on}"
        if key not in self._views:
            self._views[key] = self._join(left, right, on)
        return self._views[key]

    def _join(self, left: Rows, right: Rows, on: tuple[str, str]) -> Rows:
        one, other = left.field(on[0]), right.field(on[1])
        assert one is not None
        assert other is not None
        view = f"j{len(self._views)}"
        fields, taken = list(left.fields), {each.name.casefold() for each in left.fields}
        selected = [f"l.{name}" for each in left.fields for name in each.names]
        for each in right.fields:
            if each.at == other.at:
                continue
            name = f"{right.result}.{each.name}" if each.name.casefold() in taken else each.name
            again = replace(each, name=name, at=len(fields), is_key=False)
            pairs = zip(each.names, again.names, strict=True)
            selected += [f"r.{old} AS {new}" for old, new in pairs]
            fields.append(again)
        self.connection.execute(
            f"CREATE VIEW {view} AS SELECT l.rid, {', '.join(selected)} FROM {left.view} l "
            f"JOIN {right.view} r ON l.k{one.at} = r.k{other.at} AND NOT l.total AND NOT r.total "
            f"AND l.k{one.at} <> ''"
        )
        rids = [row[0] for row in self.all(f"SELECT rid FROM {view} ORDER BY rid")]
        cells = {rid: left.cells[rid] for rid in rids}
        return Rows(view, left.result, tuple(fields), cells, tuple(rids), left.naming,
                    left.results | right.results, {**right.held, **left.held})  # fmt: skip

    def items(self, rows: Rows, names: Iterable[str], rid: int) -> Rows:
        """Columns of one row as rows."""
        fields = list(dict.fromkeys(filter(None, map(rows.field, names))))
        view = f"i{len(self._views)}"
        short = [each.name.rpartition(".")[2].replace("_", " ") for each in fields]
        labels = short if len(set(short)) == len(short) else [each.name for each in fields]
        parts = [
            f"SELECT {at} AS rid, {quoted(label)} AS c0, {quoted(folded(label))} AS k0, "
            f"c{each.at} AS c1, k{each.at} AS k1 FROM {rows.view} WHERE rid = {rid}"
            for at, (label, each) in enumerate(zip(labels, fields, strict=True))
        ]
        self.connection.execute(f"CREATE VIEW {view} AS {' UNION ALL '.join(parts)}")
        never = any(each.additivity is Additivity.NEVER for each in fields)
        adds = Additivity.NEVER if never else Additivity.FULL
        item = Field("item", 0, CellKind.NAME, NUMBER, 1.0, Additivity.NEVER, is_key=True)
        value = replace(fields[0], name="value", at=1, additivity=adds, is_key=False)
        found = Rows(view, rows.result, (item, value),
                     {at: (label,) for at, label in enumerate(labels)},
                     tuple(range(len(labels))), (0,), rows.results)  # fmt: skip
        self._views[view] = found
        return found

    def _loaded(self, table: EvidenceTable) -> Rows:
        fields = tuple(_field(each, at) for at, each in enumerate(table.columns))
        declared = ["rid INTEGER", "total BOOLEAN"]
        for each in fields:
            names = each.names
            types = [_SQL_TYPES.get(each.kind, "VARCHAR"), "VARCHAR", "VARCHAR", "DOUBLE"]
            types += ["INTEGER"] * len(PARTS)
            declared += [f"{name} {kind}" for name, kind in zip(names, types, strict=False)]
        self.connection.execute(f"CREATE TABLE {table.name} ({', '.join(declared)})")
        cells = dict(enumerate(table.rows))
        lines = [
            [
                rid,
                rid in table.totals,
                *(v for each in fields for v in _columns(each, row[each.at])),
            ]
            for rid, row in cells.items()
        ]
        if lines:
            marks = ", ".join("?" * len(lines[0]))
            self.connection.executemany(f"INSERT INTO {table.name} VALUES ({marks})", lines)
        members = tuple(rid for rid in cells if rid not in table.totals)
        return Rows(table.name, table.name, fields, cells, members, tuple(table.naming),
                    frozenset({table.name}), dict(table.held))  # fmt: skip


def _field(column: Any, at: int) -> Field:
    dimension = column.dimension or NUMBER
    return Field(column.name, at, column.kind, replace(dimension, factor=1.0), dimension.factor,
                 column.additivity, column.is_key)  # fmt: skip


def _columns(field: Field, cell: Cell) -> list[Any]:
    if field.kind is CellKind.FIGURE:
        value = cell * field.scale if isinstance(cell, float) else None
        return [value, folded(cell)]
    if field.kind is CellKind.FLAG:
        return [cell, folded(cell)]
    text = cell.isoformat() if isinstance(cell, date) else cell
    if field.kind not in TIMES:
        return [text, folded(cell)]
    when = moment(cell)
    parts = [None] * len(PARTS) if when is None else parts_of(when)
    return [text, folded(cell), order(cell), _seconds(cell), *parts]


def moment(cell: Any) -> Moment | None:
    """The time that a cell names; reading evidence is trusted."""
    if isinstance(cell, date):
        return of_date(cell)
    return read_moment(cell) if isinstance(cell, str) else None


def parts_of(when: Moment) -> list[int | None]:
    """The parts of a time, as far as it says them."""
    clock = when.clock[0] * 60 + when.clock[1] if when.clock else None
    return [when.year, when.half, when.quarter, when.month, when.week, when.day, clock]


def order(cell: Any) -> str | None:
    """A text that sorts as times come one after another."""
    if isinstance(cell, datetime):
        at = cell.astimezone(UTC) if cell.tzinfo else cell
        return f"{at:%Y %m 00 %d %H %M %S %f}"
    when = moment(cell)
    if when is None:
        return None
    month = when.month or (when.quarter or 0) * 3 or (when.half or 0) * 6
    hour, minute = when.clock or (0, 0)
    return (f"{when.year or 0:04d} {month:02d} {when.week or 0:02d} {when.day or 0:02d} "
            f"{hour:02d} {minute:02d}")  # fmt: skip


def _seconds(cell: Any) -> float | None:
    if isinstance(cell, datetime):
        return (cell if cell.tzinfo else cell.replace(tzinfo=UTC)).timestamp()
    when = moment(cell)
    day = when.as_day if when is not None else None
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() if day else None


def folded(cell: Any) -> str:
    """A cell as people write it, without case."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, date):
        return cell.isoformat().casefold()
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() else repr(cell)
    return " ".join(str(cell).casefold().split())


def quoted(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"


def rows_named(rows: Rows, name: str, within: Sequence[int] | None = None) -> list[int]:
    """The rows of a name: a cell that is spelt so, a time that covers theirs, or several cells one
    after another."""
    allowed = [rid for rid in rows.cells if within is None or rid in within]
    wanted = folded(name)
    columns = list(dict.fromkeys((*rows.naming, *range(len(rows.fields)))))
    width = min((len(cells) for cells in rows.cells.values()), default=0)
    columns = [at for at in columns if at < width]
    for at in columns:
        found = [rid for rid in allowed if rows.cells[rid][at] is not None
                 and folded(rows.cells[rid][at]) == wanted]  # fmt: skip
        if found:
            return found
    when = moment(name)
    for at in columns if when else ():
        if when and rows.fields[at].kind in TIMES:
            found = [rid for rid in allowed
                     if (its := moment(rows.cells[rid][at])) and when.covers(its)]  # fmt: skip
            if found:
                return found
    return [rid for rid in allowed if is_called(rows.cells[rid], name)]


def is_called(cells: Sequence[Any], name: str, place: int | None = None) -> bool:
    """Whether some of a row's cells make a name; a row without one has a
    number."""
    if not name or (place is not None and name == f"#{place + 1}"):
        return True
    return any(
        _spells([write(cell) for cell in cells if cell is not None], name) for write in (str, _iso)
    )


def _spells(texts: list[str], name: str) -> bool:
    if not name:
        return True
    for at, text in enumerate(texts):
        if folded(name) == folded(text):
            return True
        if folded(name).startswith(folded(text) + " ") and _spells(
            texts[:at] + texts[at + 1 :], name[len(text) + 1 :]
        ):
            return True
    return False


def _iso(cell: Any) -> str:
    return cell.isoformat() if isinstance(cell, date) else str(cell)
