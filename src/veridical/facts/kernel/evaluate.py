"""Evaluates measures and conditions over rows, a column at a time."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import compress
from operator import and_, or_
from typing import cast

from veridical.evidence.column import Additivity, CellKind
from veridical.evidence.dimension import COUNT, NUMBER, SHARE
from veridical.evidence.moment import month_text
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.arithmetic import combined, spread
from veridical.facts.kernel.compare import all_compared
from veridical.facts.kernel.frame import Frame, moment_of, spelt
from veridical.facts.kernel.reduce import reduced, weighted
from veridical.facts.kernel.value import FactError, Found, Reason, Scalar, Value, Vector

_BOTH = 2
_ARGUMENTS = {"pct": 2, "ratio": 2, "growth": 2, "wavg": 2, "abs": 1, "year": 1, "month": 1,
              "count": 1, "distinct": 1}  # fmt: skip
Truth = bool | None
"""None where an empty cell leaves it open."""


@dataclass(frozen=True, slots=True)
class EvaluationScope:
    """Rows of a frame, and the other results that a measure may name."""

    frame: Frame
    rows: tuple[int, ...]
    others: Mapping[str, Frame]
    pool: tuple[int, ...] | None = None
    """The rows that aggregates are over, where these are more than the rows in scope."""

    def of(self, rows: Sequence[int]) -> "EvaluationScope":
        """The same with other rows."""
        return EvaluationScope(self.frame, tuple(rows), self.others)

    @property
    def whole(self) -> "EvaluationScope":
        """The scope for aggregates."""
        return self if self.pool is None else self.of(self.pool)


def evaluate(expression: ex.Expression, scope: EvaluationScope) -> Found:
    """One value for each row in scope, one for all of them, or none. Raises ``FactError``."""
    match expression:
        case ex.Column(name, result):
            return _other(result, name, scope) if result else _column(name, scope)
        case ex.Number(value, is_percent):
            return Value(CellKind.FIGURE, value, SHARE if is_percent else NUMBER, is_literal=True)
        case ex.Text(text):
            return Value(CellKind.NAME, text, is_literal=True)
        case ex.Truth(value):
            return Value(CellKind.FLAG, value, is_literal=True)
        case ex.Cell(result, row, column):
            return _cell(result, row, column, scope)
        case ex.Arithmetic(operator, left, right):
            one, other = evaluate(left, scope), evaluate(right, scope)
            return combined(operator, one, other, len(scope.rows))
        case ex.Call(function, arguments):
            return _call(function, arguments, scope)
        case _:
            return Vector("", CellKind.FLAG, truths(expression, scope))


def series(expression: ex.Expression, scope: EvaluationScope) -> Vector:
    """One value for each row in scope. Raises ``FactError``."""
    found = evaluate(expression, scope)
    return found if isinstance(found, Vector) else spread(found, len(scope.rows))


def truths(condition: ex.Expression, scope: EvaluationScope) -> list[Truth]:
    """Whether a condition is true of each row, as in SQL: one that an empty cell leaves open is
    neither. Raises ``FactError``."""
    match condition:
        case ex.Every(parts):
            return reduce(_both, (truths(part, scope) for part in parts))
        case ex.Either(parts):
            return reduce(_either, (truths(part, scope) for part in parts))
        case ex.Not(inner):
            return [None if each is None else not each for each in truths(inner, scope)]
        case ex.Judged(_, inner):
            return truths(inner, scope)
        case ex.Compare("=" | "!=" as operator, ex.Column() as column, ex.Text(text)) if _is_text(
            column, scope
        ):
            return _spelt_as((text,), column, scope, negated=operator == "!=")
        case ex.Compare(operator, left, right):
            one, other = evaluate(left, scope), evaluate(right, scope)
            return all_compared(operator, one, other, len(scope.rows))
        case ex.OneOf(ex.Column() as column, values, negated) if _is_text(column, scope) and all(
            isinstance(value, ex.Text) for value in values
        ):
            texts = [value.value for value in values if isinstance(value, ex.Text)]
            return _spelt_as(texts, column, scope, negated=negated)
        case ex.OneOf(operand, values, negated):
            either = ex.Either(tuple(ex.Compare("=", operand, value) for value in values))
            return truths(ex.Not(either) if negated else either, scope)
        case ex.Blank(operand, negated):
            values = series(operand, scope).values
            return [(value is None) is not negated for value in values]
        case ex.Contains(operand, text):
            wanted = " ".join(text.casefold().split())
            return [None if each is None else wanted in each for each in _texts(operand, scope)]
        case _:
            return _flags(series(condition, scope))


def _both(one: list[Truth], other: list[Truth]) -> list[Truth]:
    try:
        return list(map(and_, one, other))
    except TypeError:  # some rows are open
        return [False if a is False or b is False else None if a is None or b is None else True
                for a, b in zip(one, other, strict=True)]  # fmt: skip


def _either(one: list[Truth], other: list[Truth]) -> list[Truth]:
    try:
        return list(map(or_, one, other))
    except TypeError:  # some rows are open
        return [True if a is True or b is True else None if a is None or b is None else False
                for a, b in zip(one, other, strict=True)]  # fmt: skip


def _texts(operand: ex.Expression, scope: EvaluationScope) -> Sequence[str | None]:
    """Cells as a fact's author writes them."""
    if isinstance(operand, ex.Column) and not operand.result:
        cells = scope.frame.spelt(scope.frame.column(operand.name))
        return cells if scope.rows is scope.frame.every else [cells[row] for row in scope.rows]
    return [None if each is None else spelt(each) for each in series(operand, scope).values]


