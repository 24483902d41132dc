"""Conditions of structured calls as SQL, with every value bound."""

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from sqlglot import exp

from veridical.contracts.call import Filter, Scalar
from veridical.contracts.statement import Bound
from veridical.statement.errors import EngineError, Problem

_COMPARISONS: dict[str, type[exp.Binary]] = {
    "=": exp.EQ,
    "!=": exp.NEQ,
    "<": exp.LT,
    "<=": exp.LTE,
    ">": exp.GT,
    ">=": exp.GTE,
    "like": exp.Like,
    "not like": exp.Like,
    "ilike": exp.ILike,
}


class FilterShape(NamedTuple):
    """A condition without its values: which field, how compared, how many values, any null."""

    field: str
    op: str
    values: int
    null: bool


def values_of(condition: Filter) -> tuple[Scalar, ...]:
    """The values of a condition, one or many."""
    value = condition.value
    return value if isinstance(value, tuple) else (value,)


def filter_shape(condition: Filter) -> FilterShape:
    """The shape of this condition."""
    values = values_of(condition)
    known = sum(value is not None for value in values)
    op = condition.op
    if op.endswith("null"):
        return FilterShape(condition.field, op, 0, null=False)
    return FilterShape(condition.field, op, known, null=known < len(values))


def bound_values(condition: Filter) -> Iterator[Bound]:
    """The values to bind, in the order of their parameters."""
    if condition.op.endswith("null"):
        return
    for value in values_of(condition):
        if value is not None:
            yield bound(value)


def bound(value: str | int | float | bool) -> Bound:
    """The value as it is bound: a fraction exactly, so that it compares with numeric columns."""
    return Decimal(repr(value)) if isinstance(value, float) else value


def condition(shape: FilterShape, column: exp.Expr, parameters: list[exp.Expr]) -> exp.Expr:
    """The SQL of a condition on a column, over these parameters."""
    match shape.op:
        case "is null":
            return column.is_(exp.null())
        case "is not null":
            return exp.not_(column.is_(exp.null()))
        case "in" | "not in":
            return _membership(shape, column, parameters)
        case "between":
            low, high = parameters
            return exp.Between(this=column, low=low, high=high)
        case _ if shape.null:
            missing = column.is_(exp.null())
            return missing if shape.op == "=" else exp.not_(missing)
        case _:
            kind = _COMPARISONS.get(shape.op)
            if kind is None:
                raise EngineError(Problem.NOT_ALLOWED, part=shape.op)
            compared = kind(this=column, expression=parameters[0])
            return exp.not_(compared) if shape.op == "not like" else compared


def _membership(shape: FilterShape, column: exp.Expr, parameters: list[exp.Expr]) -> exp.Expr:
    # SQL's IN never matches a null, and NOT IN with a null matches nothing: null has its own test.
    listed = exp.In(this=column, expressions=parameters) if parameters else exp.false()
    found = exp.or_(listed, column.copy().is_(exp.null())) if shape.null else listed
    return exp.not_(exp.paren(found)) if shape.op == "not in" else found
