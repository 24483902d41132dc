"""A statement or a call completed by the conditions on its rows that are missing."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from sqlglot import exp, parse_one

from veridical.contracts.call import Filter
from veridical.ontology.catalog import Catalog, JoinCard, TableCard
from veridical.ontology.parents import TO_ONE
from veridical.ontology.row_condition import Alternatives, Part, is_whole, written

_MOST_STEPS = 4
"""Joins on the way to what rows belong to."""
_MOST_MENTIONS = 3
"""Of one table: each combination of them is tried."""
_OPERATORS = {"is null": "is null", "not is null": "is not null", "in": "in", "not in": "not in"}
_OF_ONE = {"in": "=", "not in": "!="}


def completed(
    tree: exp.Expr, conditions: Sequence[str], catalog: Catalog
) -> Iterator[tuple[int, exp.Expr]]:
    """The statement with these conditions, each on some mentions of the table that it is on, in
    every combination; with the number of mentions."""
    if not conditions:
        yield 0, tree
        return
    condition, *others = conditions
    numbers = [
        number
        for number, node in enumerate(tree.find_all(exp.Table))
        if _parts(catalog.table(node.name), condition) is not None
    ]
    if len(numbers) > _MOST_MENTIONS:
        return
    for count in range(1, len(numbers) + 1):
        for mentions in combinations(numbers, count):
            found = _with(tree, mentions, condition, catalog)
            for more, whole in completed(found, others, catalog) if found is not None else ():
                yield count + more, whole


def missing_filter(card: TableCard | None, condition: str) -> Filter | None:
    """The condition as a filter of a call; None where it is on another table, or is one of
    several."""
    parts = _parts(card, condition) or ()
    if len(parts) != 1 or "." in parts[0].column:
        return None
    column, op, texts = parts[0].column, parts[0].op, parts[0].values
    values = texts if parts[0].in_quotes else tuple(_number(each) for each in texts)
    if len(values) < 2:
        value = values[0] if values else None
        return Filter(field=column, op=_OF_ONE.get(op, _OPERATORS.get(op, op)), value=value)
    return Filter(field=column, op=op, value=values)


def _number(text: str) -> int | float:
    return float(text) if "." in text else int(text)


def _parts(card: TableCard | None, condition: str) -> Alternatives | None:
    """What this condition on the rows of a table demands; None where it has no such condition, or
    where that is not all of it."""
    return next(
        (
            parts
            for each in (card.counted if card is not None else ())
            if is_whole(each.constraint.condition)
            for parts in each.parts
            if written(parts) == condition
        ),
        None,
    )


def _with(
    tree: exp.Expr, mentions: tuple[int, ...], condition: str, catalog: Catalog
) -> exp.Expr | None:
    """A copy with the condition on these mentions of tables, by number."""
    copy = tree.copy()
    shadowed = {cte.alias for cte in copy.find_all(exp.CTE)}
    nodes = list(copy.find_all(exp.Table))
    for node in (nodes[number] for number in mentions):
        card = catalog.table(node.name)
        parts = _parts(card, condition)
        if card is None or parts is None or node.name in shadowed:
            return None
        if not _completed_at(node, card, parts, catalog):
            return None
    return copy


def _completed_at(node: exp.Table, card: TableCard, parts: Alternatives, catalog: Catalog) -> bool:
    around = node.parent
    select = around.parent if around is not None else None
    if not isinstance(select, exp.Select):
        return False
    alternatives = [_predicate(select, node.alias_or_name, card, part, catalog) for part in parts]
    if any(each is None for each in alternatives):
        return False
    whole = exp.or_(*(each for each in alternatives if each is not None))
    if isinstance(around, exp.Join) and around.side:
        around.on(whole, copy=False)
    else:
        select.where(whole, copy=False)
    return True


def _predicate(
    select: exp.Select, alias: str, card: TableCard, part: Part, catalog: Catalog
) -> exp.Expr | None:
    """The part on the rows of this alias; on a parent of theirs, by its own alias where it is
    joined, else as ``number IN (SELECT …)``."""
    table, _, name = part.column.rpartition(".")
    if not table:
        return _written(part, name, alias)
    joined = [
        each.this.alias_or_name
        for each in select.args.get("joins") or ()
        if isinstance(each.this, exp.Table) and each.this.name == table and not each.side
    ]
    if len(joined) == 1:
        return _written(part, name, joined[0])
    way = _way(card, table, catalog)
    if not way or any(len(join.pairs) != 1 for join in way):
        return None
    inner = _written(part, name, "")
    for index, join in reversed(list(enumerate(way))):
        near, far = join.pairs[0]
        rows = exp.select(exp.column(far)).from_(join.target).where(inner)
        column = exp.column(near, table=None if index else alias)
        inner = exp.In(this=column, query=rows.subquery())
    return inner


def _written(part: Part, name: str, alias: str) -> exp.Expr:
    tree = parse_one(written((part,)))
    for column in tree.find_all(exp.Column):
        column.replace(exp.column(name, table=alias or None))
    return tree


def _way(card: TableCard, target: str, catalog: Catalog) -> list[JoinCard]:
    """The joins from this table to one that its rows belong to; empty if none leads there."""
    ways: list[tuple[TableCard, list[JoinCard]]] = [(card, [])]
    seen = {card.name}
    while ways:
        here, way = ways.pop(0)
        if here.name == target:
            return way
        for join in here.joins if len(way) < _MOST_STEPS else ():
            there = catalog.table(join.target)
            if there is not None and join.cardinality in TO_ONE and there.name not in seen:
                seen.add(there.name)
                ways.append((there, [*way, join]))
    return []
