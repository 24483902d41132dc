"""Evaluates measures and conditions over rows, a column at a time."""

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial

from veridical.evidence.column import Additivity, Kind
from veridical.evidence.dimension import (
    COUNT,
    NUMBER,
    SHARE,
    Dimension,
    DimensionError,
    Quantity,
    added,
    comparable,
    divided,
    multiplied,
)
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.compare import compared, lifted
from veridical.facts.kernel.frame import TIMES, Frame, moment_of, order_of
from veridical.facts.kernel.value import FactError, Reason, Scalar, Value, Vector

_DAY = 86_400.0
POINTS = replace(SHARE, unit="pp")
"""Between two shares: percentage points."""
_BOTH = 2


@dataclass(frozen=True, slots=True)
class Scope:
    """Rows of a frame, and the other results that a measure may name."""

    frame: Frame
    rows: tuple[int, ...]
    others: Mapping[str, Frame]

    def of(self, rows: Sequence[int]) -> "Scope":
        """The same with other rows."""
        return Scope(self.frame, tuple(rows), self.others)


Found = Value | Vector | None


def evaluate(expression: ex.Expression, scope: Scope) -> Found:
    """One value for each row in scope, one for all of them, or none. Raises ``FactError``."""
    match expression:
        case ex.Number(value, is_percent):
            return Value(Kind.FIGURE, value, SHARE if is_percent else NUMBER, is_literal=True)
        case ex.Text(text):
            return Value(Kind.NAME, text, is_literal=True)
        case ex.Truth(value):
            return Value(Kind.FLAG, value, is_literal=True)
        case ex.Column(name, result):
            return _other(result, name, scope) if result else _column(name, scope)
        case ex.Cell(result, row, column):
            return _cell(result, row, column, scope)
        case ex.Arithmetic(operator, left, right):
            return _arithmetic(operator, evaluate(left, scope), evaluate(right, scope), scope)
        case ex.Call(function, arguments):
            return _call(function, arguments, scope)
        case _:
            flags = holds(expression, scope)
            return Vector("", Kind.FLAG, flags)


def series(expression: ex.Expression, scope: Scope) -> Vector:
    """One value for each row in scope. Raises ``FactError``."""
    found = evaluate(expression, scope)
    if isinstance(found, Vector):
        return found
    return _spread(found, len(scope.rows))


def single(expression: ex.Expression, scope: Scope) -> Value | None:
    """The one value of an expression; none where there is none. Raises ``FactError``."""
    found = evaluate(expression, scope)
    if not isinstance(found, Vector):
        return found
    if len(found.values) == 1:
        return found.at(0)
    known = set(found.known)
    if len(known) == 1 and len(found.known) == len(found.values):
        return found.at(0)
    raise FactError(Reason.SEVERAL_ROWS if found.values else Reason.NO_ROW, found.name)


def holds(condition: ex.Expression, scope: Scope) -> list[bool]:
    """For which rows in scope a condition is true; an empty cell meets none. Raises
    ``FactError``."""
    size = len(scope.rows)
    match condition:
        case ex.Every(parts):
            found = [holds(part, scope) for part in parts]
            return [all(flags) for flags in zip(*found, strict=True)]
        case ex.Either(parts):
            found = [holds(part, scope) for part in parts]
            return [any(flags) for flags in zip(*found, strict=True)]
        case ex.Not(inner):
            met = holds(inner, scope)
            known = _all_known(inner, scope)
            return [not flag and there for flag, there in zip(met, known, strict=True)]
        case ex.Judged(_, inner):
            return holds(inner, scope)
        case ex.Compare(operator, left, right):
            one, other = evaluate(left, scope), evaluate(right, scope)
            return _compared(operator, one, other, size)
        case ex.OneOf(operand, values, negated):
            flags = [False] * size
            found = evaluate(operand, scope)
            for each in values:
                met = _compared("=", found, evaluate(each, scope), size)
                flags = [flag or also for flag, also in zip(flags, met, strict=True)]
            if not negated:
                return flags
            known = _all_known(operand, scope)
            return [not flag and there for flag, there in zip(flags, known, strict=True)]
        case ex.Blank(operand, negated):
            values = series(operand, scope).values
            return [(value is None) is not negated for value in values]
        case ex.Contains(operand, text):
            wanted = text.casefold()
            values = series(operand, scope).values
            return [isinstance(each, str) and wanted in each.casefold() for each in values]
        case _:
            values = series(condition, scope).values
            if any(not isinstance(each, bool) for each in values if each is not None):
                raise FactError(Reason.SYNTAX, "")
            return [bool(each) for each in values]


