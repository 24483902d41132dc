"""Figures that count: rows, values, rows that meet a condition, names in a list."""

from collections.abc import Iterator
from dataclasses import dataclass

from veridical.evidence.column import Column, Kind
from veridical.gate.languages.vocabulary import Cue
from veridical.gate.prover.facts import FactReader, Rows
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.passage import PassageKind
from veridical.gate.prover.prepared import Prepared, Reading
from veridical.gate.prover.scope import RowSet, Scope

_FEW_VALUES = 40


@dataclass(frozen=True, slots=True)
class Counted:
    """A count that the evidence gives, and how sure it is that the text means it."""

    count: int
    text: str
    rows: RowSet | None
    sure: bool
    """Whether a condition of the text itself was counted."""
    is_named: bool = False
    """Whether the passage names what was counted."""


class CountReader:
    """Counts what a figure may count."""

    def __init__(self, ready: Prepared, answer: Reading, question: Reading) -> None:
        self._ready = ready
        self._facts: FactReader = ready.facts
        self._answer = answer
        self._question = question

    def counts(self, figure: Figure, at: int, scope: Scope) -> Iterator[Counted]:
        """All counts, those of the text's own conditions first."""
        yield from self._thresholds(figure, at, scope)
        for table, rows in scope.bound:
            if len(rows) > 1:
                yield Counted(len(rows), "rows named", (table, rows), sure=False, is_named=True)
        listed = list(self._listed(figure, at))
        yield from listed
        for table, rows in scope.whole:
            if scope.by_key and not scope.after_of and not scope.counts:
                break
            yield Counted(len(rows), "all rows", (table, rows), sure=False)
            count = self._ready.tables[table].row_count
            if count is not None:
                yield Counted(count, "all rows there are", (table, rows), sure=False)
        if listed:
            return
        for table, rows in (*scope.bound, *scope.named):
            if len(rows) > 1:
                yield Counted(len(rows), "rows named", (table, rows), sure=False, is_named=True)
        if scope.by_key:
            return
        for table, rows in (*scope.bound, *scope.named):
            yield Counted(len(rows), "rows named", (table, rows), sure=False, is_named=True)
        for table, rows in scope.carried:
            yield Counted(len(rows), "rows named before", (table, rows), sure=False)
        yield from self._values(scope)
        yield from self._compared()
        yield from self._rest(scope)

    def _thresholds(self, figure: Figure, at: int, scope: Scope) -> Iterator[Counted]:
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
                        yield Counted(
                            len(met), "rows beyond a limit", (table, met), sure=bool(columns)
                        )

    def limits(self, at: int) -> Iterator[tuple[Figure, Cue, frozenset[ColumnRef]]]:
        """Limits that are in force at a passage, each with its word and the columns it is of."""
        passage = self._answer.passages[at]
        spans = [(passage.start, passage.end)]
        if passage.lead is not None:
            lead = self._answer.passages[passage.lead]
            spans.append((lead.start, lead.end))
        for start, end in spans:
            yield from self._limits(self._answer, start, end)
        yield from self._limits(self._question, 0, len(self._question.text))

    def _limits(
        self, reading: Reading, start: int, end: int
    ) -> Iterator[tuple[Figure, Cue, frozenset[ColumnRef]]]:
        cues = [cue for cue in reading.within(reading.cues, start, end) if cue.has("compare")]
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
        if unit is not None and unit.quantity is not sample.dimension.quantity:
            return None
        value = limit.readings[0].value
        if unit is not None:
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

    def _bases(self, scope: Scope) -> list[RowSet]:
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
            if not any(sign in between for sign in ":(：（"):
                continue
            rows = frozenset[int]().union(*(each.rows for each in mine))
            if len(rows) >= least:
                yield Counted(len(rows), "names listed", None, sure=False)
        blocks: dict[int, set[int]] = {}
        for each in self._answer.passages[at + 1 :]:
            if each.kind in (PassageKind.ITEM, PassageKind.ROW) and each.lead == at:
                blocks.setdefault(each.block, set()).add(each.line)
        for lines in blocks.values():
            yield Counted(len(lines), "items listed", None, sure=False)

    def _values(self, scope: Scope) -> Iterator[Counted]:
        """Different values of a column that is spoken of; rows with and without one."""
        near = scope.label or scope.columns
        missing = scope.says("missing", "quantity.none", "negation")
        for at, table in enumerate(self._ready.tables):
            members = self._facts.members[at]
            for number, column in enumerate(table.columns):
                if ColumnRef(at, number) not in near and not missing:
                    continue
                cells = [table.rows[row][number] for row in members]
                empty = sum(cell is None for cell in cells)
                if empty:
                    yield Counted(empty, f"rows without {column.name}", None, sure=False)
                    yield Counted(len(cells) - empty, f"rows with {column.name}", None, sure=False)
                if column.kind in (Kind.FIGURE, Kind.MOMENT, Kind.DAY):
                    continue
                different = {cell for cell in cells if cell is not None}
                if 1 < len(different) < _FEW_VALUES:
                    yield Counted(len(different), f"values of {column.name}", None, sure=False)

    def _compared(self) -> Iterator[Counted]:
        """Rows in which one column is more, less or the same as another: late, over budget."""
        for at, table in enumerate(self._ready.tables):
            kinds = [(n, c) for n, c in enumerate(table.columns) if c.kind in _ORDERED]
            for first, one in kinds:
                for second, other in kinds:
                    if first >= second or not _alike(one, other):
                        continue
                    pairs = [
                        (table.rows[row][first], table.rows[row][second])
                        for row in self._facts.members[at]
                    ]
                    known = [(a, b) for a, b in pairs if a is not None and b is not None]
                    for count in (
                        sum(a < b for a, b in known),  # pyright: ignore[reportOperatorIssue]
                        sum(a > b for a, b in known),  # pyright: ignore[reportOperatorIssue]
                        sum(a == b for a, b in known),
                    ):
                        yield Counted(count, f"{one.name} against {other.name}", None, sure=False)

    def _rest(self, scope: Scope) -> Iterator[Counted]:
        for table, rows in (*scope.named, *scope.carried):
            rest = self._facts.members[table] - rows
            if rest:
                yield Counted(len(rest), "all others", (table, rest), sure=False)


def _is_beside(text: str, limit: Figure, cue: Cue) -> bool:
    """Whether a word of comparison goes with a figure: nothing but a short word between."""
    if cue.end <= limit.start:
        between = text[cue.end : limit.start]
        return len(between) <= _REACH and not any(sign in between for sign in ",.;:()，。、（")
    between = text[limit.end : cue.start]
    return cue.start >= limit.end and len(between) <= 1 and cue.text in _BEHIND


_REACH = 8
_BEHIND = frozenset(
    {"以上", "以下", "及以上", "及以下", "以内", "or more", "or less", "oder mehr", "oder weniger"}
)
_ORDERED = (Kind.FIGURE, Kind.DAY, Kind.MOMENT)


def _alike(one: Column, other: Column) -> bool:
    if one.kind is not other.kind:
        return False
    if one.kind is not Kind.FIGURE:
        return True
    return one.dimension == other.dimension and bool(set(one.words) & set(other.words))
