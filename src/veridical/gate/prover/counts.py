"""Figures that count: rows, values, rows that meet a condition, names in a list."""

from collections.abc import Iterator

from veridical.gate.languages.forms import forms
from veridical.gate.languages.vocabulary import Cue
from veridical.gate.prover.evidence_counts import Counted
from veridical.gate.prover.facts import FactReader, Rows, is_plain
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.how import How
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.passage import PassageKind
from veridical.gate.prover.prepared import Prepared, ReadText
from veridical.gate.prover.scope import FigureScope, RowSet
from veridical.reading.punctuation import LIST_MARKS, marks

Limit = tuple[Figure, Cue, frozenset[ColumnRef]]


class CountReader:
    """Computes the counts that a figure may be."""

    def __init__(self, ready: Prepared, answer: ReadText, question: ReadText) -> None:
        self._ready = ready
        self._facts: FactReader = ready.facts
        self._answer = answer
        self._question = question
        self._in_force: dict[int, list[Limit]] = {}
        self._led = _led(answer)

    def counts(self, figure: Figure, at: int, scope: FigureScope) -> Iterator[Counted]:
        """All counts, those of the text's own conditions first."""
        yield from self._thresholds(figure, at, scope)
        for table, rows in scope.bound:
            if len(rows) > 1:
                yield Counted(len(rows), How.NAMED_ROWS, (table, rows), sure=False, is_named=True)
        listed = list(self._listed(figure, at))
        yield from listed
        if not scope.by_key or scope.after_of or scope.counts:
            yield from self._all(scope)
        if listed:
            return
        for table, rows in (*scope.bound, *scope.named):
            if len(rows) > 1:
                yield Counted(len(rows), How.NAMED_ROWS, (table, rows), sure=False, is_named=True)
        if scope.by_key:
            return
        for table, rows in (*scope.bound, *scope.named):
            yield Counted(len(rows), How.NAMED_ROWS, (table, rows), sure=False, is_named=True)
        for table, rows in scope.carried:
            yield Counted(len(rows), How.NAMED_ROWS, (table, rows), sure=False)
        yield from self._values(scope)
        yield from self._ready.counts.compared
        yield from self._rest(scope)
        yield from self._ready.counts.moved

    def _all(self, scope: FigureScope) -> Iterator[Counted]:
        """All rows of each result: those returned, those that exist, and those left out."""
        for table, rows in scope.whole:
            yield Counted(len(rows), How.ALL_ROWS, (table, rows), sure=False)
            count = self._ready.tables[table].row_count
            if count is not None:
                yield Counted(count, How.ROWS_THERE_ARE, (table, rows), sure=False)
                if count > len(rows):
                    yield Counted(count - len(rows), How.OTHER_ROWS, None, sure=False)

    def _thresholds(self, figure: Figure, at: int, scope: FigureScope) -> Iterator[Counted]:
        """Rows above or below a limit that the passage, its lead or the question names."""
        for limit, cue, columns in self.limits(at):
            if limit is figure:
                continue
            for table, rows in self._bases(scope):
                for column in self._facts.figures[table]:
                    ref = ColumnRef(table, column)
                    if columns and ref not in columns:
                        continue
                    met = self.meeting(table, rows, column, limit, cue)
                    if met is not None:
                        counted = (len(met), How.BEYOND_LIMIT, (table, met))
                        yield Counted(*counted, sure=bool(columns), columns=(ref,))

    def limits(self, at: int) -> list[Limit]:
        """Limits that apply to a passage, each with its cue and its columns."""
        if at not in self._in_force:
            self._in_force[at] = list(self._limits_at(at))
        return self._in_force[at]

    def _limits_at(self, at: int) -> Iterator[Limit]:
        passage = self._answer.passages[at]
        spans = [(passage.start, passage.end)]
        if passage.lead is not None:
            lead = self._answer.passages[passage.lead]
            spans.append((lead.start, lead.end))
        for start, end in spans:
            yield from self._limits(self._answer, start, end)
        yield from self._limits(self._question, 0, len(self._question.text))

    def _limits(self, reading: ReadText, start: int, end: int) -> Iterator[Limit]:
        cues = [cue for cue in reading.within(reading.cues, start, end) if cue.has("compare")]
        if not cues:
            return
        measures = reading.within(reading.measures, start, end)
        columns = frozenset(
            ref
            for each in measures
            for ref in each.columns
            if ref.column in self._facts.figures[ref.table]
        )
        figures = reading.within(reading.figures, start, end)
        for cue in cues:
            behind = [each for each in figures if each.start >= cue.end][:1]
            before = [each for each in figures if each.end <= cue.start][-1:]
            for limit in (*behind, *before):
                if _is_beside(reading.text, limit, cue):
                    yield limit, cue, columns

    def meeting(self, table: int, rows: Rows, column: int, limit: Figure, cue: Cue) -> Rows | None:
        """The rows whose cell lies beyond the limit; none where the two measure something else."""
        cells = {row: fact for row in rows if (fact := self._facts.cell(table, row, column))}
        if not cells:
            return None
        unit = limit.dimension
        sample = next(iter(cells.values()))
        same = unit is not None and unit.quantity is sample.dimension.quantity
        if unit is not None and not same and not is_plain(sample.dimension):
            return None
        value = limit.readings[0].value
        if unit is not None and same:
            value *= unit.factor
            met = {row: fact.value for row, fact in cells.items()}
        else:
            met = {row: fact.raw for row, fact in cells.items()}
        dust = 1e-9 * max(1.0, abs(value))
        if cue.has("compare.more"):
            return frozenset(row for row, each in met.items() if each > value + dust)
        if cue.has("compare.less"):
            return frozenset(row for row, each in met.items() if each < value - dust)
        if cue.has("compare.at_least"):
            return frozenset(row for row, each in met.items() if each >= value - dust)
        return frozenset(row for row, each in met.items() if each <= value + dust)

    def _bases(self, scope: FigureScope) -> list[RowSet]:
        wide = [each for each in (*scope.named, *scope.carried) if len(each[1]) > 1]
        return [*scope.whole, *wide]

    def _listed(self, figure: Figure, at: int) -> Iterator[Counted]:
        """Names in the rest of the passage, and items of the list that it introduces."""
        passage = self._answer.passages[at]
        names = [
            each
            for each in self._answer.within(self._answer.names, figure.end, passage.end)
            if each.is_key
        ]
        least = 1 if passage.kind is not PassageKind.SENTENCE else 2
        for column in {(each.table, each.column) for each in names}:
            mine = [each for each in names if (each.table, each.column) == column]
            between = self._answer.text[figure.end : mine[0].start]
            if not any(sign in between for sign in _INTRODUCING):
                continue
            rows = frozenset[int]().union(*(each.rows for each in mine))
            if len(rows) >= least:
                yield Counted(len(rows), How.LISTED, None, sure=False)
        for lines in self._led.get(at, {}).values():
            yield Counted(len(lines), How.LISTED, None, sure=False)

    def _values(self, scope: FigureScope) -> Iterator[Counted]:
        """Different values of a mentioned column; rows with and without one."""
        near = scope.label or scope.columns
        missing = scope.says("missing", "quantity.none", "negation")
        for at, table in enumerate(self._ready.tables):
            for number in range(len(table.columns)):
                ref = ColumnRef(at, number)
                if ref not in near and not missing:
                    continue
                yield from self._ready.counts.of_column(ref)

    def _rest(self, scope: FigureScope) -> Iterator[Counted]:
        for table, rows in (*scope.named, *scope.carried):
            rest = self._facts.members[table] - rows
            if rest:
                yield Counted(len(rest), How.OTHER_ROWS, (table, rest), sure=False)


def _is_beside(text: str, limit: Figure, cue: Cue) -> bool:
    """True if a word of comparison belongs to a figure: at most a short word between."""
    if cue.end <= limit.start:
        between = text[cue.end : limit.start]
        return len(between) <= _REACH and not any(sign in between for sign in _PARTING)
    between = text[limit.end : cue.start]
    return cue.start >= limit.end and len(between) <= 1 and cue.text in forms().limit_behind


_REACH = 8
_INTRODUCING = marks(":(")
_PARTING = marks(",.(") + LIST_MARKS + ";:)"


def _led(answer: ReadText) -> dict[int, dict[int, set[int]]]:
    """By the passage that introduces them: the lines of lists and tables, by block."""
    found: dict[int, dict[int, set[int]]] = {}
    for each in answer.passages:
        if each.kind in (PassageKind.ITEM, PassageKind.ROW) and each.lead is not None:
            found.setdefault(each.lead, {}).setdefault(each.block, set()).add(each.line)
    return found