def _all_known(expression: ex.Expression, scope: Scope) -> list[bool]:
    """The rows that have a value in every column that an expression names, but for those of which
    it asks whether they are empty."""
    known = [True] * len(scope.rows)
    if isinstance(expression, ex.Every | ex.Either | ex.Judged):
        parts = [_all_known(part, scope) for part in ex.parts_of(expression)]
        return [all(flags) for flags in zip(*parts, strict=True)]
    for name in () if isinstance(expression, ex.Blank) else ex.column_names(expression):
        values = _column(name, scope).values
        known = [flag and value is not None for flag, value in zip(known, values, strict=True)]
    return known


def _column(name: str, scope: Scope) -> Vector:
    found = scope.frame.whole(scope.frame.column(name))
    values = found.values
    if len(scope.rows) != len(values) or scope.rows != tuple(range(len(values))):
        values = [values[row] for row in scope.rows]
    return replace(found, values=values)


def _frame(result: str, scope: Scope) -> Frame:
    found = scope.others.get(result)
    if found is None:
        raise FactError(Reason.NO_RESULT, result, tuple(scope.others))
    return found


def _other(result: str, name: str, scope: Scope) -> Found:
    """A column of the result in scope, or the cell of another that has one row."""
    frame = _frame(result, scope)
    if frame.table.name == scope.frame.table.name:
        return _column(name, scope)
    held = _held(frame, name)
    if held is not None:
        return held
    vector = _column(name, Scope(frame, frame.members, scope.others))
    return vector.at(0) if len(vector.values) == 1 else vector


def _held(frame: Frame, name: str) -> Value | None:
    if frame.table.column(name) is not None:
        return None
    held = next((v for k, v in frame.table.held.items() if k.casefold() == name.casefold()), None)
    if held is None:
        return None
    if isinstance(held, bool):
        return Value(Kind.FLAG, held)
    if isinstance(held, float | int):
        return Value(Kind.FIGURE, float(held), NUMBER)
    return Value(Kind.NAME if isinstance(held, str) else Kind.DAY, held)


def _cell(result: str, row: str, column: str, scope: Scope) -> Value | None:
    frame = _frame(result, scope)
    rows = frame.find(row)
    if len(rows) != 1:
        raise FactError(Reason.SEVERAL_ROWS, row)
    return _column(column, Scope(frame, rows, scope.others)).at(0)


def _call(function: str, arguments: tuple[ex.Expression, ...], scope: Scope) -> Found:
    match function:
        case "count":
            rows = (
                sum(holds(arguments[0], scope))
                if arguments and _is_condition(arguments[0])
                else len(series(arguments[0], scope).known)
                if arguments
                else len(scope.rows)
            )
            return Value(Kind.FIGURE, float(rows), COUNT, digits=0)
        case "pct":
            part, whole = _two(function, arguments, scope)
            return _rows(_share, part, whole, scope)
        case "ratio":
            part, whole = _two(function, arguments, scope)
            return _arithmetic("/", part, whole, scope)
        case "growth":
            old, new = _two(function, arguments, scope)
            return _rows(_growth, old, new, scope)
        case "wavg":
            return _weighted(arguments, scope)
        case "abs":
            found = evaluate(arguments[0], scope)
            return _map(abs, found)
        case "year" | "month":
            return _map(partial(_calendar, function), evaluate(arguments[0], scope))
        case _:
            return _aggregate(function, arguments, scope)


def _is_condition(expression: ex.Expression) -> bool:
    return isinstance(expression, ex.Condition)


def _two(function: str, arguments: tuple[ex.Expression, ...], scope: Scope) -> tuple[Found, Found]:
    if len(arguments) != _BOTH:
        raise FactError(Reason.SYNTAX, function)
    return evaluate(arguments[0], scope), evaluate(arguments[1], scope)


