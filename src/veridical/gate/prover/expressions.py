"""Families of expressions over selections of rows, each with the facts that it is made of.

Only expressions of the wanted size are made, and never more than a fixed number of them, so that
the time for a figure is bounded without a clock.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from veridical.contracts.input_budget import keep_time
from veridical.evidence.column import CellKind
from veridical.evidence.dimension import Quantity, comparable
from veridical.gate.prover import joined
from veridical.gate.prover.facts import Fact, Over, Rows
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.how import How
from veridical.gate.prover.measures import ColumnRef
from veridical.gate.prover.paired import FoundValue, pair, part, rate
from veridical.gate.prover.prepared import Prepared
from veridical.gate.prover.scope import RowSet
from veridical.gate.prover.sizes import Sizes

_MOST_ROWS = 40
_MOST_RANGED = 26
_MOST_MATCHED = 16
_MOST_PAIRS = 8_000
"""The most expressions tried in one family."""
_FULL = 100.0


class Sought:
    """The figure that is searched for, and how many more expressions may be tried."""

    def __init__(self, figure: Figure, sizes: Sizes, per: float = 1.0) -> None:
        self.figure = figure
        self.sizes = sizes
        self.per = per
        self.left = _MOST_PAIRS

    def pair(
        self, one: Fact, others: Sequence[Fact], *, turned: bool = False
    ) -> Iterator[FoundValue]:
        """The combinations of a fact with each of others; also the other way round."""
        others = others[: max(0, self.left)]
        self.left -= len(others)
        near = self.sizes.either if turned else self.sizes.paired
        for other in near(one, others):
            yield from pair(self.figure, one, other)
            if turned:
                yield from pair(self.figure, other, one)


class Expressions:
    """Makes the expressions of one evidence."""

    def __init__(self, ready: Prepared) -> None:
        self._facts = ready.facts
        self._operands = ready.operands
        self.families: dict[str, Callable[[Sought, tuple[RowSet, ...]], Iterator[FoundValue]]] = {
            "columns": self._columns,
            "others": self._others,
            "pairs": self._pairs,
            "matched": self._matched,
            "kin": self._kin,
            "three": self._three,
            "rates": self._rates,
            "across": self._across,
            "heads": self._heads,
            "joined": self._joined,
            "products": self._products,
        }
        """Those of two facts and more, by name."""

    def own(
        self,
        sought: Sought,
        sets: Iterable[RowSet],
        labels: frozenset[ColumnRef],
        *,
        overs: tuple[Over, ...],
    ) -> Iterator[FoundValue]:
        """The facts of these rows as they are, and how many rows there are."""
        figure = sought.figure
        if figure.is_ratio or figure.in_points:
            return
        for rows in sets:
            keep_time()
            for fact in sought.sizes.single(self._facts.over(*rows)):
                if fact.over not in overs:
                    continue
                if not labels or fact.ref in labels:
                    yield from self._shown(figure, fact)
            if figure.dimension is None and not labels:
                yield FoundValue(len(rows[1]), How.NAMED_ROWS, (), rows)

    def _columns(self, sought: Sought, sets: Iterable[RowSet]) -> Iterator[FoundValue]:
        """Two columns of the same rows."""
        for rows in sets:
            keep_time()
            facts = self._facts.sized(*rows)
            for one in facts:
                others = [each for each in facts if each.column != one.column]
                yield from sought.pair(one, others)

    def _others(self, sought: Sought, sets: Iterable[RowSet]) -> Iterator[FoundValue]:
        """The same column of these rows and of others: all, the rest, the row before, namesakes,
        and the other given selections."""
        before: dict[str, list[Fact]] = {}
        for table, rows in sets:
            keep_time()
            beyond = [
                fact for other in self._beyond(table, rows) for fact in self._facts.sized(*other)
            ]
            for one in self._facts.sized(table, rows):
                kin = before.setdefault(self._facts.column(one.ref).name, [])
                others = [each for each in (*beyond, *kin) if self._same_column(one, each)]
                yield from sought.pair(one, others, turned=True)
                kin.append(one)
            if not sought.left:
                return

    def _beyond(self, table: int, rows: Rows) -> Iterator[RowSet]:
        """All rows of a table, those that are left of them, the row before, and namesakes."""
        members = self._facts.members[table]
        if rows != members:
            yield table, members
            if rest := members - rows:
                yield table, rest
        if len(rows) == 1:
            yield from self._operands.siblings(table, next(iter(rows)))

    def _pairs(self, sought: Sought, sets: Iterable[RowSet]) -> Iterator[FoundValue]:
        """The same column of one of these rows and of any other."""
        for table, rows in sets:
            keep_time()
            mine = self._facts.sized(table, rows)
            for row in self._operands.first(table, _MOST_ROWS):
                for other in self._facts.sized(*row):
                    same = [one for one in mine if one.column == other.column and one is not other]
                    yield from sought.pair(other, same, turned=True)

    def _kin(self, sought: Sought, sets: Iterable[RowSet]) -> Iterator[FoundValue]:
        """All columns of a kind of the same rows added up, and one of them as a part of that."""
        figure = sought.figure
        for table, rows in sets:
            keep_time()
            facts = self._facts.sized(table, rows)
            for family in self._families(facts):
                total = math.fsum(each.value for each in family)
                made = _made(total, How.ADDED, family, rows)
                yield from self._shown(figure, made)
                for one in family:
                    if figure.dimension is not None:
                        yield from part(figure, one, made)

    def _families(self, facts: Sequence[Fact]) -> Iterator[list[Fact]]:
        """Columns of one dimension; those among them whose names begin alike."""
        names = {each.ref: self._facts.column(each.ref).name for each in facts}
        for first in {re.split(r"[._]", name)[0] for name in names.values()}:
            family = [each for each in facts if names[each.ref].startswith(first)]
            if len(family) > 1 and all(
                comparable(family[0].dimension, each.dimension) for each in family
            ):
                yield family
        for dimension in {each.dimension for each in facts}:
            family = [each for each in facts if each.dimension == dimension]
            if len(family) > 1:
                yield family

    def _matched(self, sought: Sought, sets: Sequence[RowSet]) -> Iterator[FoundValue]:
        """One row of a selection and the row of another that is of the same thing: a plant's
        December and its July, whatever the text calls the plant."""
        for table, rows in sets:
            for other, others in sets:
                if table != other or rows & others or not 1 < len(rows) <= _MOST_MATCHED:
                    continue
                keep_time()
                for one, its in self._alike(table, rows, others):
                    for first in self._facts.over(table, frozenset({one})):
                        seconds = self._facts.over(table, frozenset({its}))
                        same = [each for each in seconds if each.column == first.column]
                        yield from sought.pair(first, same)

    def _alike(
        self, table: int, rows: frozenset[int], others: frozenset[int]
    ) -> Iterator[tuple[int, int]]:
        typed = self._facts.tables[table]
        naming = [
            n for n, each in enumerate(typed.columns) if each.kind in (CellKind.NAME, CellKind.CODE)
        ]
        for row in rows:
            for other in others:
                if all(typed.rows[row][n] == typed.rows[other][n] for n in naming):
                    yield row, other

    def _rates(self, sought: Sought, sets: Sequence[RowSet]) -> Iterator[FoundValue]:
        """One column for each of another, of the same rows or of the same thing elsewhere."""
        for rows in sets:
            keep_time()
            mine = self._facts.sized(*rows)
            for other in sets:
                if other != rows and other[0] == rows[0]:
                    continue
                theirs = self._facts.sized(*other)
                sought.left -= len(mine) * len(theirs)
                if sought.left <= 0:
                    return
                for one in mine:
                    for by in theirs:
                        if one.ref != by.ref:
                            yield from rate(sought.figure, one, by, sought.per)

    def _across(self, sought: Sought, sets: Sequence[RowSet]) -> Iterator[FoundValue]:
        """A column of several results added up, and one result's as a part of that."""
        named: dict[str, list[Fact]] = {}
        for table, members in sets:
            for fact in self._facts.sized(table, members):
                named.setdefault(self._facts.column(fact.ref).name, []).append(fact)
        for facts in named.values():
            if len({each.table for each in facts}) < 2:
                continue
            made = _made(math.fsum(each.value for each in facts), How.ADDED, facts, facts[0].rows)
            yield from self._shown(sought.figure, made)
            for one in facts:
                yield from part(sought.figure, one, made)

    def _heads(self, sought: Sought, sets: Sequence[RowSet]) -> Iterator[FoundValue]:
        """Columns under one head added up, and combinations of two such sums."""
        for rows in sets:
            keep_time()
            made = list(joined.families(self._facts.sized(*rows), self._facts))
            yield from joined.shown(sought.figure, made, (), sought.per)
            for at, one in enumerate(made):
                for other in made[at + 1 :]:
                    yield from pair(sought.figure, one, other)
                    yield from pair(sought.figure, other, one)

    def _joined(self, sought: Sought, sets: Sequence[RowSet]) -> Iterator[FoundValue]:
        """Several columns of one thing, and that for each of another column."""
        facts = joined.joined(self._facts, sets)
        keep_time(now=True)
        for one in facts:
            elsewhere = [each for each in facts if each.table != one.table]
            yield from sought.pair(one, elsewhere)
        yield from joined.shown(sought.figure, list(joined.signed_sums(facts)), facts, sought.per)

    def _products(self, sought: Sought, sets: Sequence[RowSet]) -> Iterator[FoundValue]:
        """Two columns multiplied row by row."""
        for rows in sets:
            keep_time()
            made = list(joined.products(self._facts, rows))
            yield from joined.shown(sought.figure, made, (), sought.per)

    def _three(self, sought: Sought, sets: Iterable[RowSet]) -> Iterator[FoundValue]:
        """Two columns added or subtracted, by a third or as they are for all rows."""
        for table, rows in sets:
            keep_time()
            facts = self._facts.sized(table, rows)
            for at, one in enumerate(facts):
                for other in facts[at + 1 :]:
                    if not comparable(one.dimension, other.dimension):
                        continue
                    for value, how in (
                        (one.value + other.value, How.ADDED),
                        (abs(one.value - other.value), How.DIFFERENCE),
                    ):
                        made = _made(value, how, (one, other), rows)
                        yield from sought.pair(made, facts, turned=True)

    def ranges(self) -> Iterator[RowSet]:
        """Rows that follow one another in a short series."""
        for at, table in enumerate(self._facts.tables):
            rows = sorted(self._facts.members[at])
            timed = any(
                each.kind in (CellKind.PERIOD, CellKind.DAY, CellKind.MOMENT)
                for each in table.columns
            )
            if not timed or len(rows) > _MOST_RANGED:
                continue
            for first in range(len(rows)):
                for last in range(first + 2, len(rows) + 1):
                    yield at, frozenset(rows[first:last])

    def _same_column(self, one: Fact, other: Fact) -> bool:
        if one.table == other.table:
            return one.column == other.column
        return self._facts.column(one.ref).name == self._facts.column(other.ref).name

    def _shown(self, figure: Figure, fact: Fact) -> Iterator[FoundValue]:
        unit, dimension = figure.dimension, fact.dimension
        if unit is None:
            yield FoundValue(fact.raw, How.ITSELF, (fact,))
            if fact.dimension.factor != 1:
                yield FoundValue(fact.value, How.ITSELF, (fact,))
            if dimension.quantity is Quantity.SHARE:
                yield FoundValue(fact.value * _FULL, How.ITSELF, (fact,))
        elif unit.quantity is Quantity.SHARE:
            if dimension.quantity is Quantity.SHARE:
                yield FoundValue(fact.value * _FULL, How.ITSELF, (fact,))
            elif dimension.quantity is Quantity.NUMBER:
                yield FoundValue(fact.raw, How.ITSELF, (fact,))
        elif unit.quantity is dimension.quantity:
            if not unit.unit or not dimension.unit or unit.unit == dimension.unit:
                yield FoundValue(fact.value / unit.factor, How.ITSELF, (fact,))
        elif dimension.quantity is Quantity.NUMBER and not dimension.unit:
            yield FoundValue(fact.raw, How.ITSELF, (fact,))


def _made(value: float, how: How, parts: Sequence[Fact], rows: Rows) -> Fact:
    """A fact made of facts of the same rows."""
    dimension = parts[0].dimension
    return Fact(value, dimension, Over.DERIVED, -1, -1, rows, how=how, parts=tuple(parts))
