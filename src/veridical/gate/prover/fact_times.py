"""The time of a fact: its column's, its rows' or its call's."""

from collections.abc import Mapping, Sequence
from datetime import date

from veridical.evidence.column import CellKind
from veridical.evidence.moment import Moment, of_date, read_moment
from veridical.evidence.table import EvidenceTable
from veridical.gate.prover.facts import Fact, Rows
from veridical.gate.prover.measures import ColumnRef


class FactTimes:
    """Finds the times of facts, each once."""

    def __init__(
        self,
        tables: Sequence[EvidenceTable],
        columns: Mapping[ColumnRef, Moment],
        call_moments: Sequence[tuple[int, Moment]],
    ) -> None:
        self._tables = tables
        self._columns = columns
        self._call_moments = call_moments
        self._known: dict[tuple[ColumnRef, Rows], Moment | None] = {}

    def of(self, fact: Fact) -> Moment | None:
        """The time of a fact; none where it is unknown."""
        if fact.table < 0:
            return None
        key = (fact.ref, fact.rows)
        if key not in self._known:
            self._known[key] = self._find(fact)
        return self._known[key]

    def is_backwards(self, one: Fact, other: Fact) -> bool:
        """True if the first of two facts is the earlier: a change starts from it."""
        first, second = self.of(one), self.of(other)
        return first is not None and second is not None and first.order < second.order

    def _find(self, fact: Fact) -> Moment | None:
        moment = self._columns.get(fact.ref)
        if moment is not None:
            return moment
        found = _row_moment(self._tables[fact.table], fact.rows)
        if found is not None:
            return found
        return next((each for table, each in self._call_moments if table == fact.table), None)


def _row_moment(table: EvidenceTable, rows: Rows) -> Moment | None:
    """The last time of these rows, if a unique column has the times."""
    for at, column in enumerate(table.columns):
        if column.kind not in (CellKind.PERIOD, CellKind.DAY, CellKind.MOMENT) or not column.is_key:
            continue
        moments = [
            of_date(cell) if isinstance(cell, date) else read_moment(str(cell))
            for row in rows
            if (cell := table.rows[row][at]) is not None
        ]
        known = [each for each in moments if each is not None]
        if known:
            return max(known, key=lambda each: each.order)
    return None