def _aggregate(function: str, arguments: tuple[ex.Expression, ...], scope: Scope) -> Value | None:
    scope = _aggregated_scope(arguments[0], scope)
    if len(arguments) > 1:
        met = holds(arguments[1], scope)
        scope = scope.of([row for row, flag in zip(scope.rows, met, strict=True) if flag])
    return reduced(function, series(arguments[0], scope), scope)


def _aggregated_scope(expression: ex.Expression, scope: Scope) -> Scope:
    """Where an aggregate is over another result: all rows of that."""
    results = _results(expression) - {scope.frame.table.name}
    if not results or ex.column_names(expression):
        return scope
    frame = _frame(min(results), scope)
    return Scope(frame, frame.members, scope.others)


def _results(expression: ex.Expression) -> set[str]:
    if isinstance(expression, ex.Column) and expression.result:
        return {expression.result}
    return {found for part in ex.parts_of(expression) for found in _results(part)}


def reduced(function: str, vector: Vector, scope: Scope) -> Value | None:
    """A column as one value; none where no row has one. Raises ``FactError``."""
    known = vector.known
    if function == "distinct":
        return Value(Kind.FIGURE, float(len(set(known))), COUNT, digits=0)
    if not known:
        return None
    if vector.kind is not Kind.FIGURE:
        if function in ("min", "max"):
            return _extreme(function, vector)
        raise FactError(Reason.NOT_A_FIGURE, vector.name)
    numbers = [each for each in known if isinstance(each, float)]
    found = Value(Kind.FIGURE, 0.0, vector.dimension, vector.scale, vector.digits,
                  decimals=vector.decimals)  # fmt: skip
    match function:
        case "sum":
            if not adds_up(vector, scope):
                raise FactError(Reason.NOT_ADDITIVE, vector.name)
            return replace(found, value=math.fsum(numbers))
        case "avg":
            return replace(found, value=math.fsum(numbers) / len(numbers), digits=None)
        case "median":
            return replace(found, value=statistics.median(numbers), digits=None)
        case "min":
            return replace(found, value=min(numbers))
        case "max":
            return replace(found, value=max(numbers))
        case _:
            raise FactError(Reason.SYNTAX, function)


def _extreme(function: str, vector: Vector) -> Value | None:
    ordered = [(order, each) for each in vector.known if (order := order_of(each)) is not None]
    if not ordered:
        raise FactError(Reason.NOT_A_FIGURE, vector.name)
    pick = min if function == "min" else max
    return Value(vector.kind, pick(ordered, key=lambda each: each[0])[1])


def adds_up(vector: Vector, scope: Scope) -> bool:
    """Whether a column may be summed over the rows in scope: a balance not over time, a rate
    never."""
    if vector.additivity is not Additivity.NOT_OVER_TIME:
        return vector.additivity is Additivity.FULL
    columns = scope.frame.table.columns
    if any(each.is_key and each.kind in (Kind.NAME, Kind.CODE) for each in columns):
        return True
    times = [at for at, each in enumerate(columns) if each.kind in TIMES]
    rows = scope.frame.table.rows
    return all(len({rows[row][at] for row in scope.rows}) <= 1 for at in times)


def _weighted(arguments: tuple[ex.Expression, ...], scope: Scope) -> Value | None:
    if len(arguments) != _BOTH:
        raise FactError(Reason.SYNTAX, "wavg")
    vector, weight = (series(each, scope) for each in arguments)
    pairs = [
        (one, other)
        for one, other in zip(vector.values, weight.values, strict=True)
        if isinstance(one, float) and isinstance(other, float)
    ]
    whole = math.fsum(other for _, other in pairs)
    if not whole:
        return None
    value = math.fsum(one * other for one, other in pairs) / whole
    return Value(Kind.FIGURE, value, vector.dimension, vector.scale)


def _map(work: Callable[[float], float], found: Found) -> Found:
    if isinstance(found, Vector):
        values = [None if each is None else work(each) for each in found.values]  # type: ignore[arg-type]
        return replace(found, values=values)
    return None if found is None else replace(found, value=work(found.number))


def _calendar(part: str, cell: Scalar) -> float:
    when = moment_of(cell)
    found = getattr(when, part) if when is not None else None
    if found is None:
        raise FactError(Reason.NOT_A_FIGURE, str(cell))
    return float(found)


