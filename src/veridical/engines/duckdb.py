"""DuckDB: files as tables in memory, or a database file, with no way out to anything else.

The tables live in an attached catalog and not in the default one, so that only full names reach
them. Once they are there, file and network access is off and the configuration is locked. DuckDB
has no row policies: for a caller with a tenant, its own parser must find each table as often as the
host has written it (``duckdb_reading``).
"""

import json
import logging
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from veridical.contracts.caller import Scope
from veridical.contracts.schema import Schema
from veridical.contracts.statement import Statement
from veridical.engines.address import file_of
from veridical.engines.alarm import ALARMS
from veridical.engines.error_mapping import mapped
from veridical.engines.estimate import CostEstimate, duckdb_estimate
from veridical.engines.file_version import content_version, database_version
from veridical.engines.files import load
from veridical.engines.limits import Fetched, Limits, collect
from veridical.engines.reflect import duckdb_schemas, reflect_duckdb
from veridical.engines.registry import DATA_FILES
from veridical.engines.step_statements import stoppable
from veridical.ontology.errors import SourceError, SourceProblem
from veridical.statement.errors import EngineError, Problem

_CATALOG = "data"
HOME: tuple[str, ...] = (_CATALOG, "main")
"""The default schema of tables."""
_CLOSED = (
    "SET python_enable_replacements = false",
    "SET max_temp_directory_size = '240MB'",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)
_SIZES = "SELECT table_name, max(estimated_size) FROM duckdb_tables() GROUP BY table_name"
_VIEWS = "SELECT count(*) FROM duckdb_views() WHERE database_name = ? AND NOT internal"
_MEMORY = 128 * 1024 * 1024
"""Bytes for the work of all statements at a time, besides the tables in memory."""
_AT_ONCE = 64
"""Rows that become Python objects before they are weighed."""
_BEFORE_ROWS = (duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException)
"""Errors while a statement is parsed."""
_PROBLEMS: tuple[tuple[type[duckdb.Error], Problem], ...] = (
    (duckdb.InterruptException, Problem.TIMEOUT),
    (duckdb.ConversionException, Problem.BAD_VALUE),
    (duckdb.TypeMismatchException, Problem.BAD_VALUE),
    (duckdb.OutOfRangeException, Problem.BAD_VALUE),
    (duckdb.PermissionException, Problem.NOT_PERMITTED),
    (duckdb.OutOfMemoryException, Problem.TOO_LARGE),
    (duckdb.IOException, Problem.UNAVAILABLE),
    (duckdb.ConnectionException, Problem.UNAVAILABLE),
)


class DuckDb:
    """A DuckDB database that can only be read."""

    dialect = "duckdb"

    def __init__(self, connection: duckdb.DuckDBPyConnection, version: str | None = None) -> None:
        """Takes a connection with the tables attached as ``data`` and locks it; ``version`` names
        the state of their files."""
        used = connection.execute("SELECT sum(memory_usage_bytes) FROM duckdb_memory()").fetchone()
        most = int(used[0] if used else 0) + _MEMORY
        connection.execute(f"SET memory_limit = '{most // 1024}KiB'")
        for statement in _CLOSED:
            connection.execute(statement)
        self._connection = connection
        self.schemas = HOME[1:]
        has_views = connection.execute(_VIEWS, [_CATALOG]).fetchone() != (0,)
        self._version = None if has_views else version  # a view may read the clock

    def data_version(self) -> str | None:
        """The state of the files that were opened: nothing can change them from then on."""
        return self._version

    def fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
        """The rows of a statement, at most this many."""
        return mapped(
            lambda: self._fetch(statement, scope, rows, limits), _problem, _reason, statement.sql
        )

    def _fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
        with (
            self._connection.cursor() as cursor,
            ALARMS.after(limits.statement_ms / 1000, cursor.interrupt),
            stoppable(cursor.interrupt),
        ):
            if scope.allowed:
                refuse_other_tables(cursor, statement)
            cursor.execute(_only_select(cursor, statement.sql), list(statement.parameters))
            names = [column[0] for column in cursor.description or ()]
            return collect(names, _chunks(cursor), rows, limits.bytes)

    def estimate(self, statement: Statement, scope: Scope, limits: Limits) -> CostEstimate | None:
        """What a statement would read, by its plan."""
        return mapped(lambda: self._estimate(statement, scope, limits), _problem)

    def _estimate(self, statement: Statement, scope: Scope, limits: Limits) -> CostEstimate:
        with (
            self._connection.cursor() as cursor,
            ALARMS.after(limits.probe_ms / 1000, cursor.interrupt),
        ):
            if scope.allowed:
                refuse_other_tables(cursor, statement)
            only = _only_select(cursor, statement.sql)
            values = list(statement.parameters)
            plan = cursor.execute(f"EXPLAIN (FORMAT json) {only.query}", values).fetchone()
            sizes = cursor.execute(_SIZES).fetchall()
            return duckdb_estimate(json.loads(plan[1]) if plan else (), dict(sizes))

    def reflect(self) -> Schema:
        """The tables and columns of the database."""
        return mapped(self._reflect, _problem)

    def _reflect(self) -> Schema:
        with self._connection.cursor() as cursor:
            return reflect_duckdb(cursor, _CATALOG, self.schemas)

    @property
    def namespace(self) -> tuple[str, ...]:
        """The first schema of those that are read."""
        return (_CATALOG, *self.schemas[:1])

    def seen_schemas(self) -> dict[str, int]:
        """The non-empty schemas, with the number of tables."""
        return mapped(lambda: duckdb_schemas(self._connection.cursor(), _CATALOG), _problem)

    def close(self) -> None:
        """Closes the database."""
        self._connection.close()


