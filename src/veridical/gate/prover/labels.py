"""The columns that the label of a figure mentions: a table's head, the words beside it."""

from bisect import bisect_left

from veridical.contracts.language import Language
from veridical.evidence.column import CellKind
from veridical.evidence.dimension import Quantity
from veridical.gate.prover.agree import may_show
from veridical.gate.prover.facts import is_plain
from veridical.gate.prover.measures import ColumnRef, MeasureMention
from veridical.gate.prover.prepared import Prepared, ReadText
from veridical.gate.text.figures import Figure
from veridical.gate.text.passage import Passage, Span, cell_head
from veridical.reading.language import small_words
from veridical.reading.punctuation import LIST_MARKS, marks

_BEHIND_REACH = 14
_OWNED_REACH = 2
"""The word right behind a figure is that figure's alone."""
_COMMAS = marks(",;")
_PARTING = f"{marks(',.;:()')}{LIST_MARKS}|"
_STOPS = marks(",;.)")
Columns = frozenset[ColumnRef]


class LabelReader:
    """Reads the labels of figures."""

    def __init__(self, ready: Prepared, answer: ReadText) -> None:
        self._facts = ready.facts
        self._moments = ready.measures.moments
        self._answer = answer
        self._small = small_words(answer.words.language)
        columns = (column.dimension for table in ready.tables for column in table.columns)
        self._has_money = any(each and each.quantity is Quantity.MONEY for each in columns)

    def read(self, figure: Figure, passage: Passage) -> tuple[Columns, Columns]:
        """The columns that a figure's label names, and those that it may mean."""
        head = cell_head(passage, figure.start)
        found = self._of_head(figure, head) if head else ()
        chosen = found or self._beside(figure, passage)
        own = [each for each in chosen if each.own]
        columns = frozenset(ref for each in own or chosen for ref in each.columns)
        columns = self._of_time(self._measured(columns, figure), head or passage.span)
        return (columns, columns) if own else (frozenset(), columns)

    def counts_rows(self, figure: Figure, passage: Passage) -> bool:
        """True if the noun behind a figure names the rows."""
        end = min(passage.end, figure.end + _BEHIND_REACH)
        for each in self._answer.within(self._answer.measures, figure.end, end):
            if each.own and self._is_behind(figure, each):
                kinds = {self._facts.column(ref).kind for ref in each.columns}
                return kinds <= {CellKind.NAME, CellKind.CODE}
        return False

    def _of_head(self, figure: Figure, head: Span) -> list[MeasureMention]:
        found = self._answer.within(self._answer.measures, *head)
        return [each for each in found if self._measured(each.columns, figure)]

    def _beside(self, figure: Figure, passage: Passage) -> list[MeasureMention]:
        """The mentions on the side where a language puts them."""
        figures = self._answer.within(self._answer.figures, passage.start, passage.end)
        at = bisect_left(figures, figure.start, key=lambda each: each.start)
        start = figures[at - 1].end if at else passage.start
        end = figures[at + 1].start if at + 1 < len(figures) else passage.end
        text = self._answer.text
        fitting = [
            each
            for each in self._answer.within(self._answer.measures, start, end)
            if self._measured(each.columns, figure)
        ]
        behind = [each for each in fitting if self._is_behind(figure, each)]
        first = start + _OWNED_REACH if at else -1
        before = [each for each in fitting if each.end <= figure.start and each.start > first]
        comma = max(text.rfind(sign, start, figure.start) for sign in _COMMAS)
        close = [each for each in before if each.start > comma]
        if self._answer.words.language is Language.ZH:
            return close or before or behind
        places = [text.find(sign, figure.end, end) for sign in _STOPS]
        stop = min((place for place in places if place >= 0), default=end)
        rest = [each for each in fitting if comma >= 0 and figure.end <= each.start < stop]
        return behind or close or rest or before

    def _is_behind(self, figure: Figure, mention: MeasureMention) -> bool:
        between = self._answer.text[figure.end : mention.start]
        if mention.start < figure.end or len(between) > _BEHIND_REACH:
            return False
        if any(sign in between for sign in _PARTING):
            return False
        if self._answer.words.language is Language.ZH:
            return len(between.strip()) <= 1
        return not any(word in self._small for word in between.casefold().split())

    def _measured(self, columns: Columns, figure: Figure) -> Columns:
        """Those of the columns that hold figures in the unit of this one."""
        unit = figure.dimension
        in_money = self._has_money and unit is not None and unit.quantity is Quantity.MONEY
        return frozenset(
            ref
            for ref in columns
            if (dimension := self._facts.column(ref).dimension) is not None
            and may_show(unit, dimension)
            and not (in_money and is_plain(dimension))
        )

    def _of_time(self, columns: Columns, span: Span) -> Columns:
        """The columns without those of another year than the one in the words beside."""
        moments = self._answer.within(self._answer.moments, *span)
        if len(moments) != 1:
            return columns
        dated = self._moments.items()
        return columns & {ref for ref, each in dated if moments[0].moment.meets(each)} or columns
