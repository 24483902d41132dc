"""Rows that were named before: by a lead, the passages before, a list, the question."""

from bisect import bisect_left

from veridical.evidence.column import CellKind
from veridical.gate.prover.passage import Passage, PassageKind, listed_blocks
from veridical.gate.prover.prepared import Prepared, ReadText
from veridical.gate.prover.scope import RowSet, combined, row_sets

_TOP_REACH = 16
_MOST_TOP = 20


class CarriedReader:
    """Collects the rows that a passage may refer back to."""

    def __init__(self, ready: Prepared, answer: ReadText, question: ReadText) -> None:
        self._ready = ready
        self._answer = answer
        self._question = question
        self._lists = listed_blocks(answer.passages)
        self._headings = [
            n for n, each in enumerate(answer.passages) if each.kind is PassageKind.HEADING
        ]

    def named(self, passage: Passage) -> list[RowSet]:
        """All rows that a passage names, separately and together; the top few; the year before."""
        sets = row_sets(self._answer.within(self._answer.names, passage.start, passage.end))
        found = [*sets, *combined(sets), *self._top(passage)]
        earlier = [each for each in map(self._before, found) if each]
        return list(dict.fromkeys([*found, *earlier]))

    def carried(self, at: int) -> list[RowSet]:
        """Rows named by the lead of a list, the two passages before, and the question."""
        passages = self._answer.passages
        lead = passages[at].lead
        headings = self._headings[: bisect_left(self._headings, at)][-2:]
        earlier = [each for each in (lead, at - 1, at - 2) if each is not None and 0 <= each < at]
        earlier += headings
        found: list[RowSet] = []
        for each in dict.fromkeys(earlier):
            names = self._answer.within(
                self._answer.names, passages[each].start, passages[each].end
            )
            sets = row_sets(names)
            found += [rows for rows in (*sets, *combined(sets)) if rows not in found]
        found += [rows for rows in self._blocks(at) if rows not in found]
        question_rows = row_sets(self._question.names)
        return [
            *found,
            *(rows for rows in (*question_rows, *combined(question_rows)) if rows not in found),
        ]

    def _blocks(self, at: int) -> list[RowSet]:
        """All rows that the list or the table before this passage names, together."""
        here = self._answer.passages[at].block
        before = bisect_left(self._lists, here, key=lambda each: each[0].block)
        block = self._lists[before - 1] if before else []
        names = [
            name
            for each in block
            for name in self._answer.within(self._answer.names, each.start, each.end)
            if name.is_key
        ]
        sets = row_sets(names)
        return [
            (table, frozenset[int]().union(*(rows for each, rows in sets if each == table)))
            for table in dict.fromkeys(table for table, _ in sets)
        ]

    def _before(self, rows: RowSet) -> RowSet | None:
        """As many periods right before these: the year before."""
        table, numbers = rows
        if len(numbers) < 2:
            return None
        first, last = min(numbers), max(numbers)
        if last - first + 1 != len(numbers):
            return None
        earlier = frozenset(range(first - len(numbers), first))
        kinds = {column.kind for column in self._ready.tables[table].columns if column.is_key}
        if CellKind.PERIOD not in kinds or not earlier <= self._ready.facts.members[table]:
            return None
        return table, earlier

    def _top(self, passage: Passage) -> list[RowSet]:
        """The top rows by a column: the top three."""
        cues = self._answer.within(self._answer.cues, passage.start, passage.end)
        figures = self._answer.within(self._answer.figures, passage.start, passage.end)
        found: list[RowSet] = []
        for cue in cues:
            if not cue.has("rank"):
                continue
            for figure in figures:
                near = -_TOP_REACH <= figure.start - cue.end <= _TOP_REACH
                count = int(figure.readings[0].value) if near and figure.is_whole else 0
                if 1 < count <= _MOST_TOP:
                    found += self._ranked(count, descending=not cue.has("rank.low"))
        return found

    def _ranked(self, count: int, *, descending: bool) -> list[RowSet]:
        facts = self._ready.facts
        found: list[RowSet] = []
        for table, columns in enumerate(facts.figures):
            for column in columns:
                cells = [
                    (cell.value, row)
                    for row in facts.members[table]
                    if (cell := facts.cell(table, row, column))
                ]
                best = sorted(cells, reverse=descending)[:count]
                rows = (table, frozenset(row for _, row in best))
                if len(best) == count and rows not in found:
                    found.append(rows)
        return found