def _is_text(column: ex.Column, scope: EvaluationScope) -> bool:
    """True if a column of the rows in scope names things."""
    if column.result:
        return False
    at = scope.frame.column(column.name)
    return scope.frame.table.columns[at].kind in (CellKind.NAME, CellKind.CODE)


def _spelt_as(
    texts: Sequence[str], column: ex.Column, scope: EvaluationScope, *, negated: bool
) -> list[Truth]:
    """Whether cells are one of these texts, without case."""
    wanted = {spelt(text) for text in texts}
    cells = _texts(column, scope)
    return [None if each is None else (each in wanted) is not negated for each in cells]


def _flags(vector: Vector) -> list[Truth]:
    """A column of yes and no as a condition. Raises ``FactError``."""
    if vector.kind is not CellKind.FLAG and not vector.is_empty:
        raise FactError(Reason.SYNTAX, vector.name)
    return cast("list[Truth]", list(vector.values))


def _column(name: str, scope: EvaluationScope) -> Vector:
    found = scope.frame.whole(scope.frame.column(name))
    if scope.rows is scope.frame.every:
        return found
    return found.over(scope.rows)


def _frame(result: str, scope: EvaluationScope) -> Frame:
    found = scope.others.get(result)
    if found is None:
        raise FactError(Reason.NO_RESULT, result, tuple(scope.others))
    return found


def _other(result: str, name: str, scope: EvaluationScope) -> Found:
    """A column of the result in scope, or the one cell of another: rows of two results belong
    together by a key, never by their places. Raises ``FactError``."""
    frame = _frame(result, scope)
    if frame.table.name == scope.frame.table.name:
        return _column(name, scope)
    held = _held(frame, name)
    if held is not None:
        return held
    vector = _column(name, EvaluationScope(frame, frame.members, scope.others))
    if len(vector.values) != 1:
        raise FactError(Reason.SEVERAL_ROWS, f"{result}.{name}")
    return vector.at(0)


