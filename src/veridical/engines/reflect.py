"""The live schema of a database, as far as its reader can see it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.engine.interfaces import ReflectedForeignKeyConstraint
from sqlalchemy.engine.reflection import ObjectKind

from veridical.contracts.schema import Column, ForeignKey, Schema, Table, value_type_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_VISIBLE = text(
    """
    SELECT n.nspname, c.relname, a.attname
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE n.nspname = ANY (:schemas) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
      AND has_schema_privilege(coalesce(:role, current_user), n.oid, 'USAGE')
      AND has_column_privilege(coalesce(:role, current_user), c.oid, a.attnum, 'SELECT')
    """
)
_COUNTED = text(
    """
    SELECT n.nspname, count(*)
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
      AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
      AND has_schema_privilege(coalesce(:role, current_user), n.oid, 'USAGE')
      AND has_any_column_privilege(coalesce(:role, current_user), c.oid, 'SELECT')
    GROUP BY n.nspname ORDER BY n.nspname
    """
)

_DUCK_COUNTED = """
    SELECT schema_name, count(DISTINCT table_name) FROM duckdb_columns()
    WHERE database_name = $1 AND NOT internal GROUP BY schema_name ORDER BY schema_name
    """
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


def reflect_postgres(engine: Engine, schemas: Sequence[str], role: str | None) -> Schema:
    """The tables and columns of these schemas that a role may read."""
    with engine.connect() as connection:
        # A link then names its schema, whatever it is.
        connection.execute(text("SET search_path = pg_catalog"))
        parameters = {"schemas": list(schemas), "role": role}
        visible = {tuple(row) for row in connection.execute(_VISIBLE, parameters)}
        found = [each for name in schemas for each in _postgres_tables(connection, name, visible)]
        connection.execute(text("RESET search_path"))
    return Schema.of_schemas(found)


def postgres_schemas(engine: Engine, role: str | None) -> dict[str, int]:
    """The schemas with tables that a role may read, with their number."""
    with engine.connect() as connection:
        found = connection.execute(_COUNTED, {"role": role})
        return {str(name): int(count) for name, count in found}


def _postgres_tables(
    connection: Connection, schema: str, visible: Collection[tuple[str, str, str]]
) -> list[Table]:
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
            if (schema, name, each["name"]) in visible
        ]
        if shown:
            place = (schema, name)
            first = primary.get(place)
            keys = [first["constrained_columns"] if first else [], *_unique(unique.get(place))]
            made = _table(name, shown, keys, _links(foreign.get(place) or ()), schema)
            tables.append(replace(made, is_view=name in views))
    return sorted(tables, key=lambda table: table.name)


def _unique(found: Sequence[Any] | None) -> list[list[str]]:
    return sorted(each["column_names"] for each in found or ())


def _links(found: Iterable[ReflectedForeignKeyConstraint]) -> list[ForeignKey]:
    return [
        ForeignKey(
            tuple(each["constrained_columns"]),
            each["referred_table"],
            tuple(each["referred_columns"]),
            each["referred_schema"],
        )
        for each in found
    ]


def reflect_duckdb(
    connection: "DuckDBPyConnection", catalog: str, schemas: Sequence[str]
) -> Schema:
    """The tables of these schemas of an attached database, from DuckDB's own catalogue."""
    found = [each for name in schemas for each in _duckdb_tables(connection, (catalog, name))]
    return Schema.of_schemas(found)


def duckdb_schemas(connection: "DuckDBPyConnection", catalog: str) -> dict[str, int]:
    """The non-empty schemas of an attached database, with the number of tables."""
    return dict(connection.execute(_DUCK_COUNTED, [catalog]).fetchall())


def _duckdb_tables(connection: "DuckDBPyConnection", place: tuple[str, str]) -> list[Table]:
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
    tables = (
        _table(name, columns[name], keys[name], links[name], place[1]) for name in sorted(columns)
    )
    return [replace(each, is_view=each.name in views) for each in tables]


def _table(
    name: str,
    columns: Sequence[Column],
    keys: Iterable[Sequence[str]],
    links: Iterable[ForeignKey],
    schema: str,
) -> Table:
    shown = {column.name for column in columns}
    return Table(
        name,
        tuple(columns),
        tuple(tuple(key) for key in keys if key and shown.issuperset(key)),
        tuple(link for link in links if shown.issuperset(link.columns)),
        schema,
    )
