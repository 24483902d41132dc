"""Proves the figures of one answer against one evidence, passage by passage."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, takewhile

from veridical.contracts.input_budget import keep_time
from veridical.evidence.dimension import COUNT, NUMBER, Quantity
from veridical.gate.prover.agree import close_to, may_show
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.counts import CountReader
from veridical.gate.prover.derive import Deriver
from veridical.gate.prover.durations import DurationReader, counts_periods
from veridical.gate.prover.fact_times import FactTimes
from veridical.gate.prover.facts import Fact, Over
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.from_to import both_ends, ends, other_end
from veridical.gate.prover.how import How
from veridical.gate.prover.ladder import LadderSearch
from veridical.gate.prover.match import Match
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.passage import Passage, PassageKind
from veridical.gate.prover.prepared import Prepared, ReadText
from veridical.gate.prover.repeated import RepeatReader
from veridical.gate.prover.scope import FigureScope, RowSet, Scheme
from veridical.gate.prover.scope_reader import ScopeReader
from veridical.gate.prover.stated_units import stated_units

_MOST_SHOWN = 60
_NOTHING = "nothing gives this figure"
_GAPS = ("aggregate.difference", "direction.up", "direction.down", "aggregate.rest")
Proved = tuple[Claim, list[Match]]


class Prover:
    """One answer against one evidence."""

    def __init__(
        self, ready: Prepared, answer: ReadText, question: ReadText, last_question: ReadText
    ) -> None:
        self.ready = ready
        self.answer = answer
        self.question = question
        self.last_question = last_question  # ``question`` has the earlier ones as well
        self.scopes = ScopeReader(ready, answer, question)
        self.times = FactTimes(ready.tables, ready.measures.moments, ready.call_moments)
        units = stated_units(ready, answer, question)
        self.deriver = Deriver(ready, units, self.times)
        self.counts = CountReader(ready, answer, question)
        self._repeats = RepeatReader(ready, answer, question, self.counts)
        self._durations = DurationReader(ready, answer)
        self._ladder = LadderSearch(ready)
        self.claims: list[Claim] = []
        self.chosen: dict[int, Scheme] = {}
        self.matches: dict[int, list[Match]] = {}
        """By the place of a figure: the expressions that prove it."""
        self.facts: dict[int, Fact | None] = {}
        """Its value as a fact that others may rest on."""

    def prove_passage(self, at: int) -> None:
        """Its figures under the scheme that proves most of them."""
        keep_time(now=True)
        passage = self.answer.passages[at]
        figures = self.answer.within(self.answer.figures, passage.start, passage.end)
        schemes = (Scheme.BEFORE,) if passage.kind is PassageKind.ROW else tuple(Scheme)
        best: list[Proved] = []
        chosen = schemes[0]
        least = len(figures) + 1
        tried: list[list[tuple[list[RowSet], bool]]] = []
        for scheme in schemes:
            scopes = [self.scopes.scope(figure, at, scheme) for figure in figures]
            bound = [(each.bound, each.by_key) for each in scopes]
            if bound in tried:
                continue  # the other side names the same rows
            tried.append(bound)
            proved = self._by_scheme(figures, at, scopes)
            wrong = sum(claim.stand is not Stand.PROVEN for claim, _ in proved)
            if wrong < least:
                least, best, chosen = wrong, proved, scheme
            if not wrong:
                break
        scopes = [self.scopes.scope(figure, at, chosen) for figure in figures]
        best = self._with_ends(figures, scopes, best)
        for figure, found in zip(figures, self._laddered(figures, at, scopes, best), strict=True):
            claim, matches = found
            self.claims.append(claim)
            self.matches[figure.start] = matches
            self.chosen[figure.start] = chosen
            self.facts[figure.start] = _fact(figure, claim, matches)

    def _by_scheme(self, figures: list[Figure], at: int, scopes: list[FigureScope]) -> list[Proved]:
        pairs = list(zip(figures, scopes, strict=True))
        found = [self._plainly(figure, at, scope) for figure, scope in pairs]
        shown = self._shown(at)
        for figure, proved in zip(figures, found, strict=True):
            shown += [fact] if (fact := _fact(figure, *proved)) else []
        here = _columns(found)
        around = here or self._question_columns()
        for n, (figure, scope) in enumerate(pairs):
            if found[n][0].stand is not Stand.UNPROVEN:
                continue
            scope.around = frozenset() if figure.is_exact else around
            scope.shown_here = bool(here)
            found[n] = self._combined(figure, at, scope, shown)
            shown += [fact] if (fact := _fact(figure, *found[n])) else []
        return found

    def _plainly(self, figure: Figure, at: int, scope: FigureScope) -> Proved:
        """By a single fact, a count, or because it only repeats something."""
        sure = self._is_sure_count(figure, at, scope)
        if sure is not None:
            stand = Stand.PROVEN if sure else Stand.CONTRADICTED
            return _claim(figure, stand, How.BEYOND_LIMIT, self._limited(figure, at, scope)), []
        if scope.counts and figure.is_whole:
            counted = self._counted(figure, at, scope)
            return _proven(figure, counted) if counted else _unproven(figure, "count"), []
        matches = self.deriver.plain(figure, scope)
        if any(match.fits_words for match in matches):
            return _proven(figure, matches[0].basis), matches
        repeated = self._repeats.reason(figure, at)
        basis = Basis(repeated) if repeated else self._counted(figure, at, scope)
        return _proven(figure, basis) if basis else _unproven(figure), []

    def _combined(self, figure: Figure, at: int, scope: FigureScope, shown: list[Fact]) -> Proved:
        """By two facts, the time between two days, or a fact that the words leave open."""
        gap = bool(figure.sign) or scope.says(*_GAPS)
        if scope.counts and figure.is_whole and not gap:
            return _unproven(figure, "count"), []
        days = self._durations.between(figure, self.answer.passages[at], scope)
        if days:
            return _proven(figure, days), []
        matches = self.deriver.combined(figure, scope, shown)
        if any(match.fits_words for match in matches):
            return _proven(figure, matches[0].basis), matches
        share = self.count_share(figure, at, scope)
        if share:
            return _proven(figure, share), []
        loose = self.deriver.plain(figure, scope)
        elsewhere = scope.columns and any(m.columns & scope.here for m in loose)
        if loose and not scope.own and not elsewhere and figure.is_distinct:
            return _proven(figure, loose[0].basis), loose
        other = self._other(figure, scope)
        if other is not None and self.scopes.is_of_its_clause(figure, at):
            against = Basis(How.ITSELF, (other,))
            return _claim(figure, Stand.CONTRADICTED, "another is there", against), []
        if self._is_whole_of(figure, at, scope):
            return _proven(figure, Basis(How.PART_OF_BEFORE)), []
        return _unproven(figure, _NOTHING), []

    def finds(self, others: Sequence[Figure], at: int, *, derived: bool) -> Iterator[bool]:
        """For each of other figures: would it be proven in this place, by one fact or two?"""
        scope = self.scopes.scope(others[0], at, self.chosen[others[0].start])
        for figure in others:
            stand = self._plainly(figure, at, scope)[0].stand
            if derived and stand is Stand.UNPROVEN:
                stand = self._combined(figure, at, scope, self._shown(at))[0].stand
            yield stand is Stand.PROVEN

    def _with_ends(
        self, figures: list[Figure], scopes: list[FigureScope], found: list[Proved]
    ) -> list[Proved]:
        """Ends of changes by the column of the other end, or both by the same column."""
        done = list(found)
        for one, other in ends(self.answer.text, figures):
            for mine, its in ((one, other), (other, one)):
                known = _fact(figures[its], *done[its])
                if _is_open(done[mine]) and known is not None:
                    match = other_end(
                        known, figures[mine], scopes[mine], self.deriver, self.ready.facts
                    )
                    if match is not None:
                        done[mine] = _proven(figures[mine], match.basis), [match]
            if _is_open(done[one]) and _is_open(done[other]):
                columns = sorted(_columns(found) or scopes[one].here or self._question_columns())
                pair = figures[one], figures[other]
                both = both_ends(
                    pair, (scopes[one], scopes[other]), columns, self.deriver, self.ready.facts
                )
                if both is not None:
                    done[one] = _proven(pair[0], both[0].basis), [both[0]]
                    done[other] = _proven(pair[1], both[1].basis), [both[1]]
        return done

    def _laddered(
        self, figures: list[Figure], at: int, scopes: list[FigureScope], found: list[Proved]
    ) -> list[Proved]:
        """Figures that are still open, by the ladder and then by the figures it proved."""
        done = list(found)
        for n, figure in enumerate(figures):
            if _is_open(done[n]):
                done[n] = self._up_the_ladder(figure, at, scopes[n])
        facts = [fact for n, each in enumerate(figures) if (fact := _fact(each, *done[n]))]
        if len(facts) == sum(_fact(e, *f) is not None for e, f in zip(figures, found, strict=True)):
            return done
        for n, figure in enumerate(figures):
            if done[n][0].stand is Stand.UNPROVEN:
                again = self._combined(figure, at, scopes[n], [*self._shown(at), *facts])
                done[n] = again if again[0].stand is Stand.PROVEN else done[n]
        return done

    def _up_the_ladder(self, figure: Figure, at: int, scope: FigureScope) -> Proved:
        """By the nearest expression of all, where hardly any other figure would be found too."""
        found = self._ladder.search(figure, scope, self._beyond(at))
        if found is not None and found[0] <= found[1]:
            chance, _, match = found
            return _proven(figure, replace(match.basis, chance=chance)), [match]
        if found is not None:
            likely = replace(found[2].basis, chance=found[0])
            return _claim(figure, Stand.UNPROVEN, "by chance", likely), []
        return _unproven(figure, _NOTHING), []

    def _is_whole_of(self, figure: Figure, at: int, scope: FigureScope) -> bool:
        """True if it is the whole of the figure before it, in the same rows: 8 of 12."""
        passage = self.answer.passages[at]
        before = self.answer.within(self.answer.figures, passage.start, figure.start)[-1:]
        part = self.facts.get(before[0].start) if before and scope.after_of else None
        if part is None or part.table < 0:
            return False
        whole = (*self.ready.facts.over(part.table, part.rows),)
        return any(close_to(figure, fact.raw) for fact in whole if fact.value >= part.value)

    def _beyond(self, at: int) -> list[RowSet]:
        """Rows beyond a limit that applies to a passage."""
        facts = self.ready.facts
        return [
            (table, met)
            for limit, cue, columns in self.counts.limits(at)
            for table, members in enumerate(facts.members)
            for column in facts.figures[table]
            if not columns or ColumnRef(table, column) in columns
            if (met := self.counts.meeting(table, members, column, limit, cue))
        ]

    def _other(self, figure: Figure, scope: FigureScope) -> Fact | None:
        """The other figure that the row and the column hold which it names."""
        wanted = scope.label or (scope.columns if scope.own else frozenset[ColumnRef]())
        single = [each for each in scope.bound if len(each[1]) == 1]
        if not scope.by_key or len(single) != 1 or len(wanted) != 1 or figure.mark:
            return None
        row = self.ready.facts.over(*single[0])
        if scope.says("aggregate.total") or any(close_to(figure, each.raw) for each in row):
            return None
        if scope.says(*_GAPS) or scope.in_percent or figure.in_points:
            return None
        facts = (each for each in row if each.ref in wanted)
        return next((each for each in facts if may_show(figure.dimension, each.dimension)), None)

    def _is_sure_count(self, figure: Figure, at: int, scope: FigureScope) -> bool | None:
        """True if the first whole number of a passage with a limit counts the rows beyond it;
        none where it is no such number."""
        passage = self.answer.passages[at]
        here = self.answer.within(self.answer.figures, passage.start, passage.end)
        limits = [limit for limit, _, columns in self.counts.limits(at) if columns]
        if not any(limit in here for limit in limits) or figure in limits:
            return None
        whole = [each for each in here if each.is_whole and each not in limits]
        first = bool(whole) and whole[0] is figure
        named = bool(self.answer.within(self.answer.names, passage.start, figure.start))
        by_key = scope.by_key and named
        if not first or by_key or scope.after_of or scope.says("aggregate.rest"):
            return None
        sure = {each.count for each in self.counts.counts(figure, at, scope) if each.sure}
        if not sure:
            return None
        every = {len(rows) for rows in self.ready.facts.members}
        if figure.readings[0].value > max(every):
            return None  # too many for rows: it measures something
        return any(close_to(figure, count) for count in sure | every)

    def _limited(self, figure: Figure, at: int, scope: FigureScope) -> Basis | None:
        """The rows beyond a limit: as many as the figure says, else all of them."""
        sure = [each for each in self.counts.counts(figure, at, scope) if each.sure]
        sure.sort(key=lambda each: not close_to(figure, each.count))
        return sure[0].basis if sure else None

    def _counted(self, figure: Figure, at: int, scope: FigureScope) -> Basis | None:
        if figure.dimension is not None and figure.dimension.quantity is Quantity.SHARE:
            return self.count_share(figure, at, scope)
        found = list(self.counts.counts(figure, at, scope))
        if figure.is_whole:
            fitting = (each for each in found if close_to(figure, each.count))
            return next((each.basis for each in fitting), None)
        sets = (*scope.bound, *scope.named, *scope.carried, *scope.whole)
        counts = {len(rows) for _, rows in sets} | {each.count for each in found}
        return Basis(How.PERIODS) if counts_periods(figure, counts) else None

    def count_share(self, figure: Figure, at: int, scope: FigureScope) -> Basis | None:
        """Rows as a part of others, in percent."""
        counts = {
            each.count
            for each in self.counts.counts(figure, at, scope)
            if each.sure or each.is_named
        }
        wholes = counts | {len(rows) for _, rows in (*scope.whole, *scope.named)}
        for part in counts:
            for whole in wholes:
                if whole and part <= whole and close_to(figure, 100 * part / whole):
                    return Basis(How.ROWS_OF_ROWS, values=(str(part), str(whole)))
        return None

    def _question_columns(self) -> frozenset[ColumnRef]:
        """Columns of figures that the question mentions by their own names."""
        return frozenset(
            ref
            for each in self.question.measures
            if each.own
            for ref in each.columns
            if ref.column in self.ready.facts.figures[ref.table]
        )

    def columns_of(self, passage: Passage) -> frozenset[ColumnRef]:
        """The columns of a passage's figures, else those that the question names."""
        found = frozenset(
            ref
            for start, matches in self.matches.items()
            if passage.start <= start < passage.end
            for match in matches[:1]
            for ref in match.columns
        )
        return found or self._question_columns()

    def _shown(self, at: int) -> list[Fact]:
        """Facts behind the figures of the two passages before, and of the list before."""
        passages = self.answer.passages
        numbers = (at - 1, at - 2, passages[at].lead)
        near = [passages[n] for n in numbers if n is not None and 0 <= n < at]
        if at and passages[at - 1].block != passages[at].block:
            near += [each for each in passages[:at] if each.block == passages[at - 1].block]
        first = min((each.start for each in near), default=len(self.answer.text))
        places = takewhile(
            lambda start: start >= first, reversed(self.facts)
        )  # in the text's order
        found = (
            fact
            for start in places
            if (fact := self.facts[start]) and any(each.start <= start < each.end for each in near)
        )
        return list(islice(found, _MOST_SHOWN))[::-1]

    def shown_around(self, at: int) -> list[Fact]:
        """Facts behind the figures of this passage and of those before."""
        return [*self._shown(at), *self.facts_in(self.answer.passages[at])]

    def facts_in(self, passage: Passage) -> list[Fact]:
        """Facts behind the figures of a passage."""
        starts = (start for start in self.facts if passage.start <= start < passage.end)
        return [fact for start in starts if (fact := self.facts[start])]


