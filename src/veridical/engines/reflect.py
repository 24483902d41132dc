"""The live schema of a database, as far as its reader can see it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine, inspect, text
from sqlalchemy.engine.interfaces import ReflectedForeignKeyConstraint
from sqlalchemy.engine.reflection import ObjectKind

from veridical.contracts.schema import Column, ForeignKey, Schema, Table, value_type_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_VISIBLE = text(
    """
    SELECT c.relname, a.attname
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE n.nspname = :schema AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
      AND has_column_privilege(coalesce(:role, current_user), c.oid, a.attnum, 'SELECT')
    """
)

_DUCK_COLUMNS = """
    SELECT table_name, column_name, data_type, is_nullable FROM duckdb_columns()
    WHERE database_name = $1 AND schema_name = $2 ORDER BY table_name, column_index
    """
_DUCK_VIEWS = """
    SELECT view_name FROM duckdb_views() WHERE database_name = $1 AND schema_name = $2
    """
_DUCK_CONSTRAINTS = """
    SELECT table_name, constraint_type, constraint_column_names,
           referenced_table, referenced_column_names
    FROM duckdb_constraints()
    WHERE database_name = $1 AND schema_name = $2
      AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
    ORDER BY table_name, constraint_type, constraint_index
    """


def reflect_postgres(engine: Engine, schema: str, role: str | None) -> Schema:
    """The tables and columns of one schema that a role may read."""
    with engine.connect() as connection:
        parameters = {"schema": schema, "role": role}
        visible = {(row[0], row[1]) for row in connection.execute(_VISIBLE, parameters)}
        inspector = inspect(connection)
        columns = inspector.get_multi_columns(schema, kind=ObjectKind.ANY)
        primary = inspector.get_multi_pk_constraint(schema)
        unique = inspector.get_multi_unique_constraints(schema)
        foreign = inspector.get_multi_foreign_keys(schema)
        views = {*inspector.get_view_names(schema), *inspector.get_materialized_view_names(schema)}
    tables: list[Table] = []
    for (_, name), found in columns.items():
        shown = [
            Column(each["name"], value_type_of(str(each["type"])), each["nullable"])
            for each in found
            if (name, each["name"]) in visible
        ]
        if shown:
            place = (schema, name)
            first = primary.get(place)
            keys = [first["constrained_columns"] if first else [], *_unique(unique.get(place))]
            links = _links(foreign.get(place) or (), schema)
            made = _table(name, shown, keys, links, schema)
            tables.append(replace(made, is_view=name in views))
    return _schema(tables)


def _unique(found: Sequence[Any] | None) -> list[list[str]]:
    return sorted(each["column_names"] for each in found or ())


def _links(found: Iterable[ReflectedForeignKeyConstraint], schema: str) -> list[ForeignKey]:
    return [
        ForeignKey(
            tuple(each["constrained_columns"]),
            each["referred_table"],
            tuple(each["referred_columns"]),
        )
        for each in found
        if each["referred_schema"] in (schema, None)
    ]


def reflect_duckdb(connection: "DuckDBPyConnection", place: tuple[str, ...]) -> Schema:
    """The tables of one schema of an attached database, from DuckDB's own catalogue."""
    columns: defaultdict[str, list[Column]] = defaultdict(list)
    for name, column, declared, nullable in connection.execute(_DUCK_COLUMNS, place).fetchall():
        columns[name].append(Column(column, value_type_of(declared), nullable))
    keys: defaultdict[str, list[list[str]]] = defaultdict(list)
    links: defaultdict[str, list[ForeignKey]] = defaultdict(list)
    for name, kind, own, target, far in connection.execute(_DUCK_CONSTRAINTS, place).fetchall():
        if kind == "FOREIGN KEY":
            links[name].append(ForeignKey(tuple(own), target, tuple(far)))
        else:
            keys[name].append(own)
    views = {name for (name,) in connection.execute(_DUCK_VIEWS, place).fetchall()}
    tables = (_table(name, columns[name], keys[name], links[name], None) for name in columns)
    return _schema(replace(each, is_view=each.name in views) for each in tables)


def _schema(tables: Iterable[Table]) -> Schema:
    """The schema of these tables, without links to tables that the reader can't see."""
    seen = {table.name: table for table in sorted(tables, key=lambda table: table.name)}
    return Schema.of(
        replace(
            table, foreign_keys=tuple(link for link in table.foreign_keys if link.target in seen)
        )
        for table in seen.values()
    )


def _table(
    name: str,
    columns: Sequence[Column],
    keys: Iterable[Sequence[str]],
    links: Iterable[ForeignKey],
    schema: str | None,
) -> Table:
    shown = {column.name for column in columns}
    return Table(
        name,
        tuple(columns),
        tuple(tuple(key) for key in keys if key and shown.issuperset(key)),
        tuple(link for link in links if shown.issuperset(link.columns)),
        schema,
    )
