"""Which rows a text names: by their own names, by values that they share, in any table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from veridical.evidence.column import Kind
from veridical.evidence.moment import find_moments
from veridical.evidence.table import Cell, Table
from veridical.gate.kernel.value import Selection
from veridical.gate.references.leaves import Leaf, RowSet
from veridical.gate.references.shown import Piece
from veridical.gate.references.times import TIMES, cell_moment
from veridical.gate.references.typed import TypedName

_NAMING = (Kind.NAME, Kind.CODE, Kind.PERIOD, Kind.DAY, Kind.MOMENT)


@dataclass(frozen=True, slots=True)
class Mention:
    """Rows that a text names or describes."""

    start: int
    end: int
    rows: RowSet
    own: RowSet | None = None
    """The rows that were asked for, which may be fewer than share the name."""
    values: frozenset[str] = frozenset()
    in_claim: bool = False
    item: int | None = None
    is_name: bool = True
    is_whole: bool = False
    """Whether it is of all rows of its table."""
    is_hint: bool = False
    """Whether it only helps: a time of the question, what a claim is about."""

    def names(self, leaf: Leaf, *, item: int | None = None) -> bool:
        """Whether it names exactly the rows that a figure is about."""
        if self.rows == leaf.row_set:
            return True
        if self.own == leaf.row_set and (item is not None and item == self.item):
            return True
        return bool(self.values & telling_values(leaf))

    def concerns(self, leaf: Leaf) -> bool:
        """Whether it names rows of the same table, or of one with the same names."""
        mine, its = self.rows[0], leaf.row_set[0]
        if mine == its or its.startswith(f"{mine}/") or mine.startswith(f"{its}/"):
            return True
        return bool(self.values & _all_values(leaf.rows.table))

    def is_wider(self, leaf: Leaf) -> bool:
        """Whether it names more rows than these."""
        return self.rows[0] == leaf.row_set[0] and self.rows[1] > leaf.row_set[1]


def piece_mention(piece: Piece) -> Mention | None:
    """What a name in the shown text names."""
    if piece.rows is None:
        return None
    own = piece.own
    if own is None and piece.leaves:
        own = piece.leaves[0].rows
    return Mention(
        piece.start,
        piece.end,
        _row_set(piece.rows),
        _row_set(own) if own is not None else None,
        _shared(piece.rows),
        piece.claim is not None,
        piece.item,
        is_whole=frozenset(piece.rows.rows) == frozenset(piece.rows.table.members),
    )


def typed_mentions(name: TypedName) -> Iterator[Mention]:
    """What a typed name names, in each table that has it."""
    for rows in name.rows:
        values = frozenset({name.text})
        yield Mention(name.start, name.end, rows, None, values, False, name.item)


def quoted_mentions(piece: Piece, tables: Sequence[Table]) -> Iterator[Mention]:
    """The rows of a time that is copied from the question."""
    for found in find_moments(piece.text):
        for table in tables:
            at = next((n for n, each in enumerate(table.columns) if each.kind in TIMES), None)
            if at is None:
                continue
            rows = frozenset(
                row
                for row in table.members
                if (its := cell_moment(table.rows[row][at])) and found.moment.covers(its)
            )
            if rows:
                where = (table.name, rows)
                yield Mention(piece.start, piece.end, where, is_name=False, is_hint=True)


def telling_values(leaf: Leaf) -> frozenset[str]:
    """The values by which exactly these rows go."""
    return _telling(leaf.rows.table.name, leaf.rows.rows, _ByIdentity(leaf.rows.table))


class _ByIdentity:
    """A table as a key: the same one, whatever it holds."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def __hash__(self) -> int:
        return id(self.table)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and other.table is self.table


@cache
def _telling(name: str, rows: tuple[int, ...], key: _ByIdentity) -> frozenset[str]:
    table, wanted = key.table, frozenset(rows)
    found: set[str] = set()
    for at, column in enumerate(table.columns):
        if column.kind not in _NAMING or not wanted:
            continue
        values = {spelt(table.rows[row][at]) for row in wanted}
        if len(values) != 1 or None in values:
            continue
        value = next(iter(values))
        every = {row for row, cells in enumerate(table.rows) if spelt(cells[at]) == value}
        if frozenset(every) == wanted and value is not None:
            found.add(value)
    return frozenset(found)


def _shared(selection: Selection) -> frozenset[str]:
    """The values that all of some rows share, and no other row has."""
    return telling_values(Leaf(selection, (), "rows"))


def _all_values(table: Table) -> frozenset[str]:
    return _every_value(_ByIdentity(table))


@cache
def _every_value(key: _ByIdentity) -> frozenset[str]:
    table = key.table
    return frozenset(
        value
        for at, column in enumerate(table.columns)
        if column.kind in _NAMING
        for row in table.rows
        if (value := spelt(row[at])) is not None
    )


def spelt(cell: Cell) -> str | None:
    """A cell as names are compared."""
    return None if cell is None else str(cell).casefold().strip()


def _row_set(selection: Selection) -> RowSet:
    return (selection.table.name, frozenset(selection.rows))


def narrowed(mentions: Sequence[Mention], leaf: Leaf) -> bool:
    """Whether several names together leave only these rows: a tour and its language."""
    wide = [each.rows[1] for each in mentions if each.is_wider(leaf)]
    return len(wide) > 1 and frozenset.intersection(*wide) == leaf.row_set[1]
