"""Figures that count: rows, values, rows that meet a condition, names in a list."""

from collections.abc import Iterator
from dataclasses import dataclass

from veridical.evidence.column import CellKind
from veridical.gate.languages.forms import forms
from veridical.gate.languages.vocabulary import Cue
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.facts import FactReader, Rows, RowSet, is_plain
from veridical.gate.prover.how import How
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.prepared import Prepared, ReadText
from veridical.gate.prover.scope import FigureScope
from veridical.gate.text.figures import Figure
from veridical.gate.text.passage import PassageKind
from veridical.reading.punctuation import LIST_MARKS, marks

Limit = tuple[Figure, Cue, frozenset[ColumnRef]]
_REACH = 8
_INTRODUCING = marks(":(")
_PARTING = marks(",.(") + LIST_MARKS + ";:)"
_NO_ROWS: RowSet = (-1, frozenset())


@dataclass(frozen=True, slots=True)
class Counted:
    """A count that the evidence gives."""

    count: int
    how: How
    rows: RowSet = _NO_ROWS
    columns: tuple[ColumnRef, ...] = ()
    """The columns it was counted by."""
    sure: bool = False
    """True if a condition of the text itself was counted."""

    @property
    def basis(self) -> Basis:
        """The count as the basis of a claim."""
        return Basis(self.how, (), *self.rows, self.columns, (str(self.count),))


