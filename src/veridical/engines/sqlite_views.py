"""The rows of one tenant as views, enforced by SQLite's own authorizer.

For each table there are two temporary views. The inner one has an unguessable name, reads the
table and keeps the tenant's rows; the outer one has the table's name, for statements to read.
The authorizer knows the view in which a table is read, and allows it within the inner ones only.
A statement that gets past all other checks, with another table's name in an odd place, finds
the caller's rows or is refused.
"""

import json
import secrets
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from veridical.contracts.caller import Scope
from veridical.engines.sqlite_schema import column_names, table_names, view_names

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
