"""Queries in which mistakes are made: the conditions in a tree, and the tree as a call."""

from collections.abc import Iterator
from typing import Any

from sqlglot import exp

from veridical.evals.gold.query import DIALECT, SQL_TOOL

_COMPARED = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In, exp.Like, exp.Between)


def as_call(tree: exp.Query) -> tuple[str, dict[str, Any]]:
    """The tool and its arguments that run this query."""
    return SQL_TOOL, {"sql": tree.sql(DIALECT)}


def comparisons(tree: exp.Expr, *columns: str) -> Iterator[exp.Expr]:
    """The places where the query compares one of these columns with a literal."""
    for node in tree.find_all(*_COMPARED):
        column = node.this
        if isinstance(column, exp.Column) and column.name in columns and list(literals(node)):
            yield node


def literals(node: exp.Expr) -> Iterator[exp.Literal]:
    """The literal of a comparison."""
    for part in node.iter_expressions():
        if part is not node.this:
            yield from (each for each in part.find_all(exp.Literal))
