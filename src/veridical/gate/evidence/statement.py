"""Columns, fixed values and row count of a SQL statement, as far as they are plain to see."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlglot import exp

from veridical.ontology.catalog import Catalog, ColumnCard, TableCard
from veridical.ontology.terms import terms
from veridical.statement.reader import parsed as parse_statement

_REMADE = ("group", "distinct", "joins", "with_", "laterals", "having")
"""The parts of a statement after which a row is no longer one of its table."""


class Origin(NamedTuple):
    """The origin of a result's column, and its aggregate."""

    card: ColumnCard | None = None
    aggregate: str = ""


def parsed(sql: str) -> exp.Select | None:
    """The statement, where it is one that selects, with or without brackets around it."""
    tree = parse_statement(sql)
    while isinstance(tree, exp.Subquery) and not tree.args.get("limit"):
        tree = tree.this
    return tree if isinstance(tree, exp.Select) else None


def projected(
    tree: exp.Select | None, columns: tuple[str, ...], catalog: Catalog
) -> Iterator[Origin]:
    """The origin of each column, if it is a column of a table or one aggregate of it."""
    if tree is None or len(tree.expressions) != len(columns):
        yield from (Origin() for _ in columns)
        return
    tables = [card for each in tree.find_all(exp.Table) if (card := catalog.table(each.name))]
    for shown in tree.expressions:
        yield _origin(shown.unalias(), tables)


def compared(tree: exp.Select | None) -> dict[str, Any]:
    """The columns in which every row has the same value, because the statement filters for it."""
    where = tree.args.get("where") if tree is not None else None
    if where is None:
        return {}
    condition = where.this
    parts = condition.flatten() if isinstance(condition, exp.And) else (condition,)
    fixed: dict[str, Any] = {}
    for part in parts:
        if isinstance(part, exp.EQ) and isinstance(part.this, exp.Column):
            value = part.expression
            if isinstance(value, exp.Literal):
                fixed[part.this.name] = value.to_py()
    return fixed


def pinned(tree: exp.Select | None) -> set[str]:
    """The columns that each select compares with a single value."""
    if tree is None:
        return set()
    equal = [each for each in tree.find_all(exp.EQ) if not each.find_ancestor(exp.Or, exp.Not)]
    return {
        side.name
        for each in equal
        for side, other in ((each.left, each.right), (each.right, each.left))
        if isinstance(side, exp.Column) and not isinstance(other, exp.Column)
    }


def row_table(tree: exp.Select | None) -> str:
    """The table whose rows a statement returns as they are; empty where it groups, joins or
    computes them."""
    if tree is None or any(tree.args.get(part) for part in _REMADE):
        return ""
    tables = [*tree.find_all(exp.Table)]
    folded = any(shown.find(exp.AggFunc) for shown in tree.expressions)
    return tables[0].name if len(tables) == 1 and not folded else ""


def coined(tree: exp.Select | None) -> Iterator[str]:
    """Names of counts that share no word with the rest of the statement."""
    if tree is None:
        return
    words = {
        term
        for each in tree.find_all(exp.Table, exp.Column, exp.Literal)
        for term in terms(each.name)
    }
    for shown in tree.expressions:
        counts = isinstance(shown, exp.Alias) and isinstance(shown.this, exp.Count)
        if counts and len(own := terms(shown.alias)) and words.isdisjoint(own):
            yield shown.alias


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
