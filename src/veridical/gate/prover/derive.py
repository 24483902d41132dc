"""Finds the typed expression that a figure is: a cell, a figure over rows, or two combined."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from veridical.contracts.input_budget import keep_time
from veridical.evidence.column import Additivity
from veridical.evidence.dimension import Quantity, comparable
from veridical.gate.prover.agree import Told, agrees
from veridical.gate.prover.combinations import CHANGES, added, combinations, related
from veridical.gate.prover.fact_times import FactTimes
from veridical.gate.prover.facts import Fact, FactReader, Over
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.fitting import fits, fits_both, is_bound, words_allow
from veridical.gate.prover.how import How
from veridical.gate.prover.match import Match, paired, single
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.prepared import Prepared
from veridical.gate.prover.scope import FigureScope
from veridical.gate.prover.sizes import Sizes, sizes_of

_SMALL = 20
_LEAST_SUM = 20
_ENOUGH = 6
"""Expressions that fit the words: more of them prove nothing more."""


class Deriver:
    """Searches expressions over the facts of the evidence."""

    def __init__(self, ready: Prepared, units: Told, times: FactTimes) -> None:
        self._facts = ready.facts
        self._units = units
        self._times = times
        self._operands = ready.operands

    def plain(self, figure: Figure, scope: FigureScope) -> list[Match]:
        """Facts that the figure is, those that fit the words first."""
        return sorted(self._plain(figure, scope), key=lambda match: not match.fits_words)

    def shows(self, figure: Figure, scope: FigureScope, fact: Fact) -> Match | None:
        """The match of a figure and a fact, regardless of the words around; none if they differ."""
        agreed = self._agrees(figure, scope, fact)
        return single(fact, fits_words=True) if agreed else None

    def combined(self, figure: Figure, scope: FigureScope, shown: Sequence[Fact]) -> list[Match]:
        """Pairs of facts that give the figure: of the evidence, else of the shown figures."""
        found = _few(self._combined(figure, scope))
        if not any(match.fits_words for match in found):
            found += _few(self._from_shown(figure, scope, shown))
        return sorted(found, key=lambda match: not match.fits_words)

    def _plain(self, figure: Figure, scope: FigureScope) -> Iterator[Match]:
        if figure.in_points or figure.is_ratio:
            return
        sizes = sizes_of(figure, self._facts.factors)
        for fact in self._own(scope, sizes):
            adds = self._facts.column(fact.ref).additivity is not Additivity.NEVER
            several = len(self._facts.members[fact.table]) > 1
            if not words_allow(fact, scope, is_additive=adds and several):
                continue
            if self._agrees(figure, scope, fact):
                yield single(fact, fits_words=fits(scope, fact))

    def _own(self, scope: FigureScope, sizes: Sizes) -> Iterator[Fact]:
        """The facts of the figure's size that it may show."""
        for rows in dict.fromkeys(self._operands.own(scope)):
            keep_time()
            yield from sizes.single(self._facts.over(*rows))
        if self._operands.is_open(scope):
            yield from self._facts.near(sizes.edges)

    def _agrees(self, figure: Figure, scope: FigureScope, fact: Fact) -> bool:
        bare = scope.may_be_bare or figure.has_unit
        units, unit = self._units, figure.dimension
        if unit is not None and unit.quantity is Quantity.MONEY and fact.table >= 0:
            own = self._facts.currency(fact.table, fact.rows)
            units = replace(units, currencies=units.currencies | {own}) if own else units
        return agrees(figure, fact, units, bare=bare)

    def _combined(self, figure: Figure, scope: FigureScope) -> Iterator[Match]:
        has_context = figure.sign or scope.own or scope.in_table
        if _is_small(figure) and not has_context and not scope.says(*CHANGES, "aggregate.per"):
            return
        sizes = sizes_of(figure, self._facts.factors)
        near = self._operands.near(scope)
        others = _Partners(self._of(self._operands.far(scope, near), scope), self._facts)
        named = {*scope.bound, *scope.named, *scope.carried, *scope.whole}
        for one in self._of(near, scope):
            keep_time()
            stray = (one.table, one.rows) not in named
            for other in others.beside(one, sizes, stray=stray, per=scope.per):
                part = one.column == other.column and one.rows < other.rows
                if scope.bound and not (part or is_bound(scope, one) or is_bound(scope, other)):
                    continue
                yield from self._of_pair(figure, scope, one, other)

    def _of(self, sets: Iterable[tuple[int, frozenset[int]]], scope: FigureScope) -> list[Fact]:
        """Facts to combine: cells and sums; means and extremes only where the words name them."""
        return [
            fact
            for rows in sets
            for fact in self._facts.over(*rows)
            if fact.over in (Over.CELL, Over.SUM)
            or (fact.over is not Over.WEIGHTED and words_allow(fact, scope))
        ]

    def _of_pair(
        self, figure: Figure, scope: FigureScope, one: Fact, other: Fact, *, shown: bool = False
    ) -> Iterator[Match]:
        for made in combinations(figure, scope, one, other, shown=shown):
            if not self._agrees(figure, scope, made.fact):
                continue
            if figure.sign and made.direction and figure.sign != made.direction:
                continue
            timed = made.direction and (figure.sign or scope.says("direction"))
            if timed and self._times.is_backwards(one, other):
                continue
            fitting = fits_both(scope, one, other, self._facts)
            yield paired(made.how, one, other, direction=made.direction, fits_words=fitting)

    def _from_shown(
        self, figure: Figure, scope: FigureScope, shown: Sequence[Fact]
    ) -> Iterator[Match]:
        """From two figures that the answer itself shows, and that are proven."""
        gap = figure.sign or scope.says(*CHANGES, "aggregate.rest")
        if _is_small(figure) and not gap:
            return
        sizes = sizes_of(figure, {each.dimension.factor for each in shown})
        for one in shown:
            keep_time()
            for other in sizes.paired(one, shown, scope.per):
                if one is other or one == other:
                    continue
                same = comparable(one.dimension, other.dimension)
                if same:
                    yield from self._sum_of(figure, scope, one, other)
                derived = Over.DERIVED in (one.over, other.over)
                if derived or same or related(one, other, self._facts):
                    for match in self._of_pair(figure, scope, one, other, shown=True):
                        yield replace(match, fits_words=True)

    def _sum_of(
        self, figure: Figure, scope: FigureScope, one: Fact, other: Fact
    ) -> Iterator[Match]:
        if figure.is_ratio or abs(figure.readings[0].value) < _LEAST_SUM:
            return
        if self._agrees(figure, scope, added(one, other)):
            yield paired(How.ADDED, one, other)


