"""Measures and conditions as trees."""

from collections.abc import Iterator
from dataclasses import dataclass


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
Expression = Constant | Condition | Column | Cell | Arithmetic | Call

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
        case Column() | Number() | Text() | Truth() | Cell():
            return ()
        case Arithmetic(_, left, right) | Compare(_, left, right):
            return (left, right)
        case OneOf(operand, values, _):
            return (operand, *values)
        case Blank(operand, _) | Contains(operand, _) | Not(operand) | Judged(_, operand):
            return (operand,)
        case Every(parts) | Either(parts) | Call(_, parts):
            return parts


def walk(expression: Expression) -> Iterator[Expression]:
    """An expression and all its parts, from left to right."""
    ahead = [expression]
    while ahead:
        part = ahead.pop()
        yield part
        ahead += reversed(parts_of(part))


def comparisons(expression: Expression) -> Iterator[Expression]:
    """The comparisons of values within an expression."""
    if isinstance(expression, Compare | OneOf | Contains):
        yield expression
        return
    for part in parts_of(expression):
        yield from comparisons(part)


def is_judged(expression: Expression | None) -> bool:
    """True if it is a judgement by itself, or the opposite of one."""
    inner = expression.condition if isinstance(expression, Not) else expression
    return isinstance(inner, Judged)


def _is_aggregate(expression: Expression) -> bool:
    return isinstance(expression, Call) and expression.function in AGGREGATES


def has_aggregate(expression: Expression) -> bool:
    """True if it is one value for all rows in scope, or made of such."""
    return any(map(_is_aggregate, walk(expression)))


def constants(expression: Expression) -> tuple[Constant, ...]:
    """The constants of an expression, from left to right."""
    return tuple(part for part in walk(expression) if isinstance(part, Number | Text | Truth))


def column_names(expression: Expression) -> tuple[str, ...]:
    """The columns of the result in scope that it names."""
    columns = (part for part in walk(expression) if isinstance(part, Column))
    return tuple(column.name for column in columns if not column.result)


def result_names(expression: Expression) -> set[str]:
    """The results whose columns it names."""
    columns = (part for part in walk(expression) if isinstance(part, Column))
    return {column.result for column in columns if column.result}


def is_mixed(expression: Expression) -> bool:
    """True if it sets the cells of each row against an aggregate: ``qty / sum(qty)``."""
    return has_aggregate(expression) and _has_cells(expression)


def _has_cells(expression: Expression) -> bool:
    """True if it has a column outside of aggregates."""
    if isinstance(expression, Column):
        return not expression.result
    return not _is_aggregate(expression) and any(map(_has_cells, parts_of(expression)))
