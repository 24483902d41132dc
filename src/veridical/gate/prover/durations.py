"""Durations: the time between two days of a row or of a passage, and how many periods there are."""

from dataclasses import replace
from datetime import UTC, date, datetime, time
from itertools import combinations, zip_longest

from veridical.evidence.dimension import Quantity
from veridical.evidence.unit import unit_dimension
from veridical.gate.prover.agree import close_to
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.how import How
from veridical.gate.prover.passage import Passage
from veridical.gate.prover.prepared import Prepared, ReadText
from veridical.gate.prover.scope import FigureScope

_BEFORE = 120
_CLOCK_REACH = 8
_MOST_ROWS = 40
_MOST_DAYS = 24
_MONTHS = 12
_DAY = 86_400


class DurationReader:
    """Finds the times that a duration lies between."""

    def __init__(self, ready: Prepared, answer: ReadText) -> None:
        self._ready = ready
        self._answer = answer

    def between(self, figure: Figure, passage: Passage, scope: FigureScope) -> Basis | None:
        """The two days that a duration lies between; none if there are none."""
        unit = figure.dimension
        if unit is None or unit.quantity is not Quantity.DURATION:
            return None
        pairs = list(combinations(self._days(passage, scope), 2))
        if not pairs:
            pairs = [pair for row in self._rows(scope) for pair in combinations(row, 2)]
        for one, other in pairs:
            length = abs((other - one).total_seconds()) / unit.factor
            inclusive = length + 1 if unit.factor == _DAY else length
            if any(close_to(figure, v) for v in (length, length // 1, round(length), inclusive)):
                days = (f"{one:%Y-%m-%d}", f"{other:%Y-%m-%d}")
                return Basis(How.BETWEEN_DAYS, values=days)
        return None

    def _rows(self, scope: FigureScope) -> list[list[datetime]]:
        """The days of each row that may be meant, nearest first; rows with two of them only."""
        near = [each for each in (*scope.bound, *scope.named, *scope.carried) if len(each[1]) == 1]
        near += [
            (table, frozenset({row}))
            for table, rows in scope.whole
            if len(rows) <= _MOST_ROWS
            for row in sorted(rows)
        ]
        found: list[list[datetime]] = []
        for table, rows in dict.fromkeys(near):
            cells = self._ready.tables[table].rows[next(iter(rows))]
            days = [_at(cell) for cell in cells if isinstance(cell, date)]
            if len(days) > 1:
                found.append(days)
        return found

    def _days(self, passage: Passage, scope: FigureScope) -> list[datetime]:
        """The days of the passage, with the times of day beside them; else those of its row."""
        rows = self._rows(scope)
        years = [each.moment.year for each in self._answer.moments if each.moment.year]
        years += [each.year for row in rows for each in row]
        here = [
            each
            for each in self._answer.moments
            if passage.start - _BEFORE <= each.start < passage.end
        ]
        found: list[datetime] = []
        for each, later in zip_longest(here, here[1:]):
            moment = each.moment
            if moment.year is None and years:
                moment = replace(moment, year=years[0])
            if moment.as_day is None:
                continue
            clock = moment.clock or (0, 0)
            if later and later.moment.as_day is None and later.start - each.end <= _CLOCK_REACH:
                clock = later.moment.clock or clock
            found.append(datetime.combine(moment.as_day, time(clock[0], clock[1]), UTC))
        if len(found) < 2:
            found += rows[0] if rows else []
        return list(dict.fromkeys(found))[:_MOST_DAYS]


def counts_periods(figure: Figure, counts: set[int]) -> bool:
    """True if a number of months or years is a count of rows: twelve months of a series."""
    value = figure.readings[0].value
    unit = figure.dimension
    if unit is None or unit.quantity is not Quantity.DURATION or value != int(value):
        return False
    if unit == unit_dimension("years"):
        counts = {count // _MONTHS for count in counts if count and count % _MONTHS == 0}
    return int(value) in counts


def _at(cell: date | datetime) -> datetime:
    if isinstance(cell, datetime):
        return cell if cell.tzinfo else cell.replace(tzinfo=UTC)
    return datetime.combine(cell, time(), UTC)
