"""Column names to what they stand for; what can't be found becomes a problem with a suggestion."""

from collections.abc import Iterable

from sqlglot import exp

from veridical.check.sql.scope import TWIN, Output, SelectScope, Source
from veridical.contracts.violation import Code
from veridical.ontology.catalog import Catalog, TableCard
from veridical.ontology.nearest import nearest

_ALIAS_FIRST = frozenset({"order"})
_ALIAS_LATER = frozenset({"group", "order", "qualify"})
_AROUND = "around"
"""The clause of a name that a sub-query looks up in the query around it."""
_UNKNOWN = Output("", False)


def column_elsewhere(name: str, here: Iterable[TableCard], catalog: Catalog) -> str | None:
    """``Table.column`` for a column of this name in a table that the query does not read.

    Tables that a declared join reaches come first.
    """
    reached = [join.target for table in here for join in table.joins]
    for table_name in (*reached, *catalog.tables):
        table = catalog.table(table_name)
        column = table.column(name) if table else None
        if table and column:
            return f"{table.name}.{column.name}"
    return None


def resolve(scope: SelectScope, column: exp.Column, clause: str, inside: bool) -> Output:
    """The output that this column stands for; the node gets the schema's spelling."""
    name = column.name
    table = column.table
    found = _qualified(scope, column, table, name) if table else _bare(scope, column, name, clause)
    scope.work.resolved[id(column)] = found
    shown = clause in ("select", "having", "order") and found is not _UNKNOWN
    repeats = clause in _ALIAS_FIRST and not table and name.casefold() in scope.aliases
    if shown and not inside and not repeats and id(column) not in scope.work.outer:
        scope.bare.append((found, column))
    return found


def _qualified(scope: SelectScope, column: exp.Column, table: str, name: str) -> Output:
    owner = scope
    folded = table.casefold()
    levels = 0
    while (source := source_in(owner, column.db, folded)) is None:
        if owner.parent is None:
            return _unknown_qualifier(scope, table, name)
        owner = owner.parent
        levels += 1
    if levels:
        scope.work.outer[id(column)] = levels
    if not column.db and folded + TWIN in owner.sources:
        scope.work.problem(Code.AMBIGUOUS_FIELD, f"{table}.{name}", None, "", table=table)
        return _UNKNOWN
    found = source.find(name.casefold())
    if found is not None:
        column.set("this", exp.Identifier(this=found.name, quoted=found.quoted))
        column.set("table", source.written())
        column.set("db", None)
        column.set("catalog", None)
        return found
    if source.is_open:
        return _UNKNOWN
    return _unknown_column(scope, [source], name, f"{table}.{name}")


def source_in(owner: SelectScope, schema: str, folded: str) -> Source | None:
    """The source of this name in FROM; with a schema, the table in it."""
    if not schema:
        return owner.sources.get(folded)
    named = (each for key, each in owner.sources.items() if key.rstrip(TWIN) == folded)
    return next((each for each in named if each.use and each.use.table.lives_in(schema)), None)


def _bare(scope: SelectScope, column: exp.Column, name: str, clause: str) -> Output:
    folded = name.casefold()
    if clause in _ALIAS_FIRST and folded in scope.aliases:
        return _through_alias(scope, folded)
    holders: list[tuple[Source, Output]] = []
    for source in scope.sources.values():
        found = source.find(folded)
        if found is not None:
            holders.append((source, found))
    if len(holders) > 1 and folded not in scope.merged:
        scope.work.problem(
            Code.AMBIGUOUS_FIELD,
            name,
            f"{holders[0][0].alias.name}.{name}",
            table=holders[1][0].alias.name,
        )
        return _UNKNOWN
    if holders:
        return _found(*holders[0], column, merged=folded in scope.merged)
    if folded in scope.aliases and _sees_aliases(scope, clause):
        return _through_alias(scope, folded)
    if any(source.is_open for source in scope.sources.values()):
        return _UNKNOWN
    return _from_around(scope, column, name, clause)


def _sees_aliases(scope: SelectScope, clause: str) -> bool:
    dialect = scope.work.dialect
    if clause in ("where", "having"):
        return dialect.alias_in_where
    return clause in _ALIAS_LATER or (clause == "select" and dialect.alias_in_select)


def _from_around(scope: SelectScope, column: exp.Column, name: str, clause: str) -> Output:
    """A name that this SELECT's own sources don't have: from the query around it, or unknown.

    Never in GROUP BY: to group by a value that is the same for all rows is a slip.
    """
    work = scope.work
    if scope.parent is not None and clause != "group":
        work.outer[id(column)] = work.outer.get(id(column), 0) + 1
        return _bare(scope.parent, column, name, _AROUND)
    if work.dialect.quoted_text and name in work.double_quoted:
        return _UNKNOWN
    return _unknown_column(scope, list(scope.sources.values()), name, name)


def _found(source: Source, found: Output, column: exp.Column, merged: bool) -> Output:
    column.set("this", exp.Identifier(this=found.name, quoted=found.quoted))
    if not merged:
        column.set("table", source.written())
    return found


def _through_alias(scope: SelectScope, folded: str) -> Output:
    expression = scope.aliases[folded]
    inner = expression.unalias()
    seen = scope.work.resolved.get(id(inner))
    return seen if seen is not None else _UNKNOWN


def _unknown_qualifier(scope: SelectScope, table: str, name: str) -> Output:
    aliases = [source.alias.name for source in _visible(scope)]
    owners = [source for source in _visible(scope) if source.find(name.casefold())]
    suggestion = f"{owners[0].alias.name}.{name}" if owners else nearest(table, aliases)
    scope.work.problem(
        Code.FIELD_NOT_FOUND, f"{table}.{name}", suggestion, "unknown_qualifier", table=table
    )
    return _UNKNOWN


def _unknown_column(scope: SelectScope, sources: list[Source], name: str, written: str) -> Output:
    work = scope.work
    tables = [source.use.table for source in sources if source.use]
    if any(f"{table.name}.{name}".casefold() in work.catalog.hidden for table in tables):
        work.problem(Code.NOT_PERMITTED, written)
        return _UNKNOWN
    known = [output.name for source in sources for output in source.outputs()]
    others = [source for source in _visible(scope) if source.find(name.casefold())]
    suggestion = (
        (f"{others[0].alias.name}.{name}" if others else None)
        or nearest(name, known)
        or column_elsewhere(name, tables, work.catalog)
    )
    message = "no_sources" if not sources else ""
    work.problem(Code.FIELD_NOT_FOUND, written, suggestion, message)
    return _UNKNOWN


def _visible(scope: SelectScope) -> list[Source]:
    found: list[Source] = []
    owner: SelectScope | None = scope
    while owner is not None:
        found.extend(owner.sources.values())
        owner = owner.parent
    return found
