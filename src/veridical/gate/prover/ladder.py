"""A search from the nearest expressions to the farthest, and how likely it finds by chance.

A rung is a family of expressions: the cells of the rows that are named beside the figure, two
columns of these rows, these rows as a part of all, ranges of rows. Each rung holds more values
than the one before, so that a figure that is found high up is found by chance more often. A figure
is proven where figures like it would hardly have been found as high: the share of those is
measured, not assumed.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from veridical.gate.prover.basis import Basis
from veridical.gate.prover.expressions import Expressions, Sought
from veridical.gate.prover.facts import Fact, Over
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.how import How
from veridical.gate.prover.match import Match
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.paired import FoundValue
from veridical.gate.prover.prepared import Prepared
from veridical.gate.prover.scope import FigureScope, RowSet
from veridical.gate.prover.sizes import Sizes, sizes_of
from veridical.reading.figure import Reading

_MOST_SETS = 16
_ROOM = 1.0001
_PROBES = tuple(sign * each / 100 for each in range(3, 48, 3) for sign in (1, -1))
_FEWEST = 4
_ANY = frozenset[ColumnRef]()
_SIZED = (Over.CELL, Over.SUM)
_GAPS = (How.DIFFERENCE, How.CHANGE)
_NO_ROWS: RowSet = (-1, frozenset())
_PLAIN = (Over.CELL, Over.SUM, Over.MEAN, Over.WEIGHTED)


class _Rung(NamedTuple):
    values: list[float]
    found: list[FoundValue]


class LadderSearch:
    """Values of typed expressions, those nearest to the passage first."""

    def __init__(self, ready: Prepared) -> None:
        self._facts = ready.facts
        self._operands = ready.operands
        self._expressions = Expressions(ready)

    def search(
        self, figure: Figure, scope: FigureScope, beyond: Sequence[RowSet]
    ) -> tuple[float, float, Match] | None:
        """The nearest expression that the figure is, and the share of figures like it that would
        be found as well; none where there is no such.

        ``beyond`` are rows that meet a condition of the text.
        """
        passed: list[tuple[str, tuple[RowSet, ...]]] = []
        sizes = sizes_of(figure, self._facts.factors)
        for at_rung, (name, sets) in enumerate(self._rungs(scope, beyond)):
            if not _is_called(name, figure, scope):
                continue
            passed.append((name, sets))
            rung = self._rung(name, Sought(figure, sizes, scope.per), sets, scope)
            for reading in figure.readings:
                at = _place(rung.values, abs(reading.value), reading.half_step * _ROOM)
                if at is not None:
                    chance = self._chance(figure, reading, passed, scope)
                    return chance, _most(at_rung), self._match(rung.found[at])
        return None

    def _chance(
        self,
        figure: Figure,
        reading: Reading,
        rungs: Iterable[tuple[str, tuple[RowSet, ...]]],
        scope: FigureScope,
    ) -> float:
        """The share of figures like it that these rungs hold as well."""
        others = _others_like(reading)
        room = reading.half_step * _ROOM
        sizes = Sizes([(min(others) - room, max(others) + room)], figure, self._facts.factors)
        open_ones = set(others)
        for name, sets in rungs:
            sought = Sought(figure, sizes, scope.per)
            values = self._rung(name, sought, sets, scope).values
            open_ones -= {each for each in open_ones if _place(values, each, room) is not None}
        return 1 - len(open_ones) / len(others)

    def _match(self, found: FoundValue) -> Match:
        real = [each for each in found.sides if each.table >= 0 and each.column >= 0]
        return Match(
            Basis(found.how, found.sides, *(found.counted or _NO_ROWS)),
            frozenset(each.ref for each in real),
            direction=(found.value > 0) - (found.value < 0) if found.how in _GAPS else 0,
            fact=real[0] if len(found.sides) == 1 and real else None,
            sides=found.sides if len(real) == 2 else (),
        )

    def _rungs(
        self, scope: FigureScope, beyond: Sequence[RowSet]
    ) -> Iterator[tuple[str, tuple[RowSet, ...]]]:
        """Families of expressions with their rows, the nearest first."""
        near = self._near(scope)
        yield "label", near
        yield "own", near
        yield "columns", near
        yield "others", near
        yield "kin", near
        yield "matched", tuple(dict.fromkeys(scope.named))[:_MOST_SETS]
        yield "rates", near
        yield "heads", near
        yield "joined", near
        yield "products", near
        if beyond:
            yield "own", tuple(beyond)
            yield "columns", tuple(beyond)
            yield "others", tuple(beyond)
        if scope.bound:
            yield "three", near
            yield "pairs", near
            around = tuple(
                (table, rows)
                for table, rows in dict.fromkeys([*scope.named, *scope.carried, *scope.whole])
                if any(table == mine and rows > its for mine, its in scope.bound)
            )[:_MOST_SETS]
            if self._is_over_all(scope):
                yield "own", around
                yield "columns", around
                yield "others", around
                yield "rates", around
            return
        wide = tuple(dict.fromkeys([*scope.named, *scope.carried, *scope.whole]))[:_MOST_SETS]
        yield "own", wide
        yield "columns", wide
        yield "others", wide
        yield "across", tuple(dict.fromkeys(scope.whole))[:_MOST_SETS]
        yield "rates", wide
        yield "heads", tuple(dict.fromkeys(scope.whole))[:_MOST_SETS]
        yield "joined", tuple(dict.fromkeys(scope.whole))[:_MOST_SETS]
        yield "products", tuple(dict.fromkeys(scope.whole))[:_MOST_SETS]
        yield "three", near
        yield "pairs", near
        groups = self._operands.groups()[: 2 * _MOST_SETS]
        yield "own", groups
        yield "columns", groups
        yield "others", groups
        ranges = tuple(self._expressions.ranges())
        yield "own", ranges
        yield "others", ranges

    def _near(self, scope: FigureScope) -> tuple[RowSet, ...]:
        sets = scope.bound or scope.named or scope.carried or scope.whole
        return tuple(dict.fromkeys(sets))[:_MOST_SETS]

    @staticmethod
    def _is_over_all(scope: FigureScope) -> bool:
        return scope.after_of or scope.says(
            "aggregate.total", "aggregate.mean", "aggregate.rest", "aggregate.difference"
        )

    def _rung(
        self, name: str, sought: Sought, sets: tuple[RowSet, ...], scope: FigureScope
    ) -> _Rung:
        labels = scope.label or (scope.columns if scope.own or name == "label" else _ANY)
        if name in ("label", "own"):
            made = self._expressions.own(sought, sets, labels, overs=_overs(scope))
            if name == "label" and not labels:
                made = iter(())
        else:
            made = self._expressions.families[name](sought, sets)
            if labels:
                made = (each for each in made if _is_of(each, labels))
        found = sorted(made, key=lambda each: abs(each.value))
        return _Rung([abs(each.value) for each in found], found)


def _overs(scope: FigureScope) -> tuple[Over, ...]:
    """The aggregates that the words allow: only what is called a mean is a mean."""
    if "aggregate.mean" in scope.aggregate_words:
        return (Over.MEAN, Over.WEIGHTED)
    return _PLAIN if scope.says("aggregate.mean", "aggregate.rate") else _SIZED


def _is_of(found: FoundValue, labels: frozenset[ColumnRef]) -> bool:
    return any(_rests_on(each, labels) for each in found.sides)


def _rests_on(fact: Fact, labels: frozenset[ColumnRef]) -> bool:
    if fact.parts:
        return any(_rests_on(each, labels) for each in fact.parts)
    return fact.table >= 0 and fact.ref in labels


def _is_called(name: str, figure: Figure, scope: FigureScope) -> bool:
    """True if the words around name such an expression: a difference is called one."""
    if name in ("others", "pairs", "matched"):
        return bool(figure.sign or figure.is_ratio or figure.in_points) or scope.says(*_COMPARED)
    if name == "three":
        return scope.says(*_RATED)
    return True


_COMPARED = (
    *("direction.up", "direction.down", "delta.up", "delta.down", "compare.more", "compare.less"),
    *("aggregate.difference", "aggregate.share", "aggregate.rate", "aggregate.rest"),
    *("aggregate.total", "aggregate.mean"),
)
_RATED = ("aggregate.rate", "aggregate.per", "aggregate.mean", "aggregate.share", "aggregate.total")


def _most(at: int) -> float:
    """How many figures like it may be found as well: cells of the rows that are named beside it
    are what a figure is first thought to be, so that more chance is allowed there."""
    return next(most for last, most in _MOST_BY_CHANCE if at <= last)


_MOST_BY_CHANCE = ((1, 0.5), (5, 0.25), (99, 0.1))
"""Pairs of the last rung and the share allowed up to it."""


def _others_like(reading: Reading) -> tuple[float, ...]:
    """Figures that could stand there instead: of about the size, with as many digits."""
    step, value = 2 * reading.half_step, abs(reading.value)
    rounded = {round(value * (1 + probe) / step) * step for probe in _PROBES} if step else set()
    rounded |= {value + step, value - step} if len(rounded) < _FEWEST else set()
    rounded -= {each for each in rounded if abs(each - value) < step / 2 or each < 0}
    return tuple(sorted(rounded)) or (value + 1,)


def _place(values: list[float], value: float, room: float) -> int | None:
    at = bisect_left(values, value - room)
    return at if at < len(values) and values[at] <= value + room else None
