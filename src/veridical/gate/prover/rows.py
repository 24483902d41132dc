"""Binds figures to rows: those named beside a figure, in its passage, and before."""

from veridical.evidence.column import TIMES, CellKind
from veridical.gate.prover.facts import Rows, RowSet
from veridical.gate.prover.names import NameMention
from veridical.gate.prover.prepared import Prepared, ReadText
from veridical.gate.prover.scope import Scheme, combined, row_sets, sharpened
from veridical.gate.text.figures import Figure
from veridical.gate.text.passage import Passage, PassageKind, cell_at, cell_head
from veridical.reading.punctuation import marks

_BREAKS = marks(",;:.")
_OPENING = marks("(")
_EARLIER = 2
"""How many passages before one it may refer to."""
Bound = tuple[list[RowSet], bool]
"""Rows, and whether a unique column names them."""


class RowReader:
    """Finds the rows that the figures of a text may be of."""

    def __init__(self, ready: Prepared, answer: ReadText, question: ReadText) -> None:
        self._ready = ready
        self._answer = answer
        of_question = row_sets(question.names)
        self._of_question = [*of_question, *combined(of_question)]
        self._named: dict[int, list[RowSet]] = {}

    def in_row(self, figure: Figure, passage: Passage) -> Bound:
        """The rows that the other cells of a table's row name."""
        here = self._names(passage)
        at = cell_at(passage, figure.start)
        cell = passage.cells[at] if at is not None else (0, 0)
        outside = [
            each
            for each in [each for each in here if each.is_key] or here
            if not cell[0] <= each.start < cell[1]
        ]
        head = cell_head(passage, figure.start)
        of_head = row_sets(self._answer.within(self._answer.names, *head)) if head else []
        return sharpened(row_sets(outside), of_head), self._names_all(outside)

    def in_prose(self, figure: Figure, passage: Passage, scheme: Scheme) -> Bound:
        """The rows that the words around name, on the scheme's side."""
        here = [each for each in self._names(passage) if self._ready.facts.figures[each.table]]
        group = self._group(figure, passage, here, scheme)
        if all(map(self._is_time, group)):
            others = [each for each in here if not self._is_time(each)]
            group += self._group(figure, passage, others, scheme)
            group.sort(key=lambda each: each.start)
        bound = _meant(group)
        if bound and passage.lead is not None and passage.kind is PassageKind.ITEM:
            lead = self._names(self._answer.passages[passage.lead])
            bound = sharpened(bound, row_sets([each for each in lead if not each.is_key]))
        return bound, self._names_all([each for each in group if not self._is_time(each)])

    def named(self, at: int) -> list[RowSet]:
        """All rows that a passage names, separately and together, and the periods before them."""
        if at not in self._named:
            sets = row_sets(self._names(self._answer.passages[at]))
            found = [*sets, *combined(sets)]
            found += [each for each in map(self._before, found) if each]
            self._named[at] = list(dict.fromkeys(found))
        return self._named[at]

    def carried(self, at: int) -> list[RowSet]:
        """Rows named by the lead of a list, the passages before, and the question."""
        lead = self._answer.passages[at].lead
        earlier = [lead, *(at - each for each in range(1, _EARLIER + 1))]
        places = dict.fromkeys(each for each in earlier if each is not None and 0 <= each < at)
        found = [rows for each in places for rows in self.named(each)]
        return list(dict.fromkeys([*found, *self._of_question]))

    def near(self, at: int) -> list[RowSet]:
        """All rows that a passage names or may refer to."""
        return [*self.named(at), *self.carried(at)]

    def _names(self, passage: Passage) -> list[NameMention]:
        return self._answer.within(self._answer.names, passage.start, passage.end)

    def _names_all(self, mentions: list[NameMention]) -> bool:
        return any(
            each.is_key and self._ready.tables[each.table].columns[each.column].is_key
            for each in mentions
        )

    def _group(
        self, figure: Figure, passage: Passage, names: list[NameMention], scheme: Scheme
    ) -> list[NameMention]:
        """The names that belong to the figure: the nearest on the scheme's side."""
        if not names:
            return []
        figures = self._answer.within(self._answer.figures, passage.start, passage.end)
        if scheme is Scheme.IN_ORDER:
            places = list(dict.fromkeys(each.start for each in names))
            if len(figures) < len(places):
                return names
            at = sum(each.start < figure.start for each in figures)
            place = places[min(at, len(places) - 1)]
            return [each for each in names if each.start == place]
        before = [each for each in names if each.end <= figure.start]
        following = next((each.start for each in figures if each.start > figure.start), passage.end)
        adjacent = [
            each
            for each in names
            if figure.end <= each.start <= following
            and not any(sign in self._answer.text[figure.end : each.start] for sign in _BREAKS)
        ]
        opened = self._answer.text[figure.end : adjacent[0].start].strip() if adjacent else ""
        in_brackets = bool(opened) and opened in _OPENING  # 38.00 (Economy)
        if before and not in_brackets and not (scheme is Scheme.AFTER and adjacent):
            last = before[-1].start
            floor = max((each.start for each in figures if each.start < last), default=-1)
            return [each for each in before if each.start > floor]
        return [each for each in adjacent if each.start == adjacent[0].start]

    def _is_time(self, mention: NameMention) -> bool:
        return self._ready.tables[mention.table].columns[mention.column].kind in TIMES

    def _before(self, rows: RowSet) -> RowSet | None:
        """As many periods right before these: the year before."""
        table, numbers = rows
        first = min(numbers)
        earlier = frozenset(range(first - len(numbers), first))
        kinds = {column.kind for column in self._ready.tables[table].columns if column.is_key}
        joined = max(numbers) - first + 1 == len(numbers) > 1
        there = earlier <= self._ready.facts.members[table]
        return (table, earlier) if joined and there and CellKind.PERIOD in kinds else None


def _meant(group: list[NameMention]) -> list[RowSet]:
    """The rows of a run of names: from the nearest back, what they have in common."""
    found: list[RowSet] = []
    for table in dict.fromkeys(each.table for each in group):
        rows: Rows = frozenset()
        by_place: dict[int, Rows] = {}
        for each in group:
            if each.table == table:
                by_place[each.start] = by_place.get(each.start, frozenset()) | each.rows
        for start in sorted(by_place, reverse=True):
            rows = (rows & by_place[start] or rows) if rows else by_place[start]
        found.append((table, rows))
    return found
