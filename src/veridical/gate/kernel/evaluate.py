"""The evaluator: an expression to its value, or to the reason why it has none.

Total and deterministic: every expression ends within its budget, and the order of rows decides
nothing but lists. Sums are exact before they are rounded once, so that no order changes a digit.
"""

import math
import statistics
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import pairwise

from veridical.evidence.column import Column, Kind
from veridical.evidence.dimension import (
    COUNT,
    NUMBER,
)
from veridical.evidence.moment import find_moments
from veridical.evidence.table import Cell, Table
from veridical.evidence.unit import unit_dimension
from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.additive import adds_up
from veridical.gate.kernel.arithmetic import (
    changed,
    compared,
    computed,
    order_of,
    share,
    year_of,
)
from veridical.gate.kernel.rows import RowReader
from veridical.gate.kernel.value import (
    Budget,
    EvaluationError,
    Figure,
    Place,
    Places,
    Reason,
    Selection,
    Series,
    Time,
    Value,
    Word,
)
from veridical.ontology.terms import split_name

_BOTH = 2


class Evaluator:
    """Evaluates expressions over the tables of one answer."""

    def __init__(self, tables: Mapping[str, Table], budget: Budget | None = None) -> None:
        self._budget = budget or Budget()
        self._rows = RowReader(tables, self._budget, self.series, self._holds_for)
        self._own: Selection | None = None

    def rows(self, expression: ex.Rows) -> Selection:
        """The rows that are selected. Raises ``EvaluationError``."""
        return self._rows.select(expression)

    def value(self, expression: ex.Scalar) -> Value:
        """The single value of an expression. Raises ``EvaluationError``."""
        self._budget.spend(1)
        match expression:
            case ex.Number(value, unit):
                return _literal(value, unit)
            case ex.Text(value):
                return _word(value)
            case ex.Cells(rows, name) if (held := self._held(rows, name)) is not None:
                return held
            case ex.Cells() | ex.Own():
                return _single(self.series(expression))
            case ex.Reduced(function, series):
                return self._reduced(function, self.series(series))
            case ex.Count(rows):
                return self._count(self._any(rows))
            case ex.Arithmetic(operator, left, right):
                return computed(operator, self.value(left), self.value(right))
            case ex.Share(part, whole):
                return share(self.value(part), self.value(whole))
            case ex.Change(before, after):
                return changed(self.value(before), self.value(after))
            case ex.Year(ex.Cells(rows, name)) if (held := self._held(rows, name)) is not None:
                return year_of((held,), name)
            case ex.Year(series):
                return _year(self.series(series))

    def _held(self, rows: ex.Rows, name: str) -> Value | None:
        """What the call asked for and so holds for every row, even where there is none."""
        table = self.rows(rows).table
        if table.column(name) is not None:
            return None
        key = next((each for each in table.held if each.casefold() == name.casefold()), None)
        cell = table.held[key] if key is not None else None
        if cell is None:
            return None
        if isinstance(cell, float):
            return Word(f"{cell:g}")
        return Time(cell) if isinstance(cell, date) else Word(str(cell))

    def figure(self, expression: ex.Scalar) -> Figure:
        """The same where it must be a figure."""
        found = self.value(expression)
        if not isinstance(found, Figure):
            raise EvaluationError(Reason.NOT_A_FIGURE)
        return found

    def series(self, expression: ex.Series) -> Series:
        """One value for each row. Raises ``EvaluationError``."""
        match expression:
            case ex.Own(column):
                if self._own is None:
                    raise EvaluationError(Reason.NO_ROW, column)
                return self._column(self._own, column)
            case ex.Cells(rows, column):
                return self._column(self.rows(rows), column)
            case ex.Arithmetic(operator, left, right):
                work = partial(computed, operator)
                adds_up = operator is not ex.Operator.BY
                is_product = operator is ex.Operator.TIMES
                return self._row_by_row(work, left, right, adds_up=adds_up, is_product=is_product)
            case ex.Share(left, right):
                return self._row_by_row(share, left, right, adds_up=False)
            case ex.Change(left, right):
                return self._row_by_row(changed, left, right, adds_up=False)

    def holds(self, condition: ex.Condition) -> bool:
        """Whether a condition is true. Raises ``EvaluationError``."""
        self._budget.spend(1)
        match condition:
            case ex.Compare(left, comparator, right):
                return compared(self.value(left), comparator, self.value(right))
            case ex.Same(left, right):
                first, second = self.rows(left), self.rows(right)
                return first.table is second.table and set(first.rows) == set(second.rows)
            case ex.Within(left, right):
                first, second = self.rows(left), self.rows(right)
                same = first.table is second.table and bool(first.rows)
                return same and set(first.rows) <= set(second.rows)
            case ex.Quantified(quantifier, rows, condition_):
                return self._quantified(quantifier, self._any(rows), condition_)
            case ex.Runs(course, series):
                return _runs(course, self.series(series))
            case ex.Not(inner):
                return not self.holds(inner)

    def _holds_for(
        self, left: ex.Scalar, comparator: ex.Comparator, right: ex.Scalar, row: Selection
    ) -> bool:
        """Whether a comparison holds for one row; an empty cell meets none."""
        outer, self._own = self._own, row
        try:
            return compared(self.value(left), comparator, self.value(right))
        except EvaluationError as error:
            if error.reason is Reason.NO_VALUE:
                return False
            raise
        finally:
            self._own = outer

    def _column(self, selection: Selection, name: str) -> Series:
        table = selection.table
        at = table.column(name)
        if at is None:
            raise EvaluationError(Reason.NO_COLUMN, name)
        self._budget.spend(len(selection.rows))
        column = table.columns[at]
        digits = max((_decimals(row[at]) for row in table.rows), default=0)
        values = tuple(
            _typed(table.rows[row][at], column, Place(table.name, row, at), digits)
            for row in selection.rows
        )
        return Series(selection, values, at, adds_up(selection, column))

    def _row_by_row(
        self,
        work: Callable[[Value | None, Value | None], Figure],
        left: ex.Scalar,
        right: ex.Scalar,
        *,
        adds_up: bool,
        is_product: bool = False,
    ) -> Series:
        first, second = self._side(left), self._side(right)
        shape = _shape(first, second)
        values: list[Value | None] = []
        self._budget.spend(len(shape.values))
        for at in range(len(shape.values)):
            one, other = _at(first, at), _at(second, at)
            try:
                values.append(None if one is None or other is None else work(one, other))
            except EvaluationError as error:
                if error.reason is not Reason.ZERO:
                    raise
                values.append(None)
        sides = [each.is_additive for each in (first, second) if isinstance(each, Series)]
        # a rate times what it is a rate of adds up; two rates don't, nor does one plus a sum
        additive = adds_up and (any(sides) if is_product else all(sides))
        return Series(shape.selection, tuple(values), None, additive)

    def _side(self, expression: ex.Scalar) -> Series | Value:
        if isinstance(expression, ex.Cells | ex.Own):
            return self.series(expression)
        if isinstance(expression, ex.Arithmetic | ex.Share | ex.Change):
            try:
                return self.series(expression)
            except EvaluationError as error:
                if error.reason is not Reason.NOT_A_FIGURE:
                    raise
        return self.value(expression)

    def _reduced(self, function: ex.Function, series: Series) -> Value:
        known = [value for value in series.values if isinstance(value, Figure)]
        self._budget.spend(len(series.values))
        if function is ex.Function.DISTINCT:
            distinct = {each.value for each in series.values if each is not None}
            return Figure(float(len(distinct)), COUNT, _places(series))
        if not known and function in (ex.Function.MIN, ex.Function.MAX):
            return _extreme(function, series)
        if not known:
            raise EvaluationError(Reason.NO_VALUE)
        if function is ex.Function.SUM and not series.is_additive:
            raise EvaluationError(Reason.NOT_ADDITIVE, _name(series))
        numbers = [each.value for each in known]
        match function:
            case ex.Function.SUM:
                value = math.fsum(numbers)
            case ex.Function.MEAN:
                value = math.fsum(numbers) / len(numbers)
            case ex.Function.MEDIAN:
                value = statistics.median(numbers)
            case ex.Function.MIN:
                value = min(numbers)
            case _:
                value = max(numbers)
        known_digits = [each.digits for each in known]
        digits = max((each or 0) for each in known_digits) if None not in known_digits else None
        exact = function not in (ex.Function.MEAN, ex.Function.MEDIAN)
        return replace(
            known[0], value=value, places=_places(series), digits=digits if exact else None
        )

    def _any(self, rows: ex.Rows) -> Selection:
        """The rows with a value, or no rows where nothing has it: there may be none."""
        try:
            return self.rows(rows)
        except EvaluationError as error:
            if error.reason is not Reason.NO_ROW or not isinstance(rows, ex.Row):
                raise
            return Selection(self.rows(rows.rows).table, ())

    def _count(self, selection: Selection) -> Figure:
        table = selection.table
        places = frozenset(Place(table.name, row, -1) for row in selection.rows)
        return Figure(float(len(selection.rows)), COUNT, places)

    def _quantified(
        self,
        quantifier: ex.Quantifier,
        selection: Selection,
        condition: tuple[ex.Scalar, ex.Comparator, ex.Scalar] | None,
    ) -> bool:
        rows, table = selection.rows, selection.table
        if condition is not None:
            left, comparator, right = condition
            rows = tuple(
                row
                for row in rows
                if self._holds_for(left, comparator, right, Selection(table, (row,)))
            )
        match quantifier:
            case ex.Quantifier.ALL:
                whole = selection.rows if condition is not None else table.members
                return bool(whole) and set(rows) == set(whole)
            case ex.Quantifier.NONE:
                return not rows
            case ex.Quantifier.SOME:
                return bool(rows)
            case ex.Quantifier.ONLY:
                return len(rows) == 1


