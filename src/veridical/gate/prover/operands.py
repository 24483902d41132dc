"""Which rows a figure may be of, and which it may be compared with."""

from collections.abc import Iterator, Sequence

from veridical.evidence.column import Kind
from veridical.gate.prover.facts import FactReader
from veridical.gate.prover.scope import RowSet, Scope

_FEW_ROWS = 12
_MOST_ROWS = 30
_MOST_GROUPS = 20


class Operands:
    """The selections of rows that the search looks at, nearest first."""

    def __init__(self, facts: FactReader) -> None:
        self._facts = facts
        self._rows = tuple(
            (table, frozenset({row}))
            for table, rows in enumerate(facts.members)
            for row in sorted(rows)
        )
        self._totals = tuple(
            (at, frozenset({row})) for at, table in enumerate(facts.tables) for row in table.totals
        )
        self._groups: tuple[RowSet, ...] | None = None

    def own(self, scope: Scope) -> list[RowSet]:
        """The rows whose own figures it may show: never those of a row that it does not name."""
        if scope.bound:
            several = _several(scope.named)
            return [
                *(*scope.bound, *_each(scope.bound)),
                *(*several, *scope.whole, *_several(scope.carried)),
            ]
        if scope.is_total:
            return [*scope.whole, *scope.carried]
        if scope.named:
            return [*scope.named, *_each(scope.named), *scope.carried, *scope.whole]
        if any(len(rows) == 1 for _, rows in scope.carried) and not scope.in_table:
            return [*scope.carried, *_each(scope.carried), *scope.whole]
        groups = self.groups() if scope.in_table else ()
        return [*scope.carried, *scope.whole, *self._rows, *self._totals, *groups]

    def near(self, scope: Scope) -> list[RowSet]:
        """The rows of which one side of a combination must be."""
        if scope.bound:
            wide = scope.whole if scope.is_total else ()
            return list(dict.fromkeys([*scope.bound, *_several(scope.named), *wide]))
        if scope.is_total:
            return list(scope.whole)
        rows = () if scope.named else self._rows[:_MOST_ROWS]
        return list(dict.fromkeys([*scope.named, *scope.carried, *scope.whole, *rows]))

    def far(self, scope: Scope, near: Sequence[RowSet]) -> list[RowSet]:
        """The rows of which the other side may be: also the row before, and namesakes."""
        wide = [*near, *scope.carried, *scope.whole, *scope.named]
        for table, rows in near:
            if len(rows) == 1:
                wide += self._siblings(table, next(iter(rows)))
        return list(dict.fromkeys(wide))

    def _siblings(self, table: int, row: int) -> Iterator[RowSet]:
        if self._is_series(table) and row - 1 in self._facts.members[table]:
            yield table, frozenset({row - 1})
        mine = self._facts.tables[table]
        if not mine.naming:
            return
        name = mine.rows[row][mine.naming[0]]
        for at, other in enumerate(self._facts.tables):
            if at == table or not other.naming:
                continue
            for number, cells in enumerate(other.rows):
                if cells[other.naming[0]] == name:
                    yield at, frozenset({number})

    def _is_series(self, table: int) -> bool:
        return any(
            column.is_key and column.kind in (Kind.PERIOD, Kind.DAY)
            for column in self._facts.tables[table].columns
        )

    def groups(self) -> tuple[RowSet, ...]:
        """Rows that share a value: what a name in another language may mean."""
        if self._groups is None:
            self._groups = tuple(self._grouped())
        return self._groups

    def _grouped(self) -> Iterator[RowSet]:
        for at, table in enumerate(self._facts.tables):
            for number, column in enumerate(table.columns):
                if column.kind not in (Kind.NAME, Kind.CODE, Kind.FLAG) or column.is_key:
                    continue
                groups: dict[object, set[int]] = {}
                for row in self._facts.members[at]:
                    groups.setdefault(table.rows[row][number], set()).add(row)
                if 1 < len(groups) <= _MOST_GROUPS:
                    yield from ((at, frozenset(each)) for each in groups.values())


def _several(sets: Sequence[RowSet]) -> list[RowSet]:
    return [each for each in sets if len(each[1]) > 1]


def _each(sets: Sequence[RowSet]) -> list[RowSet]:
    """Each row of a few by itself."""
    return [
        (table, frozenset({row}))
        for table, rows in sets
        if 1 < len(rows) <= _FEW_ROWS
        for row in sorted(rows)
    ]