def _claim(figure: Figure, stand: Stand, reason: str, basis: Basis | None = None) -> Claim:
    return Claim(figure.start, figure.end, "figure", stand, reason, basis)


def _proven(figure: Figure, basis: Basis) -> Claim:
    return _claim(figure, Stand.PROVEN, basis.how, basis)


def _unproven(figure: Figure, reason: str = "") -> Claim:
    return _claim(figure, Stand.UNPROVEN, reason)


def _is_open(found: Proved) -> bool:
    """True if nothing was found, neither for nor against it."""
    return found[0].stand is Stand.UNPROVEN and found[0].reason == _NOTHING


def _columns(found: list[Proved]) -> frozenset[ColumnRef]:
    """The columns of figures that a single fact proves."""
    return frozenset(
        ref
        for claim, matches in found
        if claim.stand is Stand.PROVEN and matches and len(matches[0].columns) == 1
        for ref in matches[0].columns
    )


def _fact(figure: Figure, claim: Claim, matches: list[Match]) -> Fact | None:
    """The value that a proven figure stands for."""
    if claim.stand is not Stand.PROVEN:
        return None
    if matches and matches[0].fact is not None:
        return matches[0].fact
    dimension = figure.dimension or (COUNT if figure.is_whole else NUMBER)
    value = figure.readings[0].value * dimension.factor
    how, parts = (claim.basis.how, claim.basis.facts) if claim.basis else (None, ())
    place = frozenset({figure.start})
    return Fact(value, dimension, Over.DERIVED, -1, -1, place, how=how, parts=parts)
