"""Measures and conditions as trees."""

from collections.abc import Callable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Number:
    """A constant; with a percent sign it is a share."""

    value: float
    is_percent: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A constant text or day."""

    value: str


@dataclass(frozen=True, slots=True)
class Truth:
    """True or false."""

    value: bool


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the result in scope, or of another."""

    name: str
    result: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a result: ``r2['North'].qty``."""

    result: str
    row: str
    column: str


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """``+ - * /`` between two."""

    operator: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class Compare:
    """``= != < <= > >=`` between two."""

    operator: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class OneOf:
    """Whether a value is one of some constants."""

    operand: "Expression"
    values: "tuple[Number | Text | Truth, ...]"
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Blank:
    """Whether a cell is empty."""

    operand: "Expression"
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Contains:
    """Whether a text has another within it."""

    operand: "Expression"
    text: str


@dataclass(frozen=True, slots=True)
class Every:
    """All of these conditions."""

    conditions: "tuple[Expression, ...]"


@dataclass(frozen=True, slots=True)
class Either:
    """One of these conditions at least."""

    conditions: "tuple[Expression, ...]"


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a condition."""

    condition: "Expression"


@dataclass(frozen=True, slots=True)
class Judged:
    """A condition that the owner of the data has given a name."""

    name: str
    condition: "Expression"


@dataclass(frozen=True, slots=True)
class Call:
    """A function: an aggregate over the rows in scope, or one for each row."""

    function: str
    arguments: "tuple[Expression, ...]"


Constant = Number | Text | Truth
Condition = Compare | OneOf | Blank | Contains | Every | Either | Not | Judged
Expression = (
    Number | Text | Truth | Column | Cell | Arithmetic | Call
    | Compare | OneOf | Blank | Contains | Every | Either | Not | Judged
)  # fmt: skip

AGGREGATES = frozenset({"sum", "avg", "median", "min", "max", "count", "distinct", "wavg"})


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure with the name that its author gave it."""

    expression: Expression
    text: str
    """Its text, without its name."""
    alias: str = ""
    meaning: "Expression | None" = None
    """The expression behind a column of groups."""


def parts_of(expression: Expression) -> tuple[Expression, ...]:
    """The direct parts of an expression."""
    match expression:
        case Arithmetic(_, left, right) | Compare(_, left, right):
            return (left, right)
        case OneOf(operand, values, _):
            return (operand, *values)
        case Blank(operand, _) | Contains(operand, _) | Not(operand) | Judged(_, operand):
            return (operand,)
        case Every(parts) | Either(parts) | Call(_, parts):
            return parts
        case _:
            return ()


def is_judged(expression: Expression | None) -> bool:
    """True if it is a judgement by itself, or the opposite of one."""
    inner = expression.condition if isinstance(expression, Not) else expression
    return isinstance(inner, Judged)


def has_aggregate(expression: Expression) -> bool:
    """True if it is one value for all rows in scope, or made of such."""
    if isinstance(expression, Call) and expression.function in AGGREGATES:
        return True
    return any(map(has_aggregate, parts_of(expression)))


def constants(expression: Expression) -> tuple[Constant, ...]:
    """The constants of an expression, from left to right."""
    if isinstance(expression, Number | Text | Truth):
        return (expression,)
    return tuple(found for part in parts_of(expression) for found in constants(part))


def all_columns(expression: Expression) -> tuple[str, ...]:
    """The columns of any result that it names."""
    match expression:
        case Column(name, _):
            return (name,)
        case Cell(_, _, name):
            return (name,)
        case _:
            return tuple(name for part in parts_of(expression) for name in all_columns(part))


def column_names(expression: Expression) -> tuple[str, ...]:
    """The columns of the result in scope that it names."""
    if isinstance(expression, Column) and not expression.result:
        return (expression.name,)
    return tuple(name for part in parts_of(expression) for name in column_names(part))


def result_names(expression: Expression) -> set[str]:
    """The results whose columns it names."""
    if isinstance(expression, Column) and expression.result:
        return {expression.result}
    return {found for part in parts_of(expression) for found in result_names(part)}


def is_mixed(expression: Expression) -> bool:
    """True if it sets the cells of each row against an aggregate: ``qty / sum(qty)``."""
    return has_aggregate(expression) and _has_cells(expression)


def _has_cells(expression: Expression) -> bool:
    """True if it has a column outside of aggregates."""
    if isinstance(expression, Call) and expression.function in AGGREGATES:
        return False
    if isinstance(expression, Column):
        return not expression.result
    return any(map(_has_cells, parts_of(expression)))


def with_columns(expression: Expression, work: Callable[[Column], Column]) -> Expression:
    """The same with other columns."""

    def again(part: Expression) -> Expression:
        return with_columns(part, work)

    match expression:
        case Column():
            return work(expression)
        case Arithmetic(_, left, right) | Compare(_, left, right):
            return replace(expression, left=again(left), right=again(right))
        case OneOf(operand) | Blank(operand) | Contains(operand):
            return replace(expression, operand=again(operand))
        case Not(condition):
            return replace(expression, condition=again(condition))
        case Every(parts) | Either(parts):
            return replace(expression, conditions=tuple(map(again, parts)))
        case Call(_, parts):
            return replace(expression, arguments=tuple(map(again, parts)))
        case _:
            return expression
