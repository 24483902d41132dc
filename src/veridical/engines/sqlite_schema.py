"""The schema of a SQLite file, from its own catalogue."""

import json
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from veridical.contracts.caller import Scope
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


HOME = "temp"
"""The schema of the views."""
_DATA = "main"
_FUNCTION = "veridical_tenants"
_LIST = "json_each"


class Tenants:
    """The tenants of the statement that is running; without one, none."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}

    def set(self, scope: Scope | None) -> None:
        """Makes the views show the rows of this scope."""
        allowed = scope.allowed.items() if scope is not None else ()
        self._values = {column: json.dumps([*map(str, values)]) for column, values in allowed}

    def listed(self, column: str) -> str:
        """The allowed values of a column, for SQLite to read."""
        return self._values.get(column, "[]")


@dataclass(frozen=True, slots=True)
class Views:
    """The views of a connection."""

    outer: frozenset[str]
    inner: frozenset[str]
    own: frozenset[str]
    """The views of the file itself, which read its tables; they are read within an inner one."""
    shared: frozenset[str]
    """The tables whose rows are not those of one tenant."""

    def allow(self, table: str, column: str, home: str | None, within: str | None) -> bool:
        """True if a statement may read this column of this table."""
        name = table.casefold()
        if within in self.inner:
            return home == _DATA or name == _LIST
        if home == _DATA:
            # Rows of a table that are only counted have no column, whichever view they come from.
            return within in self.own or (column == "" and name in self.shared)
        if home == HOME:
            return name in self.outer or (table in self.inner and within is not None)
        # Rows of a common table expression that are only counted have no column and no home.
        return home is None and column == "" and not name.startswith("sqlite_")


def create_views(
    connection: sqlite3.Connection, tenant_columns: frozenset[str], tenants: Tenants
) -> Views:
    """A scoped view for each table of the file, by the tenant columns that the table has."""
    connection.create_function(_FUNCTION, 1, tenants.listed)
    secret = secrets.token_hex(16)
    tables, own = table_names(connection), view_names(connection)
    inner = {table: f"{secret} {table}" for table in tables}
    shared = set[str]()
    for table, hidden in inner.items():
        columns = [name for name in column_names(connection, table) if name in tenant_columns]
        _create(connection, hidden, f"{_DATA}.{_quoted(table)}{_condition(columns)}")
        _create(connection, table, _quoted(hidden))
        if not columns:
            shared.add(table.casefold())
    outer = frozenset(map(str.casefold, tables))
    return Views(outer, frozenset(inner.values()), frozenset(own), frozenset(shared))


def _create(connection: sqlite3.Connection, name: str, source: str) -> None:
    # Names are the file's own, quoted; conditions are written above.
    connection.execute(f"CREATE TEMP VIEW {_quoted(name)} AS SELECT * FROM {source}")  # noqa: S608


def _condition(columns: Iterable[str]) -> str:
    """Keeps the rows of the tenants; SQLite asks for their list once for each statement."""
    parts = [
        f"{_quoted(column)} IN (SELECT value FROM {_LIST}({_FUNCTION}({_text(column)})))"  # noqa: S608
        for column in columns
    ]
    return f" WHERE {' AND '.join(parts)}" if parts else ""


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
