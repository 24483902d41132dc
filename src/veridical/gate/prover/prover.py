"""Proves the figures of one answer against one evidence, passage by passage."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from veridical.contracts.input_budget import keep_time
from veridical.evidence.dimension import COUNT, NUMBER, Quantity
from veridical.evidence.unit import scale_factor
from veridical.gate.prover.agree import close_to
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.counts import CountReader
from veridical.gate.prover.facts import Fact, Over
from veridical.gate.prover.how import How
from veridical.gate.prover.labels import LabelReader
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.prepared import Prepared, ReadText
from veridical.gate.prover.rows import RowReader
from veridical.gate.prover.scope import FigureScope, Scheme
from veridical.gate.prover.search import Match, Search
from veridical.gate.prover.times import FactTimes
from veridical.gate.text.figures import Figure
from veridical.gate.text.passage import Passage, PassageKind, cell_head
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN

_MOST_SHOWN = 60
_OF_REACH, _OVER_REACH, _PER_REACH = 12, 30, 4
_SCALE = late_pattern(rf"\s?([^\W\d_{HAN}]+|[{HAN}])")
_ROUND = frozenset({100.0, 1_000.0, 10_000.0, 100_000.0, 1_000_000.0})
_OVER_ALL = ("aggregate.total", "aggregate.mean", "aggregate.median")
_GAPS = ("aggregate.difference", "direction.up", "direction.down", "aggregate.rest")
Proved = tuple[Claim, Match | None]


class Prover:
    """One answer against one evidence."""

    def __init__(
        self, ready: Prepared, answer: ReadText, question: ReadText, last_question: ReadText
    ) -> None:
        self.ready = ready
        self.answer = answer
        self.question = question
        self.last_question = last_question  # ``question`` has the earlier ones as well
        self.times = FactTimes(ready)
        self.counts = CountReader(ready, answer, question)
        self.search = Search(ready, answer, question, self.times)
        self.rows = RowReader(ready, answer, question)
        self._labels = LabelReader(ready, answer)
        self._scopes: dict[int, FigureScope] = {}
        self.claims: dict[int, Claim] = {}
        """The claims of figures by their places."""
        self.chosen: dict[int, Scheme] = {}
        self.matches: dict[int, Match] = {}
        self.facts: dict[int, Fact] = {}
        """The values of proven figures, as facts that others may rest on."""

    def prove_passage(self, at: int) -> None:
        """Its figures under the scheme that proves most of them."""
        keep_time(now=True)
        passage = self.answer.passages[at]
        figures = self.answer.within(self.answer.figures, *passage.span)
        best: list[Proved] = []
        least, chosen = len(figures) + 1, Scheme.BEFORE
        tried: list[object] = []
        for scheme in Scheme if passage.kind is not PassageKind.ROW else (Scheme.BEFORE,):
            scopes = [self.scope(figure, at, scheme) for figure in figures]
            bound = [(each.bound, each.by_key) for each in scopes]
            if bound in tried or not least:
                continue  # the other side names the same rows
            tried.append(bound)
            found = self._by_scheme(figures, at, scopes)
            wrong = sum(claim.stand is not Stand.PROVEN for claim, _ in found)
            if wrong < least:
                least, best, chosen = wrong, found, scheme
        for figure, (claim, match) in zip(figures, best, strict=True):
            self.claims[figure.start] = claim
            self.chosen[figure.start] = chosen
            if match is not None:
                self.matches[figure.start] = match
            if fact := _fact(figure, claim, match):
                self.facts[figure.start] = fact
        self._settle_limits(figures, at)

    def _settle_limits(self, figures: Sequence[Figure], at: int) -> None:
        """A limit is proven where as many rows are beyond it as the passage says."""
        bases = [self.claims[each.start].basis for each in figures]
        if not any(basis and basis.how is How.BEYOND_LIMIT and basis.columns for basis in bases):
            return
        for limit, _, columns in self.counts.limits(at):
            if limit in figures and columns:
                self.claims[limit.start] = _proven(limit, Basis(How.LIMIT))

    def finds(self, others: Sequence[Figure], at: int) -> Iterator[bool]:
        """For each of other figures: would it be proven in this place?"""
        start = others[0].start
        for figure in others:
            scope = self.scope(figure, at, self.chosen[start])
            claim, _ = self._plainly(figure, at, scope)
            is_pair = start in self.matches and bool(self.matches[start].fact.parts)
            if claim.stand is Stand.UNPROVEN and is_pair:
                claim, _ = self._combined(figure, at, scope, self._shown(at))
            yield claim.stand is Stand.PROVEN

    def scope(self, figure: Figure, at: int, scheme: Scheme) -> FigureScope:
        """The scope of a figure of the passage at this place."""
        keep_time()
        passage = self.answer.passages[at]
        known = self._scopes.get(figure.start)
        if known is None:
            known = self._scopes[figure.start] = self._read_scope(figure, at, passage)
        if passage.kind is PassageKind.ROW:
            bound, by_key = self.rows.in_row(figure, passage)
        else:
            bound, by_key = self.rows.in_prose(figure, passage, scheme)
        return replace(known, bound=bound, by_key=by_key)

    def _read_scope(self, figure: Figure, at: int, passage: Passage) -> FigureScope:
        """The part of the scope that does not depend on the scheme."""
        answer, head = self.answer, cell_head(passage, figure.start)
        spans = [passage.span]
        if passage.lead is not None:
            spans.append(answer.passages[passage.lead].span)
        cues = [cue for span in spans for cue in answer.within(answer.cues, *span)]
        cues += answer.within(answer.cues, *head) if head else []
        asked = {kind for cue in self.question.cues for kind in cue.kinds}
        here = _refs(answer, *passage.span)
        led = frozenset[ColumnRef]().union(*(_refs(answer, *span) for span in spans))
        before = [cue for cue in cues if passage.start <= cue.start and cue.end <= figure.start]
        scope = FigureScope(
            named=self.rows.named(at),
            carried=self.rows.carried(at),
            here=here,
            mentioned=led | _refs(self.question, 0, len(self.question.text)),
            kinds=frozenset(kind for cue in cues for kind in cue.kinds)
            | {kind for kind in asked if kind.startswith("aggregate")},
            in_table=passage.kind is not PassageKind.SENTENCE,
            in_percent=head is not None and "%" in answer.text[slice(*head)],
            is_total=passage.kind is PassageKind.ROW
            and not answer.within(answer.names, *passage.span)
            and any(cue.has("aggregate.total") for cue in cues),
            after_of=any(
                cue.has("aggregate.of") and figure.start - cue.end <= _OF_REACH for cue in before
            ),
            over_all=any(
                not cue.kinds.isdisjoint(_OVER_ALL) and figure.start - cue.start <= _OVER_REACH
                for cue in before
            ),
            counts=self._labels.counts_rows(figure, passage),
            per=next((per for cue in cues if (per := self._base(cue.kinds, cue.end, figure))), 1.0),
        )
        scope.label, scope.hint = self._labels.read(figure, passage)
        if scope.says("aggregate.rest"):
            members = self.ready.facts.members
            others = [(at, members[at] - rows) for at, rows in (*scope.named, *scope.carried)]
            scope.named = [*scope.named, *(each for each in others if each[1])]
        return scope

    def _base(self, kinds: frozenset[str], end: int, figure: Figure) -> float | None:
        """The base of a rate: 10,000 in "per 10,000"."""
        if "aggregate.per" not in kinds:
            return None
        for each in self.answer.within(self.answer.figures, end, end + _PER_REACH):
            values = [reading.value for reading in each.readings if reading.value in _ROUND]
            if values and each is not figure:
                return values[-1]
        scale = _SCALE.match(self.answer.text, end)
        return scale_factor(scale[1]) if scale else None

    def _by_scheme(
        self, figures: Sequence[Figure], at: int, scopes: Sequence[FigureScope]
    ) -> list[Proved]:
        pairs = list(zip(figures, scopes, strict=True))
        found = [self._plainly(figure, at, scope) for figure, scope in pairs]
        shown = self._shown(at)
        shown += [fact for n, each in enumerate(figures) if (fact := _fact(each, *found[n]))]
        here = _columns(found)
        around = here or _refs(self.question, 0, len(self.question.text), own=True)
        for n, (figure, scope) in enumerate(pairs):
            if found[n][0].stand is Stand.UNPROVEN:
                scope.around = around & self.ready.facts.refs
                found[n] = self._combined(figure, at, scope, shown)
                if fact := _fact(figure, *found[n]):
                    shown.append(fact)
        return found

    def _plainly(self, figure: Figure, at: int, scope: FigureScope) -> Proved:
        """By a single fact, a count, or because it only repeats something."""
        limits = self.counts.limits(at)
        counted = self._counted(figure, at, scope)
        if counted is not None and (scope.counts or counted.how is How.BEYOND_LIMIT):
            return _proven(figure, counted), None
        if scope.counts and figure.is_whole:
            return _unproven(figure), None
        match = next(iter(self.search.plain(figure, scope)), None)
        if match is not None and match.fits:
            return _proven(figure, match.basis), match
        if self._is_in_question(figure):
            return _proven(figure, Basis(How.QUESTION)), None
        if any(limit is figure for limit, _, _ in limits):
            return _unproven(figure), None
        if self._is_running_number(figure, self.answer.passages[at]):
            return _proven(figure, Basis(How.RUNNING_NUMBER)), None
        return (_proven(figure, counted) if counted else _unproven(figure)), None

    def _combined(
        self, figure: Figure, at: int, scope: FigureScope, shown: Sequence[Fact]
    ) -> Proved:
        """By two facts, or by a fact that the words leave open."""
        gap = bool(figure.sign) or scope.says(*_GAPS)
        if scope.counts and figure.is_whole and not gap:
            return _unproven(figure), None
        for match in self.search.combined(figure, scope, shown):
            if match.fits:
                return _proven(figure, match.basis), match
        share = self._count_share(figure, at, scope)
        if share:
            return _proven(figure, share), None
        loose = self.search.plain(figure, scope)
        elsewhere = scope.hint and any(each.columns & scope.here for each in loose)
        if loose and not scope.label and not elsewhere and figure.is_distinct:
            return _proven(figure, loose[0].basis), loose[0]
        return self._contradicted(figure, at, scope) or _unproven(figure), None

    def _contradicted(self, figure: Figure, at: int, scope: FigureScope) -> Claim | None:
        """The claim of a figure right beside its row and its column, whose cell says otherwise."""
        single = [each for each in scope.bound if len(each[1]) == 1]
        if not scope.by_key or len(single) != 1 or len(scope.label) != 1 or figure.mark:
            return None
        if scope.says(*_GAPS, "aggregate.total", "aggregate.share", "aggregate.per", "compare"):
            return None
        row = self.ready.facts.over(*single[0])
        if any(close_to(figure, each.raw) for each in row) or not self._ends_clause(figure, at):
            return None
        unit = figure.dimension
        for fact in row:
            same = unit is None or unit.quantity is fact.dimension.quantity
            if fact.ref in scope.label and same:
                against = Basis(How.ITSELF, (fact,))
                return _claim(figure, Stand.CONTRADICTED, against)
        return None

    def _ends_clause(self, figure: Figure, at: int) -> bool:
        """True if a figure and its label have a clause of their own with a name: no further words
        describe what it counts."""
        answer, passage = self.answer, self.answer.passages[at]
        text = answer.text
        start = max(text.rfind(sign, passage.start, figure.start) for sign in ",;") + 1
        if not answer.within(answer.names, max(start, passage.start), figure.start):
            return passage.kind is PassageKind.ROW
        behind = answer.within(answer.measures, figure.end, passage.end)[:1]
        end = behind[0].end if behind and behind[0].start - figure.end <= 1 else figure.end
        rest = text[end : passage.end].strip()
        return not rest[:1].isalnum() or self._opens_clause(end, passage)

    def _opens_clause(self, end: int, passage: Passage) -> bool:
        """True if the next name, at most a word away, has a figure of its own right behind it."""
        answer = self.answer
        name = next(iter(answer.within(answer.names, end, passage.end)), None)
        if name is None or len(answer.text[end : name.start].split()) > 1:
            return False
        following = answer.within(answer.figures, name.end, passage.end)[:1]
        return any(each.start - name.end <= 1 for each in following)

    def _counted(self, figure: Figure, at: int, scope: FigureScope) -> Basis | None:
        if not figure.is_whole:
            return None
        found = list(self.counts.counts(figure, at, scope))
        if self._leads(figure, at) and any(each.sure for each in found):
            found = [each for each in found if each.sure or each.how is How.ALL_ROWS]
        return next((each.basis for each in found if close_to(figure, each.count)), None)

    def _leads(self, figure: Figure, at: int) -> bool:
        """True for the first number of a passage, with no name before it: where there is a limit,
        it counts the rows beyond it."""
        passage = self.answer.passages[at]
        limits = [limit for limit, _, _ in self.counts.limits(at)]
        before = self.answer.within(self.answer.figures, passage.start, figure.start)
        counting = [each for each in before if each.is_whole and each not in limits]
        named = self.answer.within(self.answer.names, passage.start, figure.start)
        return not counting and not named and figure not in limits

    def _count_share(self, figure: Figure, at: int, scope: FigureScope) -> Basis | None:
        """Rows as a part of others, in percent."""
        if figure.dimension is None or figure.dimension.quantity is not Quantity.SHARE:
            return None
        counts = {
            each.count
            for each in self.counts.counts(figure, at, scope)
            if each.sure or each.rows in (*scope.bound, *scope.named)
        }
        wholes = counts | {len(rows) for _, rows in self.ready.facts.whole}
        for part in counts:
            for whole in wholes:
                if part <= whole and whole and close_to(figure, 100 * part / whole):
                    return Basis(How.ROWS_OF_ROWS, values=(str(part), str(whole)))
        return None

    def _is_in_question(self, figure: Figure) -> bool:
        return any(
            (figure.dimension is None or each.dimension in (None, figure.dimension))
            and any(a.value == b.value for a in figure.readings for b in each.readings)
            for each in self.question.figures
        )

    def _is_running_number(self, figure: Figure, passage: Passage) -> bool:
        """True if it only numbers the rows of a table."""
        if passage.kind is not PassageKind.ROW or not passage.cells:
            return False
        rows = [each for each in self.answer.passages if each.block == passage.block]
        start, end = passage.cells[0]
        place = rows.index(passage) + 1
        return start <= figure.start < end and figure.readings[0].value == place

    def _shown(self, at: int) -> list[Fact]:
        """Facts behind the figures of the two passages before, and of the list before."""
        passages = self.answer.passages
        numbers = (passages[at].lead, at - 2, at - 1)
        near = [passages[n] for n in numbers if n is not None and 0 <= n < at]
        if at and passages[at - 1].block != passages[at].block:
            near += [
                each
                for each in passages[max(0, at - _MOST_SHOWN) : at]
                if each.block == passages[at - 1].block
            ]
        places = {
            figure.start: None
            for each in near
            for figure in self.answer.within(self.answer.figures, *each.span)
        }
        return [self.facts[start] for start in places if start in self.facts][-_MOST_SHOWN:]

    def facts_in(self, passage: Passage) -> list[Fact]:
        """Facts behind the figures of a passage."""
        figures = self.answer.within(self.answer.figures, *passage.span)
        return [self.facts[each.start] for each in figures if each.start in self.facts]


def _refs(reading: ReadText, start: int, end: int, *, own: bool = False) -> frozenset[ColumnRef]:
    """All columns that a part of a text mentions."""
    mentions = reading.within(reading.measures, start, end)
    return frozenset(ref for each in mentions if each.own or not own for ref in each.columns)


def _claim(figure: Figure, stand: Stand, basis: Basis | None = None) -> Claim:
    return Claim(figure.start, figure.end, "figure", stand, basis=basis)


def _proven(figure: Figure, basis: Basis) -> Claim:
    return _claim(figure, Stand.PROVEN, basis)


def _unproven(figure: Figure) -> Claim:
    return _claim(figure, Stand.UNPROVEN)


def _columns(found: Sequence[Proved]) -> frozenset[ColumnRef]:
    """The columns of figures that a single fact proves."""
    singles = (match for _, match in found if match is not None and not match.fact.parts)
    return frozenset(match.fact.ref for match in singles)


def _fact(figure: Figure, claim: Claim, match: Match | None) -> Fact | None:
    """The value that a proven figure stands for."""
    if claim.stand is not Stand.PROVEN:
        return None
    if match is not None and not match.fact.parts:
        return match.fact
    dimension = figure.dimension or (COUNT if figure.is_whole else NUMBER)
    value = figure.readings[0].value * dimension.factor
    how, parts = (match.fact.how, match.fact.parts) if match else (None, ())
    place = frozenset({figure.start})
    return Fact(value, dimension, Over.DERIVED, -1, -1, place, how, parts)
