"""Finds the typed expression that a figure is: a cell, a figure over rows, or two combined."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from veridical.contracts.input_budget import keep_time
from veridical.evidence.column import Additivity, CellKind
from veridical.evidence.dimension import Quantity, comparable
from veridical.gate.prover.agree import agrees
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.facts import Fact, FactReader, Over, Rows, RowSet
from veridical.gate.prover.fitting import fits, fits_both, is_bound, words_allow
from veridical.gate.prover.how import How
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.pairs import CHANGES, combinations, related
from veridical.gate.prover.prepared import Prepared, ReadText
from veridical.gate.prover.scope import FigureScope
from veridical.gate.prover.times import FactTimes
from veridical.gate.text.figures import Figure

_SMALL = 20
_FEW_ROWS, _MOST_ROWS = 12, 30
_MOST_CELLS = 2_000
_ENOUGH = 6
"""Expressions that fit the words: more of them prove nothing more."""


class Match(NamedTuple):
    """An expression whose value is a figure."""

    fact: Fact
    fits: bool
    """True if its columns are those that the words beside the figure mention."""

    @property
    def sides(self) -> tuple[Fact, ...]:
        """The combined facts; the fact itself where nothing is combined."""
        return self.fact.parts or (self.fact,)

    @property
    def basis(self) -> Basis:
        """The basis of the claim."""
        return Basis(self.fact.how or How.ITSELF, self.sides)

    @property
    def columns(self) -> frozenset[ColumnRef]:
        """The columns that it was computed from."""
        return frozenset(each.ref for each in self.sides if each.table >= 0 and each.column >= 0)


class Search:
    """Searches expressions over the facts of the evidence, those nearest to a figure first."""

    def __init__(
        self, ready: Prepared, answer: ReadText, question: ReadText, times: FactTimes
    ) -> None:
        self._facts = ready.facts
        self._times = times
        self._rows = [
            (table, frozenset({row})) for table, rows in ready.facts.whole for row in sorted(rows)
        ]
        self._totals = [
            (at, frozenset({row})) for at, table in enumerate(ready.tables) for row in table.totals
        ]
        self._namesakes = _namesakes(ready.facts)
        columns = (column.dimension for table in ready.tables for column in table.columns)
        dimensions = [each for each in columns if each]
        kept = {each.quantity for each in dimensions}
        money = {each.unit for each in dimensions if each.quantity is Quantity.MONEY}
        self._money = frozenset(money) if len(money) == 1 else frozenset[str]()
        """The one currency of the evidence: a value that was calculated from it has it too."""
        self._asked = _units(question, kept) or _currency(answer, kept)
        """Units of the question, else the only currency of the answer, where the evidence has none
        of their kind: rows of amounts seldom name theirs."""

    def plain(self, figure: Figure, scope: FigureScope) -> list[Match]:
        """Facts that the figure is, those that fit the words first."""
        if figure.in_points or figure.is_ratio:
            return []
        found = [
            Match(fact, fits(scope, fact))
            for fact in self._own(scope)
            if self.agrees(figure, scope, fact)
            and words_allow(fact, scope, is_part=self._is_part(fact))
        ]
        return sorted(found, key=lambda match: not match.fits)

    def combined(
        self, figure: Figure, scope: FigureScope, shown: Sequence[Fact]
    ) -> Iterator[Match]:
        """Pairs of facts that give the figure: of the evidence, then of the shown figures."""
        found = 0
        for match in self._pairs(figure, scope):
            yield match
            found += match.fits
            if found >= _ENOUGH:
                break
        if not found:
            yield from self._of_shown(figure, scope, shown)

    def agrees(self, figure: Figure, scope: FigureScope, fact: Fact) -> bool:
        """True if the figure shows this fact, whatever the words around."""
        bare = scope.in_table or bool(scope.label or scope.around) or figure.has_unit
        units, unit = self._asked, figure.dimension
        if unit is not None and unit.quantity is Quantity.MONEY and fact.table >= 0:
            own = self._facts.currencies(fact.table, fact.rows)
            if own and unit.unit not in own:
                return False
            alone = len(self._facts.tables[fact.table].columns) == 1 and len(fact.rows) == 1
            units = own if len(own) == 1 else units | self._money if alone else units
        return agrees(figure, fact, units, bare=bare)

    def _is_part(self, fact: Fact) -> bool:
        """True for one of several values that add up."""
        adds = self._facts.column(fact.ref).additivity is not Additivity.NEVER
        return adds and len(self._facts.members[fact.table]) > 1

    def _own(self, scope: FigureScope) -> Iterator[Fact]:
        """The facts that a figure may show: never those of a row that it does not name."""
        for rows in dict.fromkeys(self._own_rows(scope)):
            keep_time()
            yield from self._facts.over(*rows)

    def _own_rows(self, scope: FigureScope) -> list[RowSet]:
        whole = list(self._facts.whole)
        if scope.bound:
            several = [each for each in (*scope.named, *scope.carried) if len(each[1]) > 1]
            return [*scope.bound, *_each(scope.bound), *whole, *several]
        if scope.is_total:
            return [*whole, *scope.carried]
        if scope.named:
            return [*scope.named, *_each(scope.named), *scope.carried, *whole]
        near = [*scope.carried, *_each(scope.carried), *whole]
        if scope.in_table or all(len(rows) != 1 for _, rows in scope.carried):
            near += [*self._totals, *self._rows[:_MOST_CELLS]]
        return near

    def _pairs(self, figure: Figure, scope: FigureScope) -> Iterator[Match]:
        has_context = figure.sign or scope.label or scope.in_table
        if _is_small(figure) and not has_context and not scope.says(*CHANGES, "aggregate.per"):
            return
        near = self._near(scope)
        far = [*near, *scope.carried, *self._facts.whole, *scope.named]
        for rows in near:
            far += self._beside(*rows)
        partners = _Partners(self._sized(dict.fromkeys(far), scope), self._facts)
        named = {*scope.bound, *scope.named, *scope.carried, *self._facts.whole}
        sizes = _Sizes(figure)
        for one in self._sized(near, scope):
            stray = (one.table, one.rows) not in named
            for other in partners.of(one):
                keep_time()
                if not sizes.may_be(one, other, scope.per) or not related(one, other, self._facts):
                    continue
                if stray and other.table == one.table and other.rows != one.rows:
                    continue  # an unnamed row has its own columns and its namesakes only
                part = one.column == other.column and one.rows < other.rows
                if scope.bound and not (part or is_bound(scope, one) or is_bound(scope, other)):
                    continue
                fitting = fits_both(scope, one, other, self._facts)
                for made in combinations(figure, scope, one, other, shown=False):
                    if self._shows(figure, scope, made):
                        yield Match(made, fitting)

    def _of_shown(
        self, figure: Figure, scope: FigureScope, shown: Sequence[Fact]
    ) -> Iterator[Match]:
        """From two figures that the text itself shows, and that are proven."""
        if _is_small(figure) and not (figure.sign or scope.says(*CHANGES, "aggregate.rest")):
            return
        sizes = _Sizes(figure)
        for one in shown:
            for other in shown:
                keep_time()
                if one == other or not sizes.may_be(one, other, scope.per):
                    continue
                derived = Over.DERIVED in (one.over, other.over)
                same = comparable(one.dimension, other.dimension)
                if not (derived or same or related(one, other, self._facts)):
                    continue
                for made in combinations(figure, scope, one, other, shown=True):
                    if self._shows(figure, scope, made):
                        yield Match(made, fits=True)

    def _shows(self, figure: Figure, scope: FigureScope, made: Fact) -> bool:
        """True if a combination is the figure, and does not go from the later to the earlier."""
        if made.how in (How.DIFFERENCE, How.CHANGE):
            way = (made.value > 0) - (made.value < 0)
            if figure.sign * way < 0:
                return False
            if (figure.sign or scope.says(*_WAYS)) and way * self._times.way(*made.parts) < 0:
                return False
        return self.agrees(figure, scope, made)

    def _near(self, scope: FigureScope) -> list[RowSet]:
        """The rows for one side of a combination."""
        whole = list(self._facts.whole)
        if scope.bound:
            several = [each for each in scope.named if len(each[1]) > 1]
            return list(dict.fromkeys([*scope.bound, *several, *(whole if scope.is_total else ())]))
        if scope.is_total:
            return whole
        rows = () if scope.named else self._rows[:_MOST_ROWS]
        return list(dict.fromkeys([*scope.named, *scope.carried, *whole, *rows]))

    def _beside(self, table: int, rows: Rows) -> Iterator[RowSet]:
        """The row before in a series, and rows of the same name in other results."""
        if len(rows) != 1:
            return
        (row,) = rows
        columns = self._facts.tables[table].columns
        in_series = any(each.is_key and each.kind in _SERIES for each in columns)
        if in_series and row - 1 in self._facts.members[table]:
            yield table, frozenset({row - 1})
        same = self._namesakes.get(_name(self._facts, table, row), ())
        yield from (each for each in same if each[0] != table)

    def _sized(self, sets: Iterable[RowSet], scope: FigureScope) -> list[Fact]:
        """Facts to combine: cells and sums; means and extremes only where the words name them."""
        return [
            fact
            for rows in sets
            for fact in self._facts.over(*rows)
            if fact.over in (Over.CELL, Over.SUM) or words_allow(fact, scope)
        ]


_WAYS = ("direction.up", "direction.down")
_SERIES = (CellKind.PERIOD, CellKind.DAY)


class _Partners:
    """Facts grouped by column, rows and name, so that not all pairs are tried."""

    def __init__(self, facts: list[Fact], reader: FactReader) -> None:
        self._reader = reader
        self._by: dict[object, list[Fact]] = defaultdict(list)
        for fact in facts:
            for key in self._keys(fact):
                self._by[key].append(fact)

    def _keys(self, fact: Fact) -> tuple[object, object]:
        return (fact.table, fact.rows), self._reader.column(fact.ref).name

    def of(self, one: Fact) -> Iterator[Fact]:
        """The facts of the same rows, and those of columns of the same name."""
        for key in self._keys(one):
            yield from (other for other in self._by[key] if other is not one)


class _Sizes:
    """The sizes that a figure has in any unit; most pairs of facts are excluded by them."""

    def __init__(self, figure: Figure) -> None:
        factor = figure.dimension.factor if figure.dimension is not None else 1.0
        self._ranges: list[tuple[float, float]] = []
        for each in figure.readings:
            room = each.half_step * (2 if figure.mark else 1)
            wide = _WIDE if figure.mark else 1 + 1e-6
            low, high = abs(each.value) / wide - room, abs(each.value) * wide + room
            self._ranges += [(low * by, high * by) for by in {1.0, 0.01, factor}]

    def may_be(self, one: Fact, other: Fact, per: float) -> bool:
        """True if any operation may give the figure."""
        a, b = one.value, other.value
        ratio = a / b if b else 0.0
        far, scale = other.dimension.factor, one.dimension.factor
        values = (a - b, a + b, a * b, ratio, ratio - 1, ratio * per, ratio * far * per)
        return any(
            low <= abs(value) / by <= high
            for low, high in self._ranges
            for value in values
            for by in (1.0, scale)
        )


_WIDE = 1.04


def _units(text: ReadText, kept: Set[Quantity]) -> frozenset[str]:
    """The units of a text's figures whose kind the evidence has not."""
    return frozenset(
        each.dimension.unit
        for each in text.figures
        if each.dimension is not None and each.dimension.quantity not in kept
    )


def _currency(text: ReadText, kept: Set[Quantity]) -> frozenset[str]:
    """The only currency of a text."""
    found = _units(text, {*Quantity} - {Quantity.MONEY} | kept)
    return found if len(found) == 1 else frozenset()


def _namesakes(facts: FactReader) -> dict[object, list[RowSet]]:
    found: dict[object, list[RowSet]] = {}
    for at, table in enumerate(facts.tables):
        for row in range(len(table.rows)):
            if table.naming:
                found.setdefault(_name(facts, at, row), []).append((at, frozenset({row})))
    return found


def _name(facts: FactReader, at: int, row: int) -> object:
    table = facts.tables[at]
    return table.rows[row][table.naming[0]] if table.naming else None


def _each(sets: Sequence[RowSet]) -> list[RowSet]:
    """The single rows of small selections."""
    few = [each for each in sets if 1 < len(each[1]) <= _FEW_ROWS]
    return [(table, frozenset({row})) for table, rows in few for row in sorted(rows)]


def _is_small(figure: Figure) -> bool:
    return figure.is_whole and abs(figure.readings[0].value) <= _SMALL
