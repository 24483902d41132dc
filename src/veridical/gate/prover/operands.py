"""The rows that a figure may be of, and those that it may be compared with."""

from collections.abc import Iterator, Sequence

from veridical.evidence.column import CellKind
from veridical.evidence.table import EvidenceTable
from veridical.gate.prover.facts import FactReader
from veridical.gate.prover.scope import FigureScope, RowSet

_FEW_ROWS = 12
_MOST_ROWS = 30
_MOST_GROUPS = 20
_SHORTEST = 4


class Operands:
    """The selections of rows that the search looks at, nearest first."""

    def __init__(self, facts: FactReader) -> None:
        self._facts = facts
        self._rows_of = tuple(
            [(table, frozenset({row})) for row in sorted(rows)]
            for table, rows in enumerate(facts.members)
        )
        self._rows = tuple(row for rows in self._rows_of for row in rows)
        self._totals = tuple(
            (at, frozenset({row})) for at, table in enumerate(facts.tables) for row in table.totals
        )
        self._groups: tuple[RowSet, ...] | None = None
        self.naming = tuple(next(iter(table.naming), None) for table in facts.tables)
        """For each table the column that names its rows best."""
        self._series = tuple(
            any(
                each.is_key and each.kind in (CellKind.PERIOD, CellKind.DAY)
                for each in table.columns
            )
            for table in facts.tables
        )
        self._named = self._by_name() if len(facts.tables) > 1 else {}

    def first(self, table: int, many: int) -> list[RowSet]:
        """The first rows of a table, each by itself."""
        return self._rows_of[table][:many]

    def own(self, scope: FigureScope) -> list[RowSet]:
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
        if not self.is_open(scope):
            return [*scope.carried, *_each(scope.carried), *scope.whole]
        groups = self.groups() if scope.in_table else ()
        return [*scope.carried, *scope.whole, *self._totals, *groups]

    def is_open(self, scope: FigureScope) -> bool:
        """True if it names no rows at all, so that the cell of any row may be meant."""
        if scope.bound or scope.is_total or scope.named:
            return False
        return scope.in_table or all(len(rows) != 1 for _, rows in scope.carried)

    def near(self, scope: FigureScope) -> list[RowSet]:
        """The rows for one side of a combination."""
        if scope.bound:
            wide = scope.whole if scope.is_total else ()
            return list(dict.fromkeys([*scope.bound, *_several(scope.named), *wide]))
        if scope.is_total:
            return list(scope.whole)
        rows = () if scope.named else self._rows[:_MOST_ROWS]
        return list(dict.fromkeys([*scope.named, *scope.carried, *scope.whole, *rows]))

    def far(self, scope: FigureScope, near: Sequence[RowSet]) -> list[RowSet]:
        """The rows for the other side: also the row before, and namesakes."""
        wide = [*near, *scope.carried, *scope.whole, *scope.named]
        for table, rows in near:
            if len(rows) == 1:
                wide += self.siblings(table, next(iter(rows)))
        return list(dict.fromkeys(wide))

    def siblings(self, table: int, row: int) -> Iterator[RowSet]:
        """The row before, and rows of the same name in other results."""
        if self._series[table] and row - 1 in self._facts.members[table]:
            yield table, frozenset({row - 1})
        naming = self.naming[table]
        if naming is None:
            return
        for other in self._named.get(self._facts.tables[table].rows[row][naming], ()):
            if other[0] != table:
                yield other

    def _by_name(self) -> dict[object, list[RowSet]]:
        found: dict[object, list[RowSet]] = {}
        for at, (table, naming) in enumerate(zip(self._facts.tables, self.naming, strict=True)):
            for number, cells in enumerate(table.rows if naming is not None else ()):
                found.setdefault(cells[naming or 0], []).append((at, frozenset({number})))
        return found

    def groups(self) -> tuple[RowSet, ...]:
        """Rows that share a value: a name in another language may mean them."""
        if self._groups is None:
            self._groups = tuple(self._grouped())
        return self._groups

    def _grouped(self) -> Iterator[RowSet]:
        for at, table in enumerate(self._facts.tables):
            for number, column in enumerate(table.columns):
                if (
                    column.kind not in (CellKind.NAME, CellKind.CODE, CellKind.FLAG)
                    or column.is_key
                ):
                    continue
                groups: dict[object, set[int]] = {}
                for row in self._facts.members[at]:
                    groups.setdefault(table.rows[row][number], set()).add(row)
                if 1 < len(groups) <= _MOST_GROUPS:
                    yield from ((at, frozenset(each)) for each in groups.values())
            yield from ((at, rows) for rows in self._of_words(table, self._facts.members[at]))

    @staticmethod
    def _of_words(table: EvidenceTable, members: frozenset[int]) -> Iterator[frozenset[int]]:
        """Rows whose names share a word: both airports."""
        naming = next(iter(table.naming), None)
        shared: dict[str, set[int]] = {}
        for row in members if naming is not None and len(members) <= _MOST_ROWS else ():
            for word in str(table.rows[row][naming or 0]).casefold().split():
                if len(word) >= _SHORTEST:
                    shared.setdefault(word, set()).add(row)
        found = {frozenset(rows) for rows in shared.values() if 1 < len(rows) < len(members)}
        yield from sorted(found, key=sorted)[:_MOST_GROUPS]


def _several(sets: Sequence[RowSet]) -> list[RowSet]:
    return [each for each in sets if len(each[1]) > 1]


def _each(sets: Sequence[RowSet]) -> list[RowSet]:
    """The single rows of small selections."""
    return [
        (table, frozenset({row}))
        for table, rows in sets
        if 1 < len(rows) <= _FEW_ROWS
        for row in sorted(rows)
    ]
