"""The time of a fact: its column's, its rows' or its call's."""

from datetime import date

from veridical.evidence.column import TIMES
from veridical.evidence.moment import Moment, of_date, read_moment
from veridical.gate.prover.facts import Fact, RowSet
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.prepared import Prepared


class FactTimes:
    """Finds the times of facts, each once."""

    def __init__(self, ready: Prepared) -> None:
        self._ready = ready
        self._known: dict[tuple[ColumnRef, RowSet], Moment | None] = {}

    def of(self, fact: Fact) -> Moment | None:
        """The time of a fact; none where it is unknown."""
        if fact.table < 0:
            return None
        key = (fact.ref, (fact.table, fact.rows))
        if key not in self._known:
            self._known[key] = self._find(fact)
        return self._known[key]

    def way(self, one: Fact, other: Fact) -> int:
        """1 if the later of two facts is the larger, -1 if it is the smaller; 0 where that is
        unknown."""
        first, second = self.of(one), self.of(other)
        if first is None or second is None or first.order == second.order:
            return 0
        later, earlier = (one, other) if first.order > second.order else (other, one)
        return (later.value > earlier.value) - (later.value < earlier.value)

    def _find(self, fact: Fact) -> Moment | None:
        dated = self._ready.measures.moments.get(fact.ref)
        if dated is not None:
            return dated
        table = self._ready.tables[fact.table]
        for at, column in enumerate(table.columns):
            if column.kind in TIMES and column.is_key:
                cells = [table.rows[row][at] for row in fact.rows]
                moments = [
                    of_date(cell) if isinstance(cell, date) else read_moment(str(cell))
                    for cell in cells
                    if cell is not None
                ]
                known = [each for each in moments if each is not None]
                if known:
                    return max(known, key=lambda each: each.order)
        calls = self._ready.call_moments
        return next((each for at, each in calls if at == fact.table), None)