def connect(address: str, role: str | None, connections: int) -> DuckDb:
    """The database file of an address. DuckDB knows no roles, and needs no pool."""
    del role, connections
    path = file_of(address)
    return mapped(lambda: open_duckdb(path), _problem)


def connect_files(address: str, role: str | None, connections: int) -> DuckDb:
    """A file of rows, or all of them in a folder, each as a table of the file's name."""
    del role, connections
    path = Path(address)
    found = sorted(path.iterdir()) if path.is_dir() else [file_of(address)]
    files = [each for each in found if not path.is_dir() or each.suffix.lower() in DATA_FILES]
    if not files:
        raise SourceError(SourceProblem.NO_DATA_FILES, source=address)
    return mapped(lambda: open_files({each.stem: each for each in files}), _problem)


def open_duckdb(path: Path) -> DuckDb:
    """An existing database file, read-only."""
    connection = duckdb.connect()
    connection.execute(f"ATTACH {_quoted(path)} AS {_CATALOG} (READ_ONLY)")
    return DuckDb(connection, database_version(path))  # once it is attached, nobody can write


def open_files(files: Mapping[str, Path]) -> DuckDb:
    """CSV, Excel and Parquet files as tables, by the names given.

    A workbook with several sheets becomes several tables: ``name_sheet``.
    """
    connection = duckdb.connect()
    connection.execute(f"ATTACH ':memory:' AS {_CATALOG}")
    before = content_version(files)
    for name, path in files.items():
        load(connection, HOME, name, path)
    return DuckDb(connection, before if content_version(files) == before else None)


def _only_select(cursor: duckdb.DuckDBPyConnection, sql: str) -> duckdb.Statement:
    """The one query of a text: tables in memory could be written to, and settings changed."""
    statements = cursor.extract_statements(sql)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise EngineError(Problem.NOT_PERMITTED)
    return statements[0]


def _chunks(cursor: duckdb.DuckDBPyConnection) -> Generator[Sequence[Any]]:
    while chunk := cursor.fetchmany(_AT_ONCE):
        yield chunk
        if len(chunk) < _AT_ONCE:
            return


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def _reason(error: Exception) -> str:
    return str(error).partition(":")[2] if isinstance(error, _BEFORE_ROWS) else ""


def _problem(error: Exception) -> Problem | None:
    if isinstance(error, OSError | ValueError):
        return Problem.UNAVAILABLE  # a file of rows that is none
    if not isinstance(error, duckdb.Error):
        return None
    return next((found for kind, found in _PROBLEMS if isinstance(error, kind)), Problem.FAILED)


_log = logging.getLogger("veridical.engines")
_TREE = "SELECT json_serialize_sql(?::VARCHAR)"
_ROW_MAKERS = frozenset({"range", "generate_series", "unnest"})
"""Functions in FROM that only make rows out of their arguments: others read tables and files."""


def refuse_other_tables(cursor: duckdb.DuckDBPyConnection, statement: Statement) -> None:
    """Raises ``EngineError`` unless DuckDB reads exactly the tables that were written."""
    row = cursor.execute(_TREE, [statement.sql]).fetchone()
    tree = json.loads(row[0]) if row else {"error": True}
    if tree["error"]:
        raise EngineError(Problem.FAILED)
    found: Counter[tuple[str, ...]] = Counter()
    for node in _nodes(tree):
        match node.get("type"):
            case "BASE_TABLE":
                found[(node["catalog_name"], node["schema_name"], node["table_name"])] += 1
            case "TABLE_FUNCTION":
                found[_maker(node)] += 1
            case "SHOW_REF":
                found[("SHOW", "")] += 1
            case _:
                pass
    placed = {path: times for path, times in found.items() if any(path[:-1])}
    if placed != Counter(statement.tables):
        _log.error("defect: DuckDB reads other tables than were written")
        raise EngineError(Problem.MISWRITTEN)


def _maker(node: dict[str, Any]) -> tuple[str, ...]:
    """Nothing to compare for a function that makes rows; its own name for any other."""
    name = str(node.get("function", {}).get("function_name", ""))
    return ("", name) if name in _ROW_MAKERS else ("()", name)


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """All objects of the tree, without recursion: a statement can be deep."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)
