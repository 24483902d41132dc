"""A typed table: one result behind an answer, under the name that references use."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property

from veridical.contracts.language import Language
from veridical.contracts.result import Emptiness, KnownQuestion
from veridical.evidence.column import TIMES, CellKind, Column
from veridical.ontology.judgement import Judgement
from veridical.ontology.printed import Noun

Cell = float | str | bool | date | datetime | None
Row = tuple[Cell, ...]


@dataclass(frozen=True)
class EvidenceTable:
    """Rows with typed columns, and the facts of their receipt."""

    name: str
    """``r1``, ``r2`` …"""
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    title: str = ""
    """Its origin: the tool, the path within a record."""
    totals: frozenset[int] = frozenset()
    """Rows that sum up the others, and are none of them."""
    held: Mapping[str, Cell] = field(default_factory=dict[str, Cell])
    """Values that every row has because the call filtered for them."""
    truncated: bool = False
    row_count: int | None = None
    """The number of all rows; none if unknown."""
    nouns: Mapping[Language, Noun] = field(default_factory=dict[Language, Noun])
    """The nouns for its rows, if each is one row of an entity."""
    judgements: tuple[Judgement, ...] = ()
    """Conditions on its rows that have a name; their fields are columns of this table."""
    passages: tuple[str, ...] = ()
    """Running text that came with the rows."""
    emptiness: Emptiness | None = None
    known: KnownQuestion | None = None
    """The known question that it answers, if there is one."""
    asked_on: date | None = None
    """The day that judgements of today mean."""

    @cached_property
    def members(self) -> tuple[int, ...]:
        """The rows that are counted and added up: all but totals."""
        return tuple(row for row in range(len(self.rows)) if row not in self.totals)

    def column(self, name: str) -> int | None:
        """The place of a column; none if there is no such column."""
        return self._places.get(name.casefold())

    @cached_property
    def _places(self) -> dict[str, int]:
        places = reversed(list(enumerate(self.columns)))  # of two of a name, the first counts
        return {each.name.casefold(): at for at, each in places}

    @cached_property
    def naming(self) -> tuple[int, ...]:
        """The columns that name rows, the best first: unique names, codes, other names; those of
        units last, which are printed with the figures."""
        units = self.unit_columns
        ranked = [(at in units, _rank(column), at) for at, column in enumerate(self.columns)]
        return tuple(at for _, rank, at in sorted(ranked) if rank < len(_RANKS))

    @cached_property
    def unit_columns(self) -> frozenset[int]:
        """The columns that name the units of figures."""
        named = {each.unit_column.casefold() for each in self.columns if each.unit_column}
        if not named:
            return frozenset()
        return frozenset(
            at for at, each in enumerate(self.columns) if each.name.casefold() in named
        )

    def is_of_one_time(self, rows: Collection[int]) -> bool:
        """True if rows are of the same time, or of things whose days are another matter."""
        if any(each.is_key and each.kind is CellKind.NAME for each in self.columns):
            return True  # each row is a thing of its own: its days are when it was opened or is due
        numbered = any(each.is_key and each.kind is CellKind.CODE for each in self.columns)
        for at, column in enumerate(self.columns):
            if column.kind not in TIMES:
                continue
            times = len({self.rows[row][at] for row in rows})
            # numbers may count entries of the same thing, one for each period
            repeats = times < len(rows)
            if times > 1 and (not numbered or repeats or column.kind is CellKind.PERIOD):
                return False
        return True


_RANKS = (
    *((True, kind) for kind in (CellKind.NAME, CellKind.CODE, *TIMES)),
    (False, CellKind.NAME),
)


def _rank(column: Column) -> int:
    found = (column.is_key, column.kind)
    return _RANKS.index(found) if found in _RANKS else len(_RANKS)
