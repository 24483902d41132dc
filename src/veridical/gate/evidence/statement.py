"""What a SQL statement shows and what it holds fixed, as far as that is plain to see."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlglot import exp

from veridical.lineage.statement import parsed as parse_statement
from veridical.ontology.catalog import Catalog, ColumnCard, TableCard
from veridical.ontology.terms import terms

_REMADE = ("group", "distinct", "joins", "with_", "laterals", "having")
"""The parts of a statement after which a row is no longer one of its table."""


class Origin(NamedTuple):
    """Where a result's column comes from, and through which aggregate."""

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


def pinned(tree: exp.Select | None) -> set[str]:
    """The columns that each select compares with one value, whatever that is."""
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
    """Names that a statement gives to counts, and of which nothing else in it has a word."""
    if tree is None:
        return
    said = {
        term
        for each in tree.find_all(exp.Table, exp.Column, exp.Literal)
        for term in terms(each.name)
    }
    for shown in tree.expressions:
        counts = isinstance(shown, exp.Alias) and isinstance(shown.this, exp.Count)
        if counts and len(own := terms(shown.alias)) and said.isdisjoint(own):
            yield shown.alias


def figure_of(tree: exp.Expr | None) -> float | None:
    """The number that an expression is, with its sign."""
    if isinstance(tree, exp.Neg):
        value = figure_of(tree.this)
        return None if value is None else -value
    if isinstance(tree, exp.Literal) and not tree.is_string:
        return float(tree.name)
    return None


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