class _Partners:
    """Facts grouped by column, rows and name, so that not all pairs are tried."""

    def __init__(self, facts: list[Fact], reader: FactReader) -> None:
        self._reader = reader
        self._columns: dict[ColumnRef, list[Fact]] = defaultdict(list)
        self._rows: dict[tuple[int, frozenset[int]], list[Fact]] = defaultdict(list)
        self._names: dict[str, list[Fact]] = defaultdict(list)
        for fact in facts:
            self._columns[fact.ref].append(fact)
            self._rows[fact.table, fact.rows].append(fact)
            self._names[reader.column(fact.ref).name].append(fact)

    def beside(self, one: Fact, sizes: Sizes, *, stray: bool, per: float) -> Iterator[Fact]:
        """The facts that combine with this one to a value of the wanted size.

        An unnamed row is combined with its own other columns and with its namesakes only.
        """
        name = self._reader.column(one.ref).name
        row = self._rows[one.table, one.rows]
        if stray:
            pool = (*row, *self._names[name])
        else:
            namesakes = (each for each in self._names[name] if each.table != one.table)
            pool = (*self._columns[one.ref], *row, *namesakes)
        for other in sizes.paired(one, pool, per):
            if other is one or not related(one, other, self._reader):
                continue
            if not stray or other.table != one.table or other.rows == one.rows:
                yield other


def _few(matches: Iterator[Match]) -> list[Match]:
    found: list[Match] = []
    fitting = 0
    for match in matches:
        found.append(match)
        fitting += match.fits_words
        if fitting >= _ENOUGH:
            break
    return found


def _is_small(figure: Figure) -> bool:
    return figure.is_whole and abs(figure.readings[0].value) <= _SMALL
