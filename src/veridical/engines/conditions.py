"""The plain conditions of a query in any spelling: one column, one operator, literals.

Read for the receipt only: the period and the values of a query. Conditions that can't be read
plainly are left out.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sqlglot import exp

from veridical.contracts.call import BrowseCall, MetricCall, Scalar, SqlCall
from veridical.contracts.checked import CheckedQuery
from veridical.ontology.catalog import Catalog, ColumnCard, TableCard
from veridical.statement.filters import values_of

_OPERATORS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}
_MIRRORED = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Condition(NamedTuple):
    """A condition on the rows of one block of the query."""

    block: int
    column: ColumnCard
    op: str
    values: tuple[Scalar, ...]


def conditions_of(checked: CheckedQuery, catalog: Catalog) -> list[Condition]:
    """The conditions of a query on columns of its tables."""
    if checked.tree is not None:
        return list(_from_tree(checked.tree, catalog))
    call = checked.call
    if isinstance(call, BrowseCall | MetricCall | SqlCall):
        return []
    card = catalog.table(call.table_name)
    named = [(each, card.column(each.field)) for each in call.filters] if card else []
    return [Condition(0, column, each.op, values_of(each)) for each, column in named if column]


def _from_tree(tree: exp.Query, catalog: Catalog) -> Iterator[Condition]:
    for block, select in enumerate(tree.find_all(exp.Select)):
        sources = _sources(select, catalog)
        for part in _conjuncts(select):
            found = _read(part)
            if found is not None:
                named, op, values = found
                card = _resolve(named, sources)
                if card is not None:
                    yield Condition(block, card, op, values)


def _sources(select: exp.Select, catalog: Catalog) -> dict[str, TableCard]:
    joins: list[exp.Join] = select.args.get("joins") or []
    start = select.args.get("from_")
    nodes = [start.this, *(join.this for join in joins)] if start else []
    cards = (
        (node.alias_or_name, catalog.table(node.meta.get("table", "")))
        for node in nodes
        if isinstance(node, exp.Table)
    )
    return {name: card for name, card in cards if card}


def _conjuncts(select: exp.Select) -> Iterator[exp.Expr]:
    joins: list[exp.Join] = select.args.get("joins") or []
    where = select.args.get("where")
    for condition in (where and where.this, *(join.args.get("on") for join in joins)):
        if condition is not None:
            parts = condition.unnest()
            yield from parts.flatten() if isinstance(parts, exp.And) else (parts,)


def _read(part: exp.Expr) -> tuple[exp.Column, str, tuple[Scalar, ...]] | None:
    left, op, rights = part.this, _OPERATORS.get(type(part), ""), [part.args.get("expression")]
    if isinstance(part, exp.Between):
        op, rights = "between", [part.args["low"], part.args["high"]]
    elif isinstance(part, exp.In):
        op, rights = "in", part.expressions
    elif op and isinstance(rights[0], exp.Column):
        left, op, rights = rights[0], _MIRRORED[op], [left]
    values = [_literal(right) for right in rights if right is not None]
    if not op or not isinstance(left, exp.Column) or not values or None in values:
        return None
    return left, op, tuple(values)


def _literal(node: exp.Expr) -> Scalar:
    plain = node.unnest()
    while isinstance(plain, exp.Cast):
        plain = plain.this
    if isinstance(plain, exp.Neg) and isinstance(plain.this, exp.Literal):
        value = _literal(plain.this)
        return -value if isinstance(value, int | float) else None
    if not isinstance(plain, exp.Literal):
        return None
    if plain.is_string:
        return plain.name
    return int(plain.name) if plain.is_int else float(plain.name)


def _resolve(column: exp.Column, sources: Mapping[str, TableCard]) -> ColumnCard | None:
    if column.table:
        card = sources.get(column.table)
        return card.column(column.name) if card else None
    found = [card.column(column.name) for card in sources.values() if card.column(column.name)]
    return found[0] if len(found) == 1 else None
