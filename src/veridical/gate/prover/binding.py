"""The rows that a figure must be of: those named beside it, in its cell's row, in its clause."""

from veridical.evidence.column import CellKind
from veridical.gate.prover.facts import Rows
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.labels import cell_head
from veridical.gate.prover.names import NameMention
from veridical.gate.prover.passage import Passage, PassageKind, cell_at
from veridical.gate.prover.prepared import Prepared, ReadText
from veridical.gate.prover.scope import RowSet, Scheme, row_sets, sharpened
from veridical.reading.punctuation import marks

_BREAKS = marks(",;:.")
_OPENING = marks("(")


class BindingReader:
    """Binds figures to rows."""

    def __init__(self, ready: Prepared, answer: ReadText) -> None:
        self._ready = ready
        self._answer = answer

    def in_row(self, figure: Figure, passage: Passage) -> tuple[list[RowSet], bool]:
        """The rows that the other cells of a table's row name, and whether by a unique column."""
        here = self._answer.within(self._answer.names, passage.start, passage.end)
        keys = [each for each in here if each.is_key] or here
        at = cell_at(passage, figure.start)
        outside = [
            each
            for each in keys
            if at is None or not passage.cells[at][0] <= each.start < passage.cells[at][1]
        ]
        head = cell_head(passage, figure)
        of_head = row_sets(self._answer.within(self._answer.names, *head)) if head else []
        return sharpened(row_sets(outside), of_head), self._names_all(outside)

    def in_prose(
        self, figure: Figure, passage: Passage, scheme: Scheme
    ) -> tuple[list[RowSet], bool]:
        """The rows that the words around name, on the scheme's side."""
        named = self._answer.within(self._answer.names, passage.start, passage.end)
        here = [each for each in named if self._ready.facts.figures[each.table]]
        group = self._group(figure, passage, here, scheme)
        if all(map(self._is_time, group)):
            others = [each for each in here if not self._is_time(each)]
            group += self._group(figure, passage, others, scheme)
            group.sort(key=lambda each: each.start)
        bound = _meant(group)
        if bound:
            bound = sharpened(bound, self._of_lead(passage))
        return bound, self._names_all([each for each in group if not self._is_time(each)])

    def _of_lead(self, passage: Passage) -> list[RowSet]:
        """The rows that the lead of a list names for all its items: the open ones."""
        if passage.lead is None or passage.kind is not PassageKind.ITEM:
            return []
        lead = self._answer.passages[passage.lead]
        names = self._answer.within(self._answer.names, lead.start, lead.end)
        return row_sets([each for each in names if not each.is_key])

    def _names_all(self, mentions: list[NameMention]) -> bool:
        return any(
            each.is_key and self._ready.tables[each.table].columns[each.column].is_key
            for each in mentions
        )

    def _group(
        self, figure: Figure, passage: Passage, keys: list[NameMention], scheme: Scheme
    ) -> list[NameMention]:
        """The names that belong to the figure: the nearest on the scheme's side."""
        if not keys:
            return []
        figures = self._answer.within(self._answer.figures, passage.start, passage.end)
        if scheme is Scheme.IN_ORDER:
            places = list(dict.fromkeys(each.start for each in keys))
            at = sum(each.start < figure.start for each in figures)
            if len(figures) < len(places):
                return keys
            place = places[min(at, len(places) - 1)]
            return [each for each in keys if each.start == place]
        stops = [each.start for each in figures]
        before = [each for each in keys if each.end <= figure.start]
        after = [each for each in keys if each.start >= figure.end]
        adjacent = [
            each
            for each in after
            if not any(figure.start < stop < each.start for stop in stops)
            and not any(sign in self._answer.text[figure.end : each.start] for sign in _BREAKS)
        ]
        opened = self._answer.text[figure.end : adjacent[0].start].strip() if adjacent else ""
        in_brackets = bool(opened) and opened in _OPENING  # 38.00 (Economy)
        if before and not in_brackets and not (scheme is Scheme.AFTER and adjacent):
            return _run_before(before, stops)
        return [each for each in adjacent if each.start == adjacent[0].start]

    def _is_time(self, mention: NameMention) -> bool:
        column = self._ready.tables[mention.table].columns[mention.column]
        return column.kind in (CellKind.DAY, CellKind.MOMENT, CellKind.PERIOD)


def _meant(group: list[NameMention]) -> list[RowSet]:
    """The rows of a run of names: from the nearest back, what they have in common."""
    found: list[RowSet] = []
    for table in dict.fromkeys(each.table for each in group):
        rows: Rows = frozenset()
        places = [each for each in group if each.table == table]
        for start in sorted({each.start for each in places}, reverse=True):
            here = frozenset[int]().union(*(e.rows for e in places if e.start == start))
            rows = (rows & here or rows) if rows else here
        found.append((table, rows))
    return found


def _run_before(names: list[NameMention], stops: list[int]) -> list[NameMention]:
    """The names before a figure, back to the figure before them."""
    last = names[-1].start
    floor = max((stop for stop in stops if stop < last), default=-1)
    return [each for each in names if each.start > floor]
