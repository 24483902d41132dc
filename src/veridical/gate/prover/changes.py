"""Changes over time: the direction of changes that have a figure's size.

Words of direction and signs claim a direction. Whatever expression proves the figure, a change of
just its size that only goes the other way contradicts the word.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from veridical.contracts.input_budget import keep_time
from veridical.evidence.column import CellKind
from veridical.evidence.dimension import Quantity, comparable
from veridical.evidence.table import Cell
from veridical.gate.prover.agree import close_to
from veridical.gate.prover.facts import Fact, Over
from veridical.gate.prover.figures import Figure
from veridical.gate.prover.scope import FigureScope, RowSet, Scheme

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover

_MOST_SETS = 12
_MOST_ROWS = 40
_FULL = 100.0
_SIZED = (Over.CELL, Over.SUM)


class ValueChange(NamedTuple):
    """Two values of the same thing, the earlier first."""

    before: Fact
    after: Fact


def change_ways(prover: "Prover", figure: Figure, at: int) -> frozenset[int]:
    """The ways in which changes of the figure's size go: 1 for up, -1 for down."""
    scope = prover.scopes.scope(figure, at, Scheme.BEFORE)
    ways: set[int] = set()
    for change in _changes(prover, scope):
        keep_time()
        if _is_of_size(figure, change):
            difference = change.after.value - change.before.value
            ways.add((difference > 0) - (difference < 0))
    return frozenset(ways - {0})


def _is_of_size(figure: Figure, change: ValueChange) -> bool:
    before, after = change.before.value, change.after.value
    unit = figure.dimension
    if unit is not None and unit.quantity is Quantity.SHARE:
        if change.before.dimension.quantity is Quantity.SHARE:
            points = (after - before) * _FULL
            if _is_close(figure, points):
                return True
        return (
            not figure.in_points and before != 0 and _is_close(figure, (after / before - 1) * _FULL)
        )
    if unit is None:
        return _is_close(figure, (after - before) / change.after.dimension.factor) or _is_close(
            figure, after - before
        )
    if unit.quantity is not change.after.dimension.quantity:
        return False
    return _is_close(figure, (after - before) / unit.factor)


def _is_close(figure: Figure, value: float) -> bool:
    return close_to(figure, value) or close_to(figure, -value)


def _changes(prover: "Prover", scope: FigureScope) -> Iterator[ValueChange]:
    sets = scope.bound or scope.named or scope.carried or scope.whole
    for rows in list(dict.fromkeys(sets))[:_MOST_SETS]:
        yield from _by_columns(prover, rows)
        yield from _by_tables(prover, rows)
        yield from _by_rows(prover, rows)
        yield from _to_named(prover, rows, scope)


def _by_columns(prover: "Prover", rows: RowSet) -> Iterator[ValueChange]:
    """A column of one year and its twin of another."""
    dated = prover.ready.measures.moments
    facts = [fact for fact in prover.ready.facts.over(*rows) if fact.over in _SIZED]
    for one in facts:
        for other in facts:
            if one.ref not in dated or other.ref not in dated:
                continue
            if dated[one.ref].order < dated[other.ref].order and _same(prover, one, other):
                yield ValueChange(one, other)


def _by_tables(prover: "Prover", rows: RowSet) -> Iterator[ValueChange]:
    """Rows and their namesakes in the result of another time."""
    for other in _namesakes(prover, rows):
        for one in prover.ready.facts.over(*rows):
            for its in prover.ready.facts.over(*other):
                if one.over in _SIZED and its.over in _SIZED and _same(prover, one, its):
                    first, second = prover.times.of(one), prover.times.of(its)
                    if first is not None and second is not None:
                        if first.order < second.order:
                            yield ValueChange(one, its)
                        elif second.order < first.order:
                            yield ValueChange(its, one)


def _namesakes(prover: "Prover", rows: RowSet) -> Iterator[RowSet]:
    table, numbers = rows
    members = prover.ready.facts.members
    mine = prover.ready.tables[table]
    if not mine.naming:
        return
    names = {mine.rows[row][mine.naming[0]] for row in numbers}
    for at, theirs in enumerate(prover.ready.tables):
        if at == table or not theirs.naming:
            continue
        if numbers == members[table] and len(members[at]) > 1:
            yield at, members[at]
        found = frozenset(row for row in members[at] if theirs.rows[row][theirs.naming[0]] in names)
        if found and len(found) == len(numbers):
            yield at, found


def _by_rows(prover: "Prover", rows: RowSet) -> Iterator[ValueChange]:
    """The first and the last row of several, and a row and the one before it."""
    table, numbers = rows
    column = _time_column(prover, table)
    if column is None:
        return
    cells = prover.ready.tables[table].rows
    timed = sorted(
        (str(cells[row][column]), row) for row in numbers if cells[row][column] is not None
    )[:_MOST_ROWS]
    for at, (_, row) in enumerate(timed):
        for _, later in timed[at + 1 :]:
            if _same_thing(prover, table, row, later):
                yield from _between(prover, table, row, later)
    if len(numbers) == 1:
        row = next(iter(numbers))
        earlier = [
            each
            for each in prover.ready.facts.members[table]
            if each != row
            and _is_earlier(cells[each][column], cells[row][column])
            and _same_thing(prover, table, each, row)
        ]
        if earlier:
            yield from _between(
                prover, table, max(earlier, key=lambda each: str(cells[each][column])), row
            )


def _to_named(prover: "Prover", rows: RowSet, scope: FigureScope) -> Iterator[ValueChange]:
    """A row and another that the passage names, of another time."""
    table, numbers = rows
    column = _time_column(prover, table)
    if column is None or len(numbers) != 1:
        return
    row = next(iter(numbers))
    cells = prover.ready.tables[table].rows
    for other, others in (*scope.named, *scope.carried):
        if other != table or len(others) != 1 or others == numbers:
            continue
        its = next(iter(others))
        if not _same_thing(prover, table, row, its):
            continue
        if _is_earlier(cells[its][column], cells[row][column]):
            yield from _between(prover, table, its, row)
        else:
            yield from _between(prover, table, row, its)


def _between(prover: "Prover", table: int, earlier: int, later: int) -> Iterator[ValueChange]:
    facts = prover.ready.facts
    for column in facts.figures[table]:
        before, after = facts.cell(table, earlier, column), facts.cell(table, later, column)
        if before is not None and after is not None:
            yield ValueChange(before, after)


def _time_column(prover: "Prover", table: int) -> int | None:
    columns = prover.ready.tables[table].columns
    timed = (
        at
        for at, each in enumerate(columns)
        if each.kind in (CellKind.PERIOD, CellKind.DAY, CellKind.MOMENT)
    )
    return next(timed, None)


def _same_thing(prover: "Prover", table: int, one: int, other: int) -> bool:
    """True if two rows are of one thing at two times: all their names are alike."""
    typed = prover.ready.tables[table]
    return all(
        typed.rows[one][at] == typed.rows[other][at]
        for at, each in enumerate(typed.columns)
        if each.kind is CellKind.NAME and not each.is_key
    )


def _is_earlier(one: Cell, other: Cell) -> bool:
    return one is not None and other is not None and str(one) < str(other)


def _same(prover: "Prover", one: Fact, other: Fact) -> bool:
    if not comparable(one.dimension, other.dimension):
        return False
    first, second = prover.ready.facts.column(one.ref), prover.ready.facts.column(other.ref)
    if first.name == second.name:
        return True
    words = {word for word in first.words if not word.isdecimal()}
    return bool(words) and words == {word for word in second.words if not word.isdecimal()}
