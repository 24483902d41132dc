"""The rows of a claim as the database has them: who is in scope, and what was measured of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from benchmarks.facts.database import TIMES, Database, Rows, folded, order, rows_named
from benchmarks.facts.measure_sql import Writer, has_aggregate, has_cells, read
from benchmarks.facts.sql_value import Sql, UnknownError
from veridical.evidence.column import Additivity, CellKind
from veridical.evidence.dimension import Quantity


class Claim(Protocol):
    """What a fact says, as its host states it."""

    @property
    def form(self) -> str: ...
    @property
    def result(self) -> str: ...
    @property
    def arguments(self) -> Mapping[str, Any]: ...
    @property
    def values(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Measured:
    """One value: in base units, in the unit of its column, and by what it is sorted."""

    value: Any
    plain: Any
    key: Any


NOTHING = Measured(None, None, None)
MOST_STATED = 200
"""Rows that a claim states."""


@dataclass(frozen=True, slots=True)
class Record:
    """A row, or a group of rows."""

    place: int
    cells: tuple[Any, ...]
    rids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """The rows that a claim is about."""

    rows: Rows
    of: tuple[int, ...]
    rids: tuple[int, ...]
    pool: tuple[int, ...]
    by: tuple[str, ...] = ()


class Reader:
    """Reads one evidence for claims."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def scope(
        self, claim: Claim, *, named: bool = True, met: bool = True, items: bool = True
    ) -> Scope:
        """What ``where``, ``rows``, ``join``, ``among`` and ``by`` of a claim say."""
        given = claim.arguments
        rows = self.database.results[claim.result]
        if "join" in given:
            other, left, right = given["join"]
            rows = self.database.joined(rows, self.database.results[other], (left, right))
        names = given.get("rows", ()) if named else ()
        where = given.get("where", "") if met else ""
        of = rows.members
        if names:
            of = tuple(dict.fromkeys(r for name in names for r in rows_named(rows, name)))
        pool = self._meeting(rows, rows.members, rows.members, where)
        rids = self._meeting(rows, of, rows.members, where) if names else pool
        if "among" in given and items:
            if len(rids) != 1:
                raise UnknownError("severalRows")
            rows = self.database.items(rows, given["among"], rids[0])
            return Scope(rows, rows.members, rows.members, rows.members)
        return Scope(rows, of, rids, pool, tuple(given.get("by", ())))

    def _meeting(
        self, rows: Rows, of: Sequence[int], among: Sequence[int], where: str
    ) -> tuple[int, ...]:
        if not where or not of:
            return tuple(of)
        condition = Writer(self.database, rows, among).condition(read(where))
        listed = ", ".join(map(str, of))
        sql = f"SELECT rid FROM {rows.view} WHERE rid IN ({listed}) AND ({condition})"
        met = {row[0] for row in self.database.all(sql)}
        return tuple(rid for rid in of if rid in met)

    def records(self, scope: Scope) -> list[Record]:
        """The rows in scope, or their groups by first appearance."""
        rows = scope.rows
        if not scope.by:
            return [Record(place, rows.cells[rid], (rid,)) for place, rid in enumerate(scope.rids)]
        keys = [rows.field(name) for name in scope.by]
        assert all(key is not None for key in keys)
        columns = ", ".join(f"c{key.at}" for key in keys if key is not None)
        listed = ", ".join(map(str, scope.rids)) or "NULL"
        groups: dict[tuple[Any, ...], list[int]] = {}
        sql = f"SELECT rid, {columns} FROM {rows.view} WHERE rid IN ({listed})"
        found = {row[0]: row[1:] for row in self.database.all(sql)}
        for rid in scope.rids:
            if all(cell is not None for cell in found[rid]):
                groups.setdefault(found[rid], []).append(rid)
        return [Record(place, self._cells(rows, rids[0], keys), tuple(rids))
                for place, rids in enumerate(groups.values())]  # fmt: skip

    def _cells(self, rows: Rows, rid: int, keys: Sequence[Any]) -> tuple[Any, ...]:
        width = len(rows.cells[rid])
        return tuple(rows.cells[rid][key.at] for key in keys if key.at < width)

    def measured(
        self, text: str, scope: Scope, records: Sequence[Record], function: str = "sum",
        percent: str = "",
    ) -> list[Measured]:  # fmt: skip
        """A measure of each record."""
        if not scope.by:
            return self.of_rows(text, scope, percent)
        return [self.of_all(text, scope, each.rids, function) for each in records]

    def of_rows(self, text: str, scope: Scope, percent: str = "") -> list[Measured]:
        """A measure of each row in scope; aggregates beside its cells are over all that meet the
        condition."""
        node = read(text)
        mixed = has_aggregate(node) and has_cells(node, scope.rows)
        writer = Writer(self.database, scope.rows, scope.pool if mixed else scope.rids)
        found = writer.write(node)
        if not scope.rids:
            return []
        key = f"o{found.field.at}" if found.field is not None and found.kind in TIMES else "NULL"
        if not found.of_rows:
            value = self.database.all(f"SELECT {found.text}")[0][0]
            return [_measured(found, value, None, percent)] * len(scope.rids)
        listed = ", ".join(map(str, scope.rids))
        sql = f"SELECT rid, {found.text}, {key} FROM {scope.rows.view} WHERE rid IN ({listed})"
        values = {row[0]: _measured(found, row[1], row[2], percent)
                  for row in self.database.all(sql)}  # fmt: skip
        return [values[rid] for rid in scope.rids]

    def of_all(self, text: str, scope: Scope, rids: Sequence[int], function: str = "") -> Measured:
        """A measure of some rows as one value; a column by this function."""
        node = read(text)
        if function and not has_aggregate(node):
            node = read(f"{function}({text})")
        found = Writer(self.database, scope.rows, rids).write(node)
        if found.of_rows:
            raise UnknownError("severalRows")
        return _measured(found, self.database.all(f"SELECT {found.text}")[0][0], None, "")

    def one(
        self, text: str, scope: Scope, *, beside: bool = False, summed: bool = False
    ) -> Measured:
        """The one value of a measure over the rows in scope."""
        node = read(text)
        cells, whole = has_cells(node, scope.rows), has_aggregate(node)
        if not cells:
            return self.of_all(text, scope, scope.pool if beside else scope.rids)
        found = self.of_rows(text, scope)
        if len(found) == 1:
            return found[0]
        if not summed or whole:
            raise UnknownError("severalRows")
        return self.of_all(text, scope, scope.rids, "sum")

    def sum_of(self, text: str, scope: Scope, records: Sequence[Record]) -> float | None:
        """All records of a measure together; rates and balances over time have no sum."""
        if not scope.by:
            return self.of_all(text, scope, scope.rids, "sum").value
        node = read(text)
        inner = node if not has_aggregate(node) else None
        name = str(getattr(node, "this", "")).removeprefix("f_")
        if inner is None and name not in ("sum", "total", "count"):
            raise UnknownError("notAdditive")
        if inner is not None:
            of = Writer(self.database, scope.rows, scope.rids).write(inner)
            times = [scope.rows.field(each) for each in scope.by]
            timed = any(each is not None and each.kind in TIMES for each in times)
            if of.additivity is Additivity.NOT_OVER_TIME and timed and len(records) > 1:
                raise UnknownError("notAdditive")
        known = [each.value for each in self.measured(text, scope, records)
                 if each.value is not None]  # fmt: skip
        return sum(known) if known else None


def _measured(found: Sql, value: Any, key: Any, percent: str) -> Measured:
    if value is None:
        return NOTHING
    if found.kind is CellKind.FIGURE:
        number = float(value)
        bare = percent == "percent" and found.dimension.quantity is Quantity.NUMBER
        scale = 1.0 if bare else found.scale
        return Measured(number, number / scale, number)
    if found.kind in TIMES:
        return Measured(value, value, key if key is not None else order(value))
    return Measured(value, value, folded(value))


def sorted_places(keys: Sequence[Any], *, descending: bool) -> list[int]:
    """The places by these keys, those without one last."""
    known = [at for at, key in enumerate(keys) if key is not None]
    by: Callable[[int], Any] = keys.__getitem__
    known.sort(key=by, reverse=descending)
    return known + [at for at, key in enumerate(keys) if key is None]