def _compared(operator: str, left: Found, right: Found, size: int) -> list[bool]:
    if left is None or right is None:
        return [False] * size
    if isinstance(left, Value) and isinstance(right, Value):
        return [compared(operator, left, right)] * size
    if isinstance(left, Value):
        turned = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
        return _compared(turned.get(operator, operator), right, left, size)
    if isinstance(right, Vector):
        pairs = ((left.at(at), right.at(at)) for at in range(size))
        return [one is not None and two is not None and compared(operator, one, two)
                for one, two in pairs]  # fmt: skip
    first = next((left.at(at) for at in range(size) if left.values[at] is not None), None)
    if first is None:
        return [False] * size
    if first.kind is Kind.FIGURE and right.kind is Kind.FIGURE:
        compared(operator, first, right)  # raises where they measure different things
        return _against(operator, left, lifted(right, first).number)
    return [(one := left.at(at)) is not None and compared(operator, one, right)
            for at in range(size)]  # fmt: skip


def _against(operator: str, left: Vector, limit: float) -> list[bool]:
    dust = 1e-9

    def met(value: Scalar | None) -> bool:
        if not isinstance(value, float):
            return False
        near = max(abs(value), abs(limit)) * dust
        gap = value - limit
        match operator:
            case "=":
                return abs(gap) <= near
            case "!=":
                return abs(gap) > near
            case "<":
                return gap < -near
            case "<=":
                return gap <= near
            case ">":
                return gap > near
            case _:
                return gap >= -near

    return [met(value) for value in left.values]


def _spread(found: Value | None, size: int) -> Vector:
    if found is None:
        return Vector("", Kind.FIGURE, [None] * size)
    return Vector("", found.kind, [found.value] * size, found.dimension, found.scale, found.digits)


def _arithmetic(operator: str, left: Found, right: Found, scope: Scope) -> Found:
    return _rows(partial(_computed, operator), left, right, scope)


Work = Callable[[Value, Value], Value]


def _rows(work: Work, left: Found, right: Found, scope: Scope) -> Found:
    """Two sides as one, row by row where one of them is a column."""
    if not isinstance(left, Vector) and not isinstance(right, Vector):
        return None if left is None or right is None else _tried(work, left, right)
    size = len(scope.rows)
    sides = [each for each in (left, right) if isinstance(each, Vector)]
    if any(len(each.values) != size for each in sides):
        raise FactError(Reason.SEVERAL_ROWS, sides[-1].name)
    one = left if isinstance(left, Vector) else _spread(left, size)
    other = right if isinstance(right, Vector) else _spread(right, size)
    literal = (isinstance(left, Value) and left.is_literal,
               isinstance(right, Value) and right.is_literal)  # fmt: skip
    found: list[Scalar | None] = []
    shape: Value | None = None
    for first, second in zip(one.values, other.values, strict=True):
        result = None
        if first is not None and second is not None:
            result = _tried(
                work,
                Value(one.kind, first, one.dimension, one.scale, one.digits, literal[0]),
                Value(other.kind, second, other.dimension, other.scale, other.digits, literal[1]),
            )
        shape = shape or result
        found.append(result.value if result is not None else None)
    if shape is None:
        return Vector("", Kind.FIGURE, [None] * size)
    is_product = isinstance(work, partial) and work.args == ("*",)
    is_sum = isinstance(work, partial) and work.args in (("+",), ("-",))
    kinds = [each.additivity for each in sides]
    additivity = Additivity.NEVER
    if is_product and Additivity.FULL in kinds:
        additivity = Additivity.FULL
    elif is_sum or (isinstance(work, partial) and work.args == ("/",) and literal[1]):
        additivity = (
            kinds[0]
            if len(set(kinds)) == 1 and not (is_sum and len(kinds) == 1)
            else Additivity.NEVER
        )
    if (
        shape.kind is Kind.FIGURE
        and shape.dimension is not None
        and shape.dimension.quantity is Quantity.DURATION
        and one.kind in TIMES
    ):
        additivity = Additivity.FULL
    columns = frozenset(name for each in sides for name in each.columns)
    return Vector(
        "", Kind.FIGURE, found, shape.dimension, shape.scale, shape.digits, additivity, columns
    )


