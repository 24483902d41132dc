"""Figures that claim nothing of their own: they repeat the question, a column's name or a limit."""

from veridical.evidence.dimension import Dimension
from veridical.evidence.unit import unit_dimension
from veridical.gate.languages.vocabulary import Cue
from veridical.gate.prover.agree import close_to
from veridical.gate.prover.counts import CountReader
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.how import How
from veridical.gate.prover.passage import Passage, PassageKind
from veridical.gate.prover.prepared import Prepared, ReadText
from veridical.gate.prover.scope import ROUND, RowSet, row_sets
from veridical.late_pattern import late_pattern

_NUMBER = late_pattern(r"(?<![A-Za-z\d.])(\d+)([a-zA-Z]*)(?=_|$|[^\x00-\x7f])")
_BASE_REACH = 6


class RepeatReader:
    """Recognises figures that only repeat something known."""

    def __init__(
        self, ready: Prepared, answer: ReadText, question: ReadText, counts: CountReader
    ) -> None:
        self._ready = ready
        self._answer = answer
        self._question = question
        self._counts = counts

    def reason(self, figure: Figure, at: int) -> How | None:
        """The thing that a figure repeats; none where it claims something."""
        if self._is_running_number(figure, self._answer.passages[at]):
            return How.RUNNING_NUMBER
        if self._is_base(figure):
            return How.BASE
        if self._is_in_question(figure):
            return How.QUESTION
        if self._is_limit(figure, at):
            return How.LIMIT
        return How.ARGUMENT if self._is_named(figure) else None

    def _is_running_number(self, figure: Figure, passage: Passage) -> bool:
        """True if it only numbers the rows of a table."""
        if passage.kind is not PassageKind.ROW or not passage.cells:
            return False
        rows = [
            each
            for each in self._answer.passages
            if each.block == passage.block and each.kind is PassageKind.ROW
        ]
        start, end = passage.cells[0]
        place = rows.index(passage) + 1
        return start <= figure.start < end and figure.readings[0].value == place

    def _is_base(self, figure: Figure) -> bool:
        """True if it is only the base of a rate: per 10,000."""
        values = {reading.value for reading in figure.readings}
        before = self._answer.within(self._answer.cues, figure.start - _BASE_REACH, figure.start)
        return not values.isdisjoint(ROUND) and any(cue.has("aggregate.per") for cue in before)

    def _is_in_question(self, figure: Figure) -> bool:
        return any(
            (figure.dimension is None or each.dimension in (None, figure.dimension))
            and any(a.value == b.value for a in figure.readings for b in each.readings)
            for each in self._question.figures
        )

    def _is_named(self, figure: Figure) -> bool:
        """True if it is an argument of a call, or part of a column's name: within 30 days."""
        values = {reading.value for reading in figure.readings}
        filters = {
            float(value)
            for table in self._ready.tables
            for value in table.held.values()
            if isinstance(value, int | float) and not isinstance(value, bool)
        }
        return bool(values & filters) or any(
            float(number) in values and _may_be(letters, figure.dimension)
            for table in self._ready.tables
            for column in table.columns
            for number, letters in _NUMBER.findall(column.name)
        )

    def _is_limit(self, figure: Figure, at: int) -> bool:
        """True if it is only a limit that others are compared with, and the comparison holds."""
        passage = self._answer.passages[at]
        named = row_sets(self._answer.within(self._answer.names, passage.start, passage.end))
        single = [each for each in named if len(each[1]) == 1]
        for limit, cue, _ in self._counts.limits(at):
            if limit is not figure:
                continue
            if self._all_meet(single, limit, cue) if single else self._is_counted(at, limit, cue):
                return True
        return False

    def _is_counted(self, at: int, limit: Figure, cue: Cue) -> bool:
        """True if another figure of the passage counts the rows beyond a limit."""
        passage = self._answer.passages[at]
        others = [
            each
            for each in self._answer.within(self._answer.figures, passage.start, passage.end)
            if each is not limit and each.is_whole
        ]
        cues = self._answer.within(self._answer.cues, passage.start, passage.end)
        only = any(each.has("quantity.only") for each in cues)
        for table, rows in enumerate(self._ready.facts.members):
            for column in self._ready.facts.figures[table]:
                met = self._counts.meeting(table, rows, column, limit, cue)
                if met is None:
                    continue
                if any(close_to(each, len(met)) for each in others) or (only and len(met) == 1):
                    return True
        return False

    def _all_meet(self, named: list[RowSet], limit: Figure, cue: Cue) -> bool:
        """True if every row named beside a limit lies beyond it, in some column."""
        for table in {table for table, _ in named}:
            rows = frozenset[int]().union(*(each for at, each in named if at == table))
            for column in self._ready.facts.figures[table]:
                if self._counts.meeting(table, rows, column, limit, cue) == rows:
                    return True
        return False


def _may_be(letters: str, unit: Dimension | None) -> bool:
    """True unless the letters behind a number in a column's name are another unit."""
    if unit is None or not letters:
        return True
    known = unit_dimension(letters)
    return known is None or known.quantity is not unit.quantity or known == unit
