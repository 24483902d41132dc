"""What a SQL statement shows and what it holds fixed, as far as that is plain to see."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from veridical.ontology.catalog import Catalog, ColumnCard, TableCard

_FIGURE = re.compile(r"\d+(?:\.\d+)?")
_SMALLEST_SUMMAND = 1000
"""Below it, a number beside a column scales or rounds it."""


class Origin(NamedTuple):
    """Where a result's column comes from, and through which aggregate."""

    card: ColumnCard | None = None
    aggregate: str = ""


def parsed(sql: str) -> exp.Select | None:
    """The statement, where it is one that selects."""
    try:
        tree = sqlglot.parse_one(sql, dialect="postgres")
    except SqlglotError:
        return None
    return tree if isinstance(tree, exp.Select) else None


def projected(
    tree: exp.Select | None, columns: tuple[str, ...], catalog: Catalog
) -> Iterator[Origin]:
    """What each column shows, where that is a column of a table or one aggregate of it."""
    if tree is None or len(tree.expressions) != len(columns):
        yield from (Origin() for _ in columns)
        return
    tables = [card for each in tree.find_all(exp.Table) if (card := catalog.table(each.name))]
    for shown in tree.expressions:
        yield _origin(shown.unalias(), tables)


def compared(tree: exp.Select | None) -> dict[str, Any]:
    """The columns that every row has the same value in, because the statement asks for it."""
    where = tree.args.get("where") if tree is not None else None
    if where is None:
        return {}
    condition = where.this
    parts = condition.flatten() if isinstance(condition, exp.And) else (condition,)
    held: dict[str, Any] = {}
    for part in parts:
        if isinstance(part, exp.EQ) and isinstance(part.this, exp.Column):
            value = part.expression
            if isinstance(value, exp.Literal):
                held[part.this.name] = value.to_py()
    return held


def written_figures(tree: exp.Select | None) -> Iterator[float]:
    """The figures that a statement writes into its result by itself, instead of reading them.

    What it compares with, and factors of what it reads, are none.
    """
    for select in tree.find_all(exp.Select) if tree is not None else ():
        for shown in select.expressions:
            reads = shown.find(exp.Column, exp.AggFunc) is not None
            for value in _literals(shown):
                if not reads or value >= _SMALLEST_SUMMAND:
                    yield value
    for values in tree.find_all(exp.Values) if tree is not None else ():
        yield from _literals(values)


def own_figures(tree: exp.Select | None) -> Iterator[float]:
    """Of these, the ones that stand in the result as they were written, whatever the data says."""
    for select in tree.find_all(exp.Select) if tree is not None else ():
        for shown in select.expressions:
            if shown.find(exp.Column, exp.AggFunc) is None:
                yield from _literals(shown)
            else:
                for chosen in shown.find_all(exp.Case, exp.If, exp.Coalesce):
                    yield from _literals(chosen)
    for values in tree.find_all(exp.Values) if tree is not None else ():
        yield from _literals(values)


def figure_of(tree: exp.Expr | None) -> float | None:
    """The number that an expression is, with its sign."""
    if isinstance(tree, exp.Neg):
        value = figure_of(tree.this)
        return None if value is None else -value
    if isinstance(tree, exp.Literal) and not tree.is_string:
        return float(tree.name)
    return None


def _literals(tree: exp.Expr) -> Iterator[float]:
    for literal in tree.find_all(exp.Literal):
        if literal.find_ancestor(exp.Predicate, exp.Where, exp.Limit, exp.Interval) is None:
            text = literal.name.replace(",", "").replace("'", "").strip()
            if _FIGURE.fullmatch(text):
                yield float(text)


def _origin(shown: exp.Expr, tables: list[TableCard]) -> Origin:
    aggregate = ""
    if isinstance(shown, exp.AggFunc):
        distinct = isinstance(shown.this, exp.Distinct)
        aggregate = "count_distinct" if distinct else shown.key
        shown = shown.this
    if not isinstance(shown, exp.Column):
        return Origin(None, aggregate)
    found = [card for table in tables if (card := table.column(shown.name))]
    return Origin(found[0] if len(found) == 1 else None, aggregate)