def _held(frame: Frame, name: str) -> Value | None:
    if frame.place(name) is not None:
        return None
    held = next((v for k, v in frame.table.held.items() if k.casefold() == name.casefold()), None)
    if held is None:
        return None
    if isinstance(held, bool):
        return Value(CellKind.FLAG, held)
    if isinstance(held, float | int):
        return Value(CellKind.FIGURE, float(held), NUMBER)
    return Value(CellKind.NAME if isinstance(held, str) else CellKind.DAY, held)


def _cell(result: str, row: str, column: str, scope: EvaluationScope) -> Value | None:
    frame = _frame(result, scope)
    rows = frame.find(row)
    if len(rows) != 1:
        raise FactError(Reason.SEVERAL_ROWS, row)
    return _column(column, EvaluationScope(frame, rows, scope.others)).at(0)


def _call(function: str, arguments: tuple[ex.Expression, ...], scope: EvaluationScope) -> Found:
    if len(arguments) > _ARGUMENTS.get(function, _BOTH):
        raise FactError(Reason.SYNTAX, function)
    if function in ex.AGGREGATES:
        return _aggregate(function, arguments, scope)
    if len(arguments) != _ARGUMENTS[function]:
        raise FactError(Reason.SYNTAX, function)
    found = [evaluate(each, scope) for each in arguments]
    if len(found) == _BOTH:
        operator = "/" if function == "ratio" else function
        return combined(operator, found[0], found[1], len(scope.rows))
    return _size(found[0]) if function == "abs" else _calendar(function, found[0])


def _aggregate(
    function: str, arguments: tuple[ex.Expression, ...], scope: EvaluationScope
) -> Value | None:
    scope = scope.whole
    if not arguments:
        return _number_of(len(scope.rows))
    first = arguments[0]
    scope = _aggregated_scope(first, scope)
    if function == "wavg":
        if len(arguments) != _BOTH:
            raise FactError(Reason.SYNTAX, function)
        return weighted(series(first, scope), series(arguments[1], scope))
    if len(arguments) > 1:
        scope = scope.of(tuple(compress(scope.rows, truths(arguments[1], scope))))
    vector = series(first, scope)
    if function == "count":
        flags = vector.kind is CellKind.FLAG  # a condition, or a column of yes and no
        return _number_of(sum(each is True if flags else each is not None
                              for each in vector.values))  # fmt: skip
    return reduced(function, vector, scope.frame, scope.rows)


def _number_of(rows: int) -> Value:
    return Value(CellKind.FIGURE, float(rows), COUNT, digits=0)


def _aggregated_scope(expression: ex.Expression, scope: EvaluationScope) -> EvaluationScope:
    """The scope of an aggregate over another result: all its rows."""
    results = ex.result_names(expression) - {scope.frame.table.name}
    if not results or ex.column_names(expression):
        return scope
    frame = _frame(min(results), scope)
    return EvaluationScope(frame, frame.members, scope.others)


def _size(found: Found) -> Found:
    """A figure without its sign. Raises ``FactError``."""
    if found is None:
        return None
    if found.kind is not CellKind.FIGURE:
        raise FactError(Reason.NOT_A_FIGURE, "abs")
    if isinstance(found, Vector):
        values = [abs(each) if isinstance(each, float) else None for each in found.values]
        return found.having(values)
    return replace(found, value=abs(found.number))


def _calendar(part: str, found: Found) -> Found:
    """The year or the month that days lie in, as a period. Raises ``FactError``."""
    work: Callable[[Scalar], str] = partial(_period, part)
    if isinstance(found, Vector):
        values = [None if each is None else work(each) for each in found.values]
        return Vector(found.name, CellKind.PERIOD, values, None, 1.0, None, Additivity.NEVER,
                      found.columns)  # fmt: skip
    return None if found is None else Value(CellKind.PERIOD, work(found.value))


def _period(part: str, cell: Scalar) -> str:
    when = moment_of(cell)
    number = (when.year if part == "year" else when.month) if when is not None else None
    if number is None:
        raise FactError(Reason.NOT_A_FIGURE, str(cell))
    return str(number) if part == "year" else month_text(number)