def _extreme(function: ex.Function, series: Series) -> Value:
    """The first or the last of days and periods."""
    known = [(order, each) for each in series.values if (order := order_of(each)) is not None]
    if not known:
        raise EvaluationError(Reason.NO_VALUE, _name(series))
    ordered = sorted(known, key=lambda each: each[0])
    found = ordered[0 if function is ex.Function.MIN else -1][1]
    if found is None:
        raise EvaluationError(Reason.NO_VALUE, _name(series))
    return found


def _typed(cell: Cell, column: Column, place: Place, digits: int) -> Value | None:
    places = frozenset({place})
    if cell is None:
        return None
    if isinstance(cell, bool):
        return Word(str(cell).casefold(), places)
    if isinstance(cell, float):
        if column.kind is not Kind.FIGURE or column.dimension is None:
            return Word(f"{cell:g}", places)
        scale = column.dimension.factor
        base = replace(column.dimension, factor=1.0)
        return Figure(cell * scale, base, places, scale, digits)
    if isinstance(cell, date):
        return Time(cell, places)
    return Word(str(cell), places)


def _decimals(cell: Cell) -> int:
    if not isinstance(cell, float):
        return 0
    return len(f"{cell:.4f}".rstrip("0").partition(".")[2])


def _literal(value: float, unit: str) -> Figure:
    if not unit:
        return Figure(value, NUMBER)
    dimension = unit_dimension(unit)
    if dimension is None:
        raise EvaluationError(Reason.DIMENSIONS, unit)
    base = replace(dimension, factor=1.0)
    return Figure(value * dimension.factor, base, scale=dimension.factor)


