"""Finds the rows and columns that each figure of an answer is about."""

from dataclasses import replace

from veridical.contracts.input_budget import keep_time
from veridical.evidence.unit import scale_factor
from veridical.gate.prover.binding import BindingReader
from veridical.gate.prover.carried import CarriedReader
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.labels import LabelReader, cell_head
from veridical.gate.prover.passage import Passage, PassageKind, Span
from veridical.gate.prover.prepared import Prepared, ReadText
from veridical.gate.prover.scope import ROUND, FigureScope, RowSet, Scheme
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN
from veridical.reading.punctuation import marks

_OF_REACH = 12
_PER_REACH = 4
_OVER_REACH = 30
_SCALE = late_pattern(rf"\s?([^\W\d_{HAN}]+|[{HAN}])")
_CLAUSE_ENDS = marks(",;")
_OVER = frozenset({"aggregate.total", "aggregate.mean", "aggregate.median"})


class ScopeReader:
    """Finds the scope of each figure of an answer."""

    def __init__(self, ready: Prepared, answer: ReadText, question: ReadText) -> None:
        self._ready = ready
        self._answer = answer
        self._question = question
        self._labels = LabelReader(ready, answer)
        self._binding = BindingReader(ready, answer)
        self._carried = CarriedReader(ready, answer, question)
        self._known: dict[int, FigureScope] = {}
        self._bound: dict[tuple[int, Scheme], tuple[list[RowSet], bool]] = {}

    def scope(self, figure: Figure, at: int, scheme: Scheme) -> FigureScope:
        """The scope of a figure of the passage at this place."""
        keep_time()  # a search among all mentions
        known = self._known.get(figure.start)
        if known is None:
            known = self._known[figure.start] = self._read(figure, at)
        passage = self._answer.passages[at]
        if passage.kind is PassageKind.ROW:
            return replace(known)
        if (figure.start, scheme) not in self._bound:
            found = self._binding.in_prose(figure, passage, scheme)
            self._bound[figure.start, scheme] = found
        bound, by_key = self._bound[figure.start, scheme]
        return replace(known, bound=bound, by_key=by_key)

    def is_of_its_clause(self, figure: Figure, at: int) -> bool:
        """True if a figure's clause names its row and has no further words about what it counts:
        "12 orders that were returned" is not the row's number of orders."""
        passage, text = self._answer.passages[at], self._answer.text
        start = max(text.rfind(sign, passage.start, figure.start) for sign in _CLAUSE_ENDS) + 1
        places = (text.find(sign, figure.end, passage.end) for sign in _CLAUSE_ENDS)
        end = min((place for place in places if place >= 0), default=passage.end)
        if passage.kind is PassageKind.SENTENCE and not self._answer.within(
            self._answer.names, max(start, passage.start), end
        ):
            return False
        return not self._labels.says_more(figure, end)

    def _read(self, figure: Figure, at: int) -> FigureScope:
        """The part of the scope that does not depend on the scheme."""
        passage = self._answer.passages[at]
        scope = FigureScope(whole=list(enumerate(self._ready.facts.members)))
        scope.in_table = passage.kind is not PassageKind.SENTENCE
        self._words(scope, figure, passage)
        if passage.kind is PassageKind.ROW:
            self._in_row(scope, figure, passage)
        scope.named = self._carried.named(passage)
        scope.carried = self._carried.carried(at)
        if not scope.columns:
            scope.columns, scope.own = self._labels.beside(figure, passage)
        scope.columns = self._labels.of_time(scope.columns, figure, passage)
        if scope.says("aggregate.rest"):
            scope.named += [
                (table, rest)
                for table, rows in [*scope.named, *scope.carried]
                if (rest := self._ready.facts.members[table] - rows)
            ]
        scope.counts = self._labels.counts_rows(figure, passage)
        return scope

    def _in_row(self, scope: FigureScope, figure: Figure, passage: Passage) -> None:
        scope.bound, scope.by_key = self._binding.in_row(figure, passage)
        names = self._answer.within(self._answer.names, passage.start, passage.end)
        cues = self._answer.within(self._answer.cues, passage.start, passage.end)
        scope.is_total = not names and any(cue.has("aggregate.total") for cue in cues)
        head = cell_head(passage, figure)
        if head is not None:
            scope.label, columns = self._labels.of_head(figure, head)
            scope.columns = scope.label or columns
            scope.own = bool(scope.label)
            scope.in_percent = "%" in self._answer.text[slice(*head)]

    def _words(self, scope: FigureScope, figure: Figure, passage: Passage) -> None:
        """Sets what the words around state: cues, mentioned columns, the base of a rate."""
        spans = [(passage.start, passage.end), *self._lead(passage)]
        head = cell_head(passage, figure)
        spans += [head] if head else []
        mentions = [
            (span, each)
            for span in spans
            for each in self._answer.within(self._answer.measures, *span)
        ]
        question_kinds = [kind for cue in self._question.cues for kind in cue.kinds]
        scope.kinds = frozenset(
            kind
            for span in spans
            for cue in self._answer.within(self._answer.cues, *span)
            for kind in cue.kinds
        ) | frozenset(kind for kind in question_kinds if kind.startswith("aggregate"))
        scope.here = frozenset(
            ref for span, each in mentions if span == spans[0] for ref in each.columns
        )
        scope.mentioned = frozenset(
            ref for _, each in mentions for ref in each.columns
        ) | frozenset(ref for each in self._question.measures for ref in each.columns)
        scope.per = self._per(figure, spans[:2])
        before = max(passage.start, figure.start - _OVER_REACH)
        scope.aggregate_words = frozenset(
            kind
            for cue in self._answer.within(self._answer.cues, before, figure.start)
            for kind in cue.kinds & _OVER
        )
        scope.after_of = any(
            cue.has("aggregate.of") and 0 <= figure.start - cue.end <= _OF_REACH
            for cue in self._answer.within(self._answer.cues, passage.start, figure.start)
        )

    def _lead(self, passage: Passage) -> list[Span]:
        if passage.lead is None:
            return []
        lead = self._answer.passages[passage.lead]
        return [(lead.start, lead.end)]

    def _per(self, figure: Figure, spans: list[Span]) -> float:
        """The base of a rate: 10,000 in "per 10,000"."""
        cues = [cue for span in spans for cue in self._answer.within(self._answer.cues, *span)]
        for cue in cues:
            if not cue.has("aggregate.per"):
                continue
            near = self._answer.within(self._answer.figures, cue.end, cue.end + _PER_REACH)
            for each in near:
                values = [reading.value for reading in each.readings if reading.value in ROUND]
                if values and each is not figure:
                    return values[-1]
            scale = _SCALE.match(self._answer.text, cue.end)
            if scale and (factor := scale_factor(scale[1])):
                return factor
        return 1.0