class CountReader:
    """Computes the counts that a figure may be."""

    def __init__(self, ready: Prepared, answer: ReadText, question: ReadText) -> None:
        self._ready = ready
        self._facts: FactReader = ready.facts
        self._answer = answer
        self._question = question
        self._limits: dict[int, list[Limit]] = {}
        self._lines: dict[int, dict[int, set[int]]] = {}
        """By the passage that introduces them: the lines of lists and tables, by block."""
        for each in answer.passages:
            if each.kind in (PassageKind.ITEM, PassageKind.ROW) and each.lead is not None:
                blocks = self._lines.setdefault(each.lead, {})
                blocks.setdefault(each.block, set()).add(each.line)

    def counts(self, figure: Figure, at: int, scope: FigureScope) -> Iterator[Counted]:
        """All counts, those of the text's own conditions first."""
        yield from self._beyond_limits(figure, at, scope)
        listed = list(self._listed(figure, at))
        yield from listed
        if not scope.by_key or scope.after_of or scope.counts:
            yield from self._all()
        if listed:
            return
        for rows in (*scope.bound, *scope.named, *scope.carried):
            if len(rows[1]) > 1 or not scope.by_key:
                yield Counted(len(rows[1]), How.NAMED_ROWS, rows)
        if not scope.by_key:
            yield from self._of_columns(scope)
            for table, rows in (*scope.named, *scope.carried):
                if rest := self._facts.members[table] - rows:
                    yield Counted(len(rest), How.OTHER_ROWS, (table, rest))

    def limits(self, at: int) -> list[Limit]:
        """Limits that apply to a passage, each with its cue and its columns."""
        if at not in self._limits:
            passage = self._answer.passages[at]
            spans = [passage.span]
            if passage.lead is not None:
                spans.append(self._answer.passages[passage.lead].span)
            found = [each for span in spans for each in self._limits_in(self._answer, *span)]
            whole = 0, len(self._question.text)
            self._limits[at] = [*found, *self._limits_in(self._question, *whole)]
        return self._limits[at]

    def _all(self) -> Iterator[Counted]:
        """All rows of each result: those returned, those that exist, and those left out."""
        for table, rows in self._facts.whole:
            yield Counted(len(rows), How.ALL_ROWS, (table, rows))
            count = self._ready.tables[table].row_count
            if count is not None:
                yield Counted(count, How.ROWS_THERE_ARE, (table, rows))
                if count > len(rows):
                    yield Counted(count - len(rows), How.OTHER_ROWS)

    def _beyond_limits(self, figure: Figure, at: int, scope: FigureScope) -> Iterator[Counted]:
        """Rows above or below a limit that the passage, its lead or the question names."""
        several = [each for each in (*scope.named, *scope.carried) if len(each[1]) > 1]
        for limit, cue, columns in self.limits(at):
            for table, rows in (*self._facts.whole, *several):
                for ref in columns or self._facts.refs:
                    if limit is figure or ref.table != table:
                        continue
                    met = self.meeting(rows, ref, limit, cue)
                    if met is not None:
                        beyond = (len(met), How.BEYOND_LIMIT, (table, met), (ref,))
                        yield Counted(*beyond, sure=bool(columns))

    def _limits_in(self, reading: ReadText, start: int, end: int) -> Iterator[Limit]:
        cues = [cue for cue in reading.within(reading.cues, start, end) if cue.has("compare")]
        measures = reading.within(reading.measures, start, end) if cues else []
        columns = frozenset(ref for each in measures for ref in each.columns) & self._facts.refs
        figures = reading.within(reading.figures, start, end) if cues else []
        for cue in cues:
            behind = [each for each in figures if each.start >= cue.end][:1]
            before = [each for each in figures if each.end <= cue.start][-1:]
            for limit in (*behind, *before):
                if _is_beside(reading.text, limit, cue):
                    yield limit, cue, columns

    def meeting(self, rows: Rows, ref: ColumnRef, limit: Figure, cue: Cue) -> Rows | None:
        """The rows whose cell lies beyond the limit; none where the two measure something else."""
        cells = [cell for row in rows if (cell := self._facts.cell(ref.table, row, ref.column))]
        unit = limit.dimension
        if not cells:
            return None
        same = unit is not None and unit.quantity is cells[0].dimension.quantity
        if unit is not None and not same and not is_plain(cells[0].dimension):
            return None
        value = limit.readings[0].value * (unit.factor if unit is not None and same else 1.0)
        dust = 1e-9 * max(1.0, abs(value))
        met: set[int] = set()
        for cell in cells:
            off = (cell.value if same else cell.raw) - value
            if (
                (off > dust and cue.has("compare.more"))
                or (off < -dust and cue.has("compare.less"))
                or (off >= -dust and cue.has("compare.at_least"))
                or (off <= dust and cue.has("compare.at_most"))
            ):
                met |= cell.rows
        return frozenset(met)

    def _listed(self, figure: Figure, at: int) -> Iterator[Counted]:
        """Names in the rest of the passage, and items of the list that it introduces."""
        passage = self._answer.passages[at]
        names = self._answer.within(self._answer.names, figure.end, passage.end)
        keys = [each for each in names if each.is_key]
        least = 1 if passage.kind is not PassageKind.SENTENCE else 2
        for column in {(each.table, each.column) for each in keys}:
            mine = [each for each in keys if (each.table, each.column) == column]
            between = self._answer.text[figure.end : mine[0].start]
            rows = frozenset[int]().union(*(each.rows for each in mine))
            if len(rows) >= least and any(sign in between for sign in _INTRODUCING):
                yield Counted(len(rows), How.LISTED)
        for lines in self._lines.get(at, {}).values():
            yield Counted(len(lines), How.LISTED)

    def _of_columns(self, scope: FigureScope) -> Iterator[Counted]:
        """Different values of a mentioned column; rows without one."""
        missing = scope.says("missing", "quantity.none", "negation")
        for at, table in enumerate(self._ready.tables):
            for number, column in enumerate(table.columns):
                ref = ColumnRef(at, number)
                if not missing and ref not in scope.label | scope.hint | scope.here:
                    continue
                cells = [table.rows[row][number] for row in self._facts.members[at]]
                if empty := cells.count(None):
                    yield Counted(empty, How.WITHOUT_VALUE, columns=(ref,))
                    yield Counted(len(cells) - empty, How.OTHER_ROWS, columns=(ref,))
                if column.kind in (CellKind.NAME, CellKind.CODE, CellKind.PERIOD):
                    different = len({*cells} - {None})
                    yield Counted(different, How.DISTINCT_VALUES, columns=(ref,))


def _is_beside(text: str, limit: Figure, cue: Cue) -> bool:
    """True if a word of comparison belongs to a figure: at most a short word between."""
    if cue.end <= limit.start:
        between = text[cue.end : limit.start]
        return len(between) <= _REACH and not any(sign in between for sign in _PARTING)
    between = text[limit.end : cue.start]
    return cue.start >= limit.end and len(between) <= 1 and cue.text in forms().limit_behind
