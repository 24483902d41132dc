"""A schema from ``CREATE TABLE`` statements: columns, keys and foreign keys."""

import re
from collections.abc import Iterator
from dataclasses import replace

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from veridical.contracts.schema import Column, ForeignKey, Schema, Table, value_type_of

_DIALECTS = ("postgres", "tsql", "mysql", "sqlite", "snowflake")
"""The dialects to try if a script's own dialect can't read it; keys read alike in all."""
_PIECE = re.compile(r"^(?=[ \t]*(?:create|alter)\s)", re.IGNORECASE | re.MULTILINE)
"""Scripts in the wild leave out semicolons, so they are cut where a statement begins."""
_CREATES_TABLE = re.compile(r"\s*create\s+(?:\w+\s+)*?table\b", re.IGNORECASE)


def schema_from_ddl(sql: str, dialect: str = "postgres") -> Schema:
    """The tables that a script creates. Raises ``sqlglot.errors.SqlglotError``."""
    tables: list[Table] = []
    altered: list[exp.Alter] = []
    for piece in _PIECE.split(sql):
        for read_as, statement in _parsed(piece, dialect):
            if isinstance(statement, exp.Create) and isinstance(statement.this, exp.Schema):
                tables.append(_table(statement, read_as))
            elif isinstance(statement, exp.Alter):
                altered.append(statement)
    return _resolved(Schema.of_schemas(_with_later_keys(table, altered) for table in tables))


def _parsed(piece: str, dialect: str) -> Iterator[tuple[str, exp.Expr | None]]:
    """The statements of a piece, with the dialect that could read them, the given one first.
    Unreadable text matters only if it creates a table."""
    first: SqlglotError | None = None
    for read_as in dict.fromkeys((dialect, *_DIALECTS)):
        try:
            statements = sqlglot.parse(piece, dialect=read_as)
        except SqlglotError as error:
            first = first or error
            continue
        if not any(isinstance(each, exp.Command) for each in statements):
            yield from ((read_as, each) for each in statements)
            return
    if _CREATES_TABLE.match(piece):
        raise first or SqlglotError(" ".join(piece.split())[:80])


def _table(create: exp.Create, dialect: str) -> Table:
    body: exp.Schema = create.this
    named: exp.Table = body.this
    definitions = list(body.find_all(exp.ColumnDef))
    return Table(
        named.name,
        tuple(_column(definition, dialect) for definition in definitions),
        keys=(*_column_keys(definitions), *_table_keys(body)),
        foreign_keys=(*_column_references(definitions), *_table_references(body)),
        schema=named.db or None,
    )


def _column(definition: exp.ColumnDef, dialect: str) -> Column:
    kind = definition.args.get("kind")
    declared = kind.sql(dialect=dialect) if isinstance(kind, exp.Expr) else ""
    kinds = [constraint.args.get("kind") for constraint in definition.constraints]
    required = any(
        isinstance(kind, exp.PrimaryKeyColumnConstraint)
        or (isinstance(kind, exp.NotNullColumnConstraint) and not kind.args.get("allow_null"))
        for kind in kinds
    )
    return Column(definition.name, value_type_of(declared), nullable=not required)


def _column_keys(definitions: list[exp.ColumnDef]) -> Iterator[tuple[str, ...]]:
    for wanted in (exp.PrimaryKeyColumnConstraint, exp.UniqueColumnConstraint):
        for definition in definitions:
            if any(isinstance(each.args.get("kind"), wanted) for each in definition.constraints):
                yield (definition.name,)


def _table_keys(node: exp.Expr) -> Iterator[tuple[str, ...]]:
    for key in node.find_all(exp.PrimaryKey):
        yield tuple(part.name for part in key.expressions)
    for unique in node.find_all(exp.UniqueColumnConstraint):
        if isinstance(unique.this, exp.Schema):
            yield tuple(part.name for part in unique.this.expressions)


def _column_references(definitions: list[exp.ColumnDef]) -> Iterator[ForeignKey]:
    for definition in definitions:
        for constraint in definition.constraints:
            if isinstance(reference := constraint.args.get("kind"), exp.Reference):
                yield _foreign_key((definition.name,), reference)


def _table_references(node: exp.Expr) -> Iterator[ForeignKey]:
    for key in node.find_all(exp.ForeignKey):
        reference = key.args.get("reference")
        if isinstance(reference, exp.Reference):
            yield _foreign_key(tuple(part.name for part in key.expressions), reference)


def _foreign_key(columns: tuple[str, ...], reference: exp.Reference) -> ForeignKey:
    target = reference.this
    named = target.this if isinstance(target, exp.Schema) else target
    own = tuple(part.name for part in target.expressions) if named is not target else ()
    return ForeignKey(columns, named.name, own, named.db or None)


def _with_later_keys(table: Table, altered: list[exp.Alter]) -> Table:
    own = [
        statement
        for statement in altered
        if statement.this.name == table.name
        and (not table.schema or statement.this.db in ("", table.schema))
    ]
    keys = (key for statement in own for key in _table_keys(statement))
    references = (key for statement in own for key in _table_references(statement))
    return Table(
        table.name,
        table.columns,
        tuple(dict.fromkeys((*table.keys, *keys))),
        tuple(dict.fromkeys((*table.foreign_keys, *references))),
        table.schema,
    )


def _resolved(schema: Schema) -> Schema:
    """References that name no columns mean the target's first key."""

    def resolve(key: ForeignKey) -> ForeignKey | None:
        target = schema.tables[key.target]
        columns = key.target_columns or (target.keys[0] if target.keys else ())
        return replace(key, target_columns=columns) if len(columns) == len(key.columns) else None

    def links(table: Table) -> tuple[ForeignKey, ...]:
        return tuple(dict.fromkeys(found for key in table.foreign_keys if (found := resolve(key))))

    tables = schema.tables.values()
    return Schema.of(replace(table, foreign_keys=links(table)) for table in tables)