def _word(value: str) -> Value:
    try:
        return Time(date.fromisoformat(value)) if len(value) == 10 else Word(value)
    except ValueError:
        return Word(value)


def _single(series: Series) -> Value:
    """The value of one row, or the one that all rows share."""
    if not series.values:
        raise EvaluationError(Reason.NO_ROW)
    known = {value.value for value in series.values if value is not None}
    if not known:
        raise EvaluationError(Reason.NO_VALUE, _name(series))
    if len(known) > 1 or any(value is None for value in series.values):
        raise EvaluationError(Reason.SEVERAL_ROWS, _name(series))
    first = next(value for value in series.values if value is not None)
    return replace(first, places=_places(series))


def _shape(first: Series | Value, second: Series | Value) -> Series:
    """The rows that two sides are computed over: those of one, or the same of both."""
    sides = [each for each in (first, second) if isinstance(each, Series)]
    if not sides:
        raise EvaluationError(Reason.NOT_A_FIGURE)
    several = [each for each in sides if len(each.values) != 1]
    if len(several) == _BOTH:
        one, other = several[0].selection, several[1].selection
        if one.table is not other.table or one.rows != other.rows:
            raise EvaluationError(Reason.SEVERAL_ROWS)
    return several[0] if several else sides[0]


def _at(side: Series | Value, row: int) -> Value | None:
    if not isinstance(side, Series):
        return side
    return side.values[0] if len(side.values) == 1 else side.values[row]


def _year(series: Series) -> Figure:
    found = find_moments(split_name(_name(series)).replace("_", " "))
    year = next((each.moment.year for each in found if each.moment.year), None)
    if year is None:
        return year_of(series.values, _name(series))
    return Figure(float(year), NUMBER, digits=0)


def _places(series: Series) -> Places:
    found: set[Place] = set()
    for value in series.values:
        if value is not None:
            found |= value.places
    return frozenset(found)


def _name(series: Series) -> str:
    return series.selection.table.columns[series.column].name if series.column is not None else ""


def _runs(course: ex.Course, series: Series) -> bool:
    known = [value.value for value in series.values if isinstance(value, Figure)]
    if len(known) < 2:
        raise EvaluationError(Reason.NO_VALUE)
    if course is ex.Course.RISING:
        return all(first < second for first, second in pairwise(known))
    return all(first > second for first, second in pairwise(known))
