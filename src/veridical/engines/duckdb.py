"""DuckDB: files as tables in memory, or a database file, with no way out to anything else.

The tables live in an attached catalog and not in the default one, so that only full names reach
them. Once they are there, file and network access is off and the configuration is locked.
"""

from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from threading import Timer
from typing import Any

import duckdb

from veridical.contracts.caller import Scope
from veridical.contracts.schema import Schema
from veridical.contracts.statement import Statement
from veridical.engines.files import load
from veridical.engines.limits import Fetched, Limits, collect
from veridical.engines.reflect import reflect_duckdb
from veridical.statement.errors import EngineError, Problem

_CATALOG = "data"
_CLOSED = (
    "SET max_temp_directory_size = '240MB'",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)
_MEMORY = 128 * 1024 * 1024
"""Bytes for the work of all statements at a time, besides the tables that are held in memory."""
_AT_ONCE = 64
"""Rows that become Python objects before they are weighed."""
_PROBLEMS: tuple[tuple[type[duckdb.Error], Problem], ...] = (
    (duckdb.InterruptException, Problem.TIMEOUT),
    (duckdb.ConversionException, Problem.BAD_VALUE),
    (duckdb.TypeMismatchException, Problem.BAD_VALUE),
    (duckdb.OutOfRangeException, Problem.BAD_VALUE),
    (duckdb.PermissionException, Problem.NOT_PERMITTED),
    (duckdb.OutOfMemoryException, Problem.TOO_LARGE),
    (duckdb.IOException, Problem.UNAVAILABLE),
)


class Duck:
    """A DuckDB database that can only be read."""

    dialect = "duckdb"
    namespace = (_CATALOG, "main")

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Takes a connection with the tables attached as ``data`` and locks it."""
        held = connection.execute("SELECT sum(memory_usage_bytes) FROM duckdb_memory()").fetchone()
        most = int(held[0] if held else 0) + _MEMORY
        connection.execute(f"SET memory_limit = '{most // 1024}KiB'")
        for statement in _CLOSED:
            connection.execute(statement)
        self._connection = connection

    def fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
        """The rows of a statement, at most this many."""
        del scope  # the statement carries it; DuckDB has no row policies of its own
        problem: Problem
        cursor = self._connection.cursor()
        stop = Timer(limits.statement_ms / 1000, cursor.interrupt)
        stop.daemon = True
        stop.start()
        try:
            cursor.execute(statement.sql, list(statement.parameters))
            names = [column[0] for column in cursor.description or ()]
            return collect(names, _chunks(cursor), rows, limits.bytes)
        except duckdb.Error as error:
            problem = _problem(error)
        finally:
            stop.cancel()
            cursor.close()
        raise EngineError(problem)  # raised here so that it carries no trace of the database's text

    def reflect(self) -> Schema:
        """The tables and columns of the database."""
        return reflect_duckdb(self._connection.cursor(), self.namespace)

    def close(self) -> None:
        """Closes the database."""
        self._connection.close()


def open_duckdb(path: Path) -> Duck:
    """An existing database file, read-only."""
    connection = duckdb.connect()
    connection.execute(f"ATTACH {_quoted(path)} AS {_CATALOG} (READ_ONLY)")
    return Duck(connection)


def open_files(files: Mapping[str, Path]) -> Duck:
    """CSV, Excel and Parquet files as tables, by the names given.

    A workbook with several sheets becomes several tables: ``name_sheet``.
    """
    connection = duckdb.connect()
    connection.execute(f"ATTACH ':memory:' AS {_CATALOG}")
    for name, path in files.items():
        load(connection, Duck.namespace, name, path)
    return Duck(connection)


def _chunks(cursor: duckdb.DuckDBPyConnection) -> Generator[Sequence[Any]]:
    while chunk := cursor.fetchmany(_AT_ONCE):
        yield chunk


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def _problem(error: duckdb.Error) -> Problem:
    return next((found for kind, found in _PROBLEMS if isinstance(error, kind)), Problem.FAILED)