def _tried(work: Work, left: Value, right: Value) -> Value | None:
    """A value, or none for a division by nothing. Raises ``FactError`` for all else."""
    try:
        found = work(left, right)
    except DimensionError as error:
        raise FactError(Reason.DIMENSIONS, str(error)) from error
    except ZeroDivisionError:
        return None
    if isinstance(found.value, float) and not math.isfinite(found.value):
        return None
    return found


def _computed(operator: str, left: Value, right: Value) -> Value:
    if operator == "-" and left.kind in TIMES and right.kind in TIMES:
        return _elapsed(left.value, right.value)
    if operator in ("+", "-"):
        left, right = lifted(left, right), lifted(right, left)
    one, other = left.number, right.number
    dimensions = left.dimension or NUMBER, right.dimension or NUMBER
    match operator:
        case "+" | "-":
            value = one + other if operator == "+" else one - other
            digits = None
            if left.digits is not None and right.digits is not None:
                digits = max(left.digits, right.digits)
            dimension = added(*dimensions)
            if operator == "-" and dimension == SHARE and not (left.is_literal or right.is_literal):
                dimension = POINTS
            return Value(Kind.FIGURE, value, dimension, left.scale, digits)
        case "*":
            _refuse_conversion(left, right)
            dimension = multiplied(*dimensions)
            bare = dimensions[0].is_bare, dimensions[1].is_bare
            scale = (
                left.scale * right.scale
                if not any(bare)
                else (left.scale if not bare[0] else right.scale)
            )
            digits = left.digits if right.is_literal and right.number.is_integer() else None
            return Value(Kind.FIGURE, one * other, dimension, scale, digits)
        case _:
            alike = comparable(*dimensions)
            dimension = divided(*dimensions)
            scale = 1.0 if alike else left.scale / right.scale
            return Value(Kind.FIGURE, one / other, dimension, scale)


def _refuse_conversion(left: Value, right: Value) -> None:
    """The host knows that a column counts thousands; a factor for it would count twice."""
    for value, factor in ((left, right), (right, left)):
        money = value.dimension is not None and value.dimension.quantity is Quantity.MONEY
        if (
            money
            and factor.is_literal
            and value.scale not in (1.0,)
            and factor.number == value.scale
        ):
            raise FactError(Reason.SCALE, f"* {factor.number:g}")


def _elapsed(left: Scalar, right: Scalar) -> Value:
    first, last = _day(right), _day(left)
    if isinstance(first, datetime) != isinstance(last, datetime):
        first, last = _plain(first), _plain(last)
    is_clock = isinstance(first, datetime)
    seconds = (last - first).total_seconds()
    return Value(
        Kind.FIGURE, seconds, Dimension(Quantity.DURATION), 1.0 if is_clock else _DAY,
        None if is_clock else 0,
    )  # fmt: skip


def _day(cell: Scalar) -> date:
    if isinstance(cell, date):
        return cell
    when = moment_of(cell)
    found = when.as_day if when is not None else None
    if found is None:
        raise FactError(Reason.NOT_A_FIGURE, str(cell))
    return found


def _plain(value: date) -> date:
    return value.date() if isinstance(value, datetime) else value


def _share(part: Value, whole: Value) -> Value:
    part, whole = lifted(part, whole), lifted(whole, part)
    if not comparable(part.dimension or NUMBER, whole.dimension or NUMBER):
        raise FactError(Reason.DIMENSIONS, "pct")
    return Value(Kind.FIGURE, part.number / whole.number, SHARE)


def share_of(part: Value | None, whole: Value | None) -> Value | None:
    """A part of a whole. Raises ``FactError``."""
    return None if part is None or whole is None else _tried(_share, part, whole)


def _growth(old: Value, new: Value) -> Value:
    found = _share(new, old)
    if old.number < 0:
        raise ZeroDivisionError
    return replace(found, value=found.number - 1)


def growth_of(old: Value | None, new: Value | None) -> Value | None:
    """A change as a part of what it was; none from nothing or below. Raises ``FactError``."""
    return None if old is None or new is None else _tried(_growth, old, new)


def computed(operator: str, left: Value | None, right: Value | None) -> Value | None:
    """Arithmetic between two values. Raises ``FactError``."""
    if left is None or right is None:
        return None
    return _tried(partial(_computed, operator), left, right)
