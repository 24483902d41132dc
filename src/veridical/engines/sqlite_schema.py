"""The schema of a SQLite file, from its own catalogue."""

import sqlite3
from collections.abc import Iterator

from veridical.contracts.schema import Column, ForeignKey, Schema, Table, value_type_of

_TABLES = "SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT GLOB ?"


def table_names(connection: sqlite3.Connection) -> list[str]:
    """The tables and views of a file, without SQLite's own."""
    return [name for name, _ in _listed(connection)]


def view_names(connection: sqlite3.Connection) -> list[str]:
    """The views of a file."""
    return [name for name, kind in _listed(connection) if kind == "view"]


def column_names(connection: sqlite3.Connection, table: str) -> list[str]:
    """The columns of a table or view of the file."""
    rows = connection.execute("SELECT name FROM pragma_table_info(?, 'main')", (table,)).fetchall()
    return [name for (name,) in rows]


def _listed(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    return connection.execute(_TABLES, ("sqlite_*",)).fetchall()


def reflect_sqlite(connection: sqlite3.Connection) -> Schema:
    """The tables, columns and keys of a file."""
    return Schema.of(_tables(connection))


def _tables(connection: sqlite3.Connection) -> Iterator[Table]:
    for name, kind in _listed(connection):
        columns = connection.execute("SELECT * FROM pragma_table_info(?)", (name,)).fetchall()
        primary = sorted((each[5], each[1]) for each in columns if each[5])
        keys = [tuple(column for _, column in primary)] if primary else []
        yield Table(
            name,
            tuple(
                Column(each[1], value_type_of(each[2]), nullable=not (each[3] or each[5]))
                for each in columns
            ),
            keys=(*keys, *_unique(connection, name)),
            foreign_keys=tuple(_references(connection, name)),
            is_view=kind == "view",
        )


def _unique(connection: sqlite3.Connection, table: str) -> Iterator[tuple[str, ...]]:
    indices = connection.execute("SELECT * FROM pragma_index_list(?)", (table,)).fetchall()
    for _, index, is_unique, origin, is_partial in indices:
        if is_unique and origin != "pk" and not is_partial:
            parts = connection.execute("SELECT name FROM pragma_index_info(?)", (index,)).fetchall()
            if all(name for (name,) in parts):  # an expression has no name
                yield tuple(name for (name,) in parts)


def _references(connection: sqlite3.Connection, table: str) -> Iterator[ForeignKey]:
    rows = connection.execute("SELECT * FROM pragma_foreign_key_list(?)", (table,)).fetchall()
    for number in dict.fromkeys(row[0] for row in rows):
        parts = sorted((row for row in rows if row[0] == number), key=lambda row: row[1])
        targets = tuple(row[4] for row in parts)
        if all(targets):  # without columns it means the other table's primary key
            yield ForeignKey(tuple(row[3] for row in parts), parts[0][2], targets)
        else:
            target = connection.execute(
                "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", (parts[0][2],)
            ).fetchall()
            if len(target) == len(parts):
                columns = tuple(row[3] for row in parts)
                yield ForeignKey(columns, parts[0][2], tuple(name for (name,) in target))
