"""SQL fragments of semantic models: is it a column, an aggregate, a sum of metrics?"""

import re
from dataclasses import dataclass
from typing import Final

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

_IDENTIFIER = re.compile(r'"?([^\W\d][\w$]*)"?\Z')
_AGGREGATES: Final[dict[type[exp.Expr], str]] = {
    exp.Sum: "sum",
    exp.Avg: "average",
    exp.Min: "min",
    exp.Max: "max",
    exp.Count: "count",
    exp.Median: "median",
    exp.ApproxDistinct: "count_distinct",
    exp.PercentileCont: "percentile",
    exp.PercentileDisc: "percentile",
}
ADDITIVE: Final = frozenset({"sum", "count", "sum_boolean"})
"""The aggregates whose values per group add up to the value of the whole."""


@dataclass(frozen=True, slots=True)
class Aggregate:
    """One aggregate over one argument: ``SUM(orders.amount)``."""

    function: str
    argument: str | None
    table: str | None = None
    is_column: bool = False


def plain_column(text: str | None) -> str | None:
    """The column's name if the text is only a column, perhaps qualified."""
    last = (text or "").strip().rpartition(".")
    found = _IDENTIFIER.match(last[2])
    if not found or (last[0] and not _IDENTIFIER.match(last[0].rpartition(".")[2])):
        return None
    return found.group(1)


def parse_sql(text: str, dialect: str | None = None) -> exp.Expr | None:
    """The parsed expression, or None if it is no SQL of this dialect."""
    try:
        return sqlglot.parse_one(text, dialect=dialect)
    except (SqlglotError, RecursionError):
        return None


def aggregate_of(text: str, dialect: str | None = None) -> Aggregate | None:
    """The one aggregate that makes up the whole expression, if it is one."""
    tree = parse_sql(text, dialect)
    function = _AGGREGATES.get(type(tree)) if tree else None
    if tree is None or function is None:
        return None
    argument = tree.this
    if isinstance(argument, exp.Distinct):
        function = "count_distinct" if function == "count" else function
        argument = argument.expressions[0] if len(argument.expressions) == 1 else argument
    if argument is None or isinstance(argument, exp.Star):
        return Aggregate(function, None)
    if isinstance(argument, exp.Column):
        return Aggregate(function, argument.name, argument.table or None, is_column=True)
    return Aggregate(function, argument.sql(dialect=dialect))


def columns_in(text: str, dialect: str | None = None) -> tuple[tuple[str, str], ...]:
    """Every column that an expression names, as (table or "", column)."""
    tree = parse_sql(text, dialect)
    if tree is None:
        return ()
    found = ((column.table, column.name) for column in tree.find_all(exp.Column, bfs=False))
    return tuple(dict.fromkeys(found))


def is_linear(text: str) -> bool:
    """True for sums and differences of names, which keep additivity."""
    tree = parse_sql(text)
    linear = (exp.Add, exp.Sub, exp.Neg, exp.Paren, exp.Column, exp.Identifier)
    return tree is not None and all(isinstance(node, linear) for node in tree.walk())
