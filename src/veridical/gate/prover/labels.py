"""The columns that the label of a figure mentions: a table's head, the words beside it."""

from bisect import bisect_left

from veridical.contracts.language import Language
from veridical.evidence.column import CellKind
from veridical.evidence.dimension import Quantity
from veridical.gate.prover.agree import may_show
from veridical.gate.prover.facts import is_plain
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.measures import ColumnRef, MeasureMention
from veridical.gate.prover.passage import Passage, Span, cell_at
from veridical.gate.prover.prepared import Prepared, ReadText
from veridical.late_pattern import late_pattern
from veridical.reading.language import small_words
from veridical.reading.punctuation import LIST_MARKS, marks

_BEHIND_REACH = 14
_OWNED_REACH = 2
_COMMAS = marks(",;")
_PARTING = f"{marks(',.;:()')}{LIST_MARKS}|"
_WORD = late_pattern(r"[^\W\d_]{3,}")
Columns = frozenset[ColumnRef]


def _start(figure: Figure) -> int:
    return figure.start


class LabelReader:
    """Reads the labels of figures."""

    def __init__(self, ready: Prepared, answer: ReadText) -> None:
        self._ready = ready
        self._answer = answer
        self._small = small_words(answer.words.language)
        self._has_money = any(
            column.dimension is not None and column.dimension.quantity is Quantity.MONEY
            for table in ready.tables
            for column in table.columns
        )

    def of_head(self, figure: Figure, head: Span) -> tuple[Columns, Columns]:
        """The columns that a table's head mentions: by their own names, and by any."""
        found = self._answer.within(self._answer.measures, *head)
        own = frozenset(ref for each in found if each.own for ref in each.columns)
        every = frozenset(ref for each in found for ref in each.columns)
        return self._measured(own, figure), self._measured(every, figure)

    def beside(self, figure: Figure, passage: Passage) -> tuple[Columns, bool]:
        """The columns of the words beside, on the side where a language puts them; whether these
        are the columns' own names. The word right behind a figure is that figure's alone."""
        sides = self._sides(figure, passage)
        chosen = next((side for side in sides if side), [])
        own = [each for each in chosen if each.own]
        columns = frozenset(ref for each in own or chosen for ref in each.columns)
        return self._measured(columns, figure), bool(own)

    def _sides(self, figure: Figure, passage: Passage) -> tuple[list[MeasureMention], ...]:
        figures = self._answer.within(self._answer.figures, passage.start, passage.end)
        at = bisect_left(figures, figure.start, key=_start)
        ends = (figures[place].end for place in range(at - 1, -1, -1))
        start = next((end for end in ends if end <= figure.start), passage.start)
        after = bisect_left(figures, figure.end, key=_start)
        end = figures[after].start if after < len(figures) else passage.end
        fitting = [
            each
            for each in self._answer.within(self._answer.measures, start, end)
            if self._measured(each.columns, figure)
        ]
        behind = [each for each in fitting if self._is_behind(figure, each)]
        first = _OWNED_REACH if start > passage.start else -1
        before = [
            each for each in fitting if each.end <= figure.start and each.start - start > first
        ]
        comma = max(self._answer.text.rfind(sign, start, figure.start) for sign in _COMMAS)
        close = [each for each in before if each.start > comma]
        if self._answer.words.language is Language.ZH:
            return close, before, behind
        places = [self._answer.text.find(sign, figure.end, end) for sign in ",;.)"]
        stop = min((place for place in places if place >= 0), default=end)
        rest = [each for each in fitting if comma >= 0 and figure.end <= each.start < stop]
        return behind, close, rest, before

    def _is_behind(self, figure: Figure, mention: MeasureMention) -> bool:
        if mention.start < figure.end:
            return False
        between = self._answer.text[figure.end : mention.start]
        if not 0 <= len(between) <= _BEHIND_REACH or any(sign in between for sign in _PARTING):
            return False
        if self._answer.words.language is Language.ZH:
            return len(between.strip()) <= 1
        return not any(word in self._small for word in between.casefold().split())

    def _measured(self, columns: Columns, figure: Figure) -> Columns:
        """Those of the columns that hold figures in the unit of this one."""
        return frozenset(
            ref
            for ref in columns
            if (dimension := self._ready.facts.column(ref).dimension) is not None
            and may_show(figure.dimension, dimension)
            and not (self._has_money and _is_money(figure) and is_plain(dimension))
        )

    def counts_rows(self, figure: Figure, passage: Passage) -> bool:
        """True if the noun behind a figure names the rows."""
        end = min(passage.end, figure.end + _BEHIND_REACH)
        behind = [
            each
            for each in self._answer.within(self._answer.measures, figure.end, end)
            if each.own and self._is_behind(figure, each)
        ]
        return bool(behind) and all(
            self._ready.facts.column(ref).kind in (CellKind.NAME, CellKind.CODE)
            for ref in behind[0].columns
        )

    def says_more(self, figure: Figure, end: int) -> bool:
        """True if words behind a figure and its label describe it further and match no column."""
        if self._answer.words.language is Language.ZH:
            return False
        known = [
            (each.start, each.end)
            for mentions in (
                self._answer.measures, self._answer.names, self._answer.cues,
                self._answer.moments, self._answer.figures,
            )
            for each in self._answer.within(mentions, figure.end, end)
        ]  # fmt: skip
        return any(
            word[0].casefold() not in self._small
            and not any(start < word.end() and word.start() < stop for start, stop in known)
            for word in _WORD.finditer(self._answer.text, figure.end, end)
        )

    def of_time(self, columns: Columns, figure: Figure, passage: Passage) -> Columns:
        """The columns without those of another year than the one in the words beside."""
        span = cell_head(passage, figure) or (passage.start, passage.end)
        moments = self._answer.within(self._answer.moments, *span)
        if len(moments) != 1:
            return columns
        dated = self._ready.measures.moments
        fitting = {ref for ref, moment in dated.items() if moments[0].moment.meets(moment)}
        return columns & fitting or columns


def cell_head(passage: Passage, figure: Figure) -> Span | None:
    """The head of the figure's table column."""
    at = cell_at(passage, figure.start)
    return passage.header[at] if at is not None and at < len(passage.header) else None


def _is_money(figure: Figure) -> bool:
    return figure.dimension is not None and figure.dimension.quantity is Quantity.MONEY
