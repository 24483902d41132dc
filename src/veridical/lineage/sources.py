"""FROM and JOIN to relations: tables, queries, files, and functions that make rows."""

from collections.abc import Callable

from sqlglot import exp

from veridical.lineage import functions
from veridical.lineage.cell import COMPUTED, SOME_DAY, SOME_LITERAL, UNKNOWN, Cell
from veridical.lineage.literals import is_day
from veridical.lineage.scope import TABLE, Output, Relation, Rows, Scope

Read = Callable[[exp.Expr], Cell]
ReadQuery = Callable[[exp.Expr, dict[str, Relation], Scope | None], Relation]
_SERIES = (exp.GenerateSeries, exp.ExplodingGenerateSeries, exp.GenerateDateArray)


def add_source(scope: Scope, node: exp.Expr, read: Read, read_query: ReadQuery) -> None:
    """Adds what FROM or a JOIN names to what the SELECT sees."""
    if isinstance(node, exp.Join):
        node = node.this
    relation = _relation(node, scope, read, read_query)
    for join in node.args.get("joins") or ():
        add_source(scope, join, read, read_query)
    alias = node.args.get("alias")
    names = [each.name.casefold() for each in alias.columns] if alias is not None else []
    name = node.alias_or_name.casefold() or (names[0] if len(names) == 1 else "")
    if not isinstance(node, exp.Subquery | exp.Values):
        relation = _named(relation, names, name)
    key = name if name and name not in scope.sources else f"{name}#{len(scope.sources)}"
    scope.sources[key] = relation


def _named(relation: Relation, names: list[str], name: str) -> Relation:
    if names:
        return relation.renamed(names)
    if len(relation.outputs) == 1 and not relation.is_table and not relation.outputs[0].name:
        return relation.renamed([name])  # a series is called what its source is called
    return relation


def _relation(node: exp.Expr, scope: Scope, read: Read, read_query: ReadQuery) -> Relation:
    if node.args.get("pivots"):
        return Relation((Output("", UNKNOWN),), Rows.WRITTEN)
    if isinstance(node, exp.Subquery | exp.Values | exp.Query):
        return read_query(node, scope.relations, scope)
    if isinstance(node, exp.Lateral):
        inner = node.this
        if isinstance(inner, exp.Subquery | exp.Query):
            return read_query(inner, scope.relations, scope)
        return _made(inner, read)
    if isinstance(node, exp.Unnest):
        return _made(node, read)
    if isinstance(node, exp.Table):
        return _table(node, scope, read)
    return Relation((Output("", UNKNOWN),), Rows.WRITTEN)


def _table(node: exp.Table, scope: Scope, read: Read) -> Relation:
    inner = node.this
    if isinstance(inner, exp.Identifier):
        known = scope.relations.get(node.name.casefold()) if not node.db else None
        return known if known is not None else TABLE
    if isinstance(inner, functions.FILES):
        return TABLE
    if isinstance(inner, exp.Anonymous) and inner.name.casefold() in functions.FILE_NAMES:
        return TABLE
    return _made(inner, read)


def _made(node: exp.Expr, read: Read) -> Relation:
    """Rows that a function makes: of data, they say what it says."""
    cells = [_element(each, read) for each in node.iter_expressions() if _is_value(each)]
    if cells and not isinstance(node, _SERIES) and all(cell.is_data for cell in cells):
        return Relation((Output("", COMPUTED, star=True),))
    dated = any(map(is_day, cells)) and all(is_day(cell) or not cell.is_data for cell in cells)
    return Relation((Output("", SOME_DAY if dated else SOME_LITERAL),), Rows.WRITTEN)


def _element(node: exp.Expr, read: Read) -> Cell:
    if isinstance(node, exp.Kwarg):
        node = node.expression
    if isinstance(node, exp.Array) and not any(node.iter_expressions()):
        return SOME_LITERAL
    return read(node)


def _is_value(node: exp.Expr) -> bool:
    return not isinstance(node, exp.TableAlias | exp.Identifier | exp.Var)


def joined_rows(scope: Scope) -> Rows:
    """What decides how many rows the sources have together.

    Rows that are written out multiply the others, unless each of them meets a column of a table.
    """
    kinds: list[Rows] = []
    for key, relation in scope.sources.items():
        rows = relation.rows
        if rows is Rows.WRITTEN and any(source == key for source, _ in scope.met):
            continue
        kinds.append(rows)
    if not kinds:
        return Rows.READ
    several = [kind for kind in kinds if kind is not Rows.ONE]
    return max(several) if several else Rows.ONE
