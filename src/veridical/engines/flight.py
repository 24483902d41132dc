"""Arrow Flight SQL (``adbc-driver-flightsql``): batches of columns, cancelled when time is up.

Such a server need know no accounts, no read-only mode and no parameters. So values are written as
literals, and each statement is explained first: only a query runs, over the tables it was written
to read (``flight_plan``). The first server that is tested so is Sail, which speaks Spark SQL.
"""

import re
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any
from urllib.parse import unquote, urlsplit

import pyarrow as pa
from adbc_driver_flightsql import dbapi

from veridical.contracts.caller import Scope
from veridical.contracts.schema import Column, Schema, Table
from veridical.contracts.statement import Statement
from veridical.engines.alarm import ALARMS
from veridical.engines.arrow_values import NUL, arrow_type, literal, rows_of
from veridical.engines.error_mapping import mapped
from veridical.engines.flight_plan import Reading, ensure_reads, quoted
from veridical.engines.limits import Fetched, Limits, collect
from veridical.engines.step_statements import stoppable
from veridical.ontology.errors import SourceError, SourceProblem
from veridical.statement.driver import marked
from veridical.statement.errors import EngineError, Problem

_DATABASE = "default"
_KEPT = 1024
_REFLECT_MS = 30_000
_TLS = "+tls"
_DRIVER_ERRORS = (dbapi.Error, pa.ArrowException, OSError)
"""Those of calls, and those of reading a result."""
_STATUS = re.compile(r"\((\w+); \w+[):]")
"""The status of a call and its name, behind the message of every error."""
_PROBLEMS = {
    "Canceled": Problem.TIMEOUT,
    "DeadlineExceeded": Problem.TIMEOUT,
    "Unavailable": Problem.UNAVAILABLE,
    "Unauthenticated": Problem.UNAVAILABLE,
    "PermissionDenied": Problem.NOT_PERMITTED,
    "ResourceExhausted": Problem.TOO_LARGE,
}
_BY_WORDS = (
    (Problem.DIVISION_BY_ZERO, ("divide by zero", "division by zero")),
    (Problem.BAD_VALUE, ("cast error", "cannot cast", "can't cast", "overflow", "parser error")),
    (Problem.TOO_LARGE, ("resources exhausted", "message larger than max")),
)
"""What a server tells in words alone."""
_BEFORE_ROWS = "; ExecuteQuery)"
"""Ends the message of an error that was found while planning."""


class FlightSql:
    """A database behind Flight SQL that is only read."""

    dialect = "spark"

    def __init__(self, address: str, *, connections: int = 5) -> None:
        """Keeps up to so many connections open; each statement has its own."""
        self._target, self._login, database = _target(address)
        self.schemas: tuple[str, ...] = (database,)
        self._most = connections
        self._lock = Lock()
        self._idle: list[Any] = []
        self._closed = False
        self._accepted = dict[Reading, None]()

    def fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
        """The rows of a statement, at most this many."""
        return mapped(
            lambda: self._fetch(statement, scope, rows, limits), _problem, _reason, statement.sql
        )

    def _fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
        values = statement.parameters
        sql = marked(statement.sql, self.dialect, lambda number: literal(values[number - 1]))
        if NUL in sql:
            raise EngineError(Problem.NOT_PERMITTED)
        reading = Reading.of(statement, scope)
        with self._running(limits.statement_ms) as run:
            if reading not in self._accepted:
                ensure_reads(reading, sql, self.schemas, lambda text: _plan(run, text))
                self._accept(reading)
            reader = run(sql)
            names = [field.name for field in reader.schema]
            return collect(names, rows_of(reader), rows, limits.bytes)

    def _accept(self, reading: Reading) -> None:
        with self._lock:
            self._accepted[reading] = None
            while len(self._accepted) > _KEPT:
                del self._accepted[next(iter(self._accepted))]

    def reflect(self) -> Schema:
        """The tables and columns of the databases. Such a server tells of no keys."""

        def found() -> Schema:
            with self._running(_REFLECT_MS) as run:
                return Schema.of_schemas(
                    table for name in self.schemas for table in _tables(run, name)
                )

        return mapped(found, _problem)

    @property
    def namespace(self) -> tuple[str, ...]:
        """The first database of those that are read."""
        return self.schemas[:1]

    def seen_schemas(self) -> dict[str, int]:
        """The databases with tables, with their number."""

        def found() -> dict[str, int]:
            with self._running(_REFLECT_MS) as run:
                names = run("SHOW DATABASES").read_all().column(0).to_pylist()
                counts = {name: len(_names(run, name)) for name in sorted(names)}
                return {name: count for name, count in counts.items() if count}

        return mapped(found, _problem)

    def close(self) -> None:
        """Closes all idle connections; a busy one is closed at the end of its statement."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    @contextmanager
    def _running(self, milliseconds: int) -> Generator["Run"]:
        """Runs statements, all of them cancelled when this time is up."""
        with self._lent() as connection:
            running = Running(connection)
            try:
                with ALARMS.after(milliseconds / 1000, running.stop), stoppable(running.stop):
                    yield running.run
            except _DRIVER_ERRORS as error:
                running.ensure_in_time(error)
                raise
            finally:
                running.close()
            running.ensure_in_time()

    @contextmanager
    def _lent(self) -> Generator[Any]:
        """A connection for one statement; one that failed is not used again."""
        with self._lock:
            if self._closed:
                raise EngineError(Problem.UNAVAILABLE)
            connection = self._idle.pop() if self._idle else None
        if connection is None:
            connection = dbapi.connect(self._target, db_kwargs=self._login, autocommit=True)
        try:
            yield connection
        except _DRIVER_ERRORS:
            connection.close()
            raise
        except BaseException:
            self._keep(connection)
            raise
        self._keep(connection)

    def _keep(self, connection: Any) -> None:
        with self._lock:
            kept = not self._closed and len(self._idle) < self._most
            if kept:
                self._idle.append(connection)
        if not kept:
            connection.close()


Batches = Any
"""A ``pyarrow.RecordBatchReader``; its package has no types."""
Run = Callable[[str], Batches]
"""Runs one statement."""


class LateError(Exception):
    """The time of a statement was up."""


class Running:
    """Statements on one connection, one after another, until they are stopped."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._lock = Lock()
        """Held while a cursor is cancelled: it must not be closed meanwhile."""
        self._cursor: Any = None
        self._is_late = False

    def run(self, sql: str) -> Batches:
        """The batches of a statement, as they come."""
        self.close()
        cursor = self._connection.cursor()
        with self._lock:
            self._cursor = cursor
        self.ensure_in_time()
        cursor.execute(sql)
        self.ensure_in_time()  # what was cancelled before it had begun goes on
        return cursor.fetch_record_batch()

    def stop(self) -> None:
        """Cancels the statement that runs, and all that follow."""
        with self._lock, suppress(*_DRIVER_ERRORS):
            self._is_late = True
            if self._cursor is not None:
                self._cursor.adbc_cancel()

    def close(self) -> None:
        """Gives up what was not read of the last statement."""
        with self._lock:
            cursor, self._cursor = self._cursor, None
        if cursor is not None:
            cursor.close()

    def ensure_in_time(self, cause: Exception | None = None) -> None:
        """Raises ``LateError`` once they were stopped."""
        if self._is_late:
            raise LateError from cause


def connect(address: str, role: str | None, connections: int) -> FlightSql:
    """The database behind ``flightsql://…``, or ``flightsql+tls://…``."""
    del role
    return FlightSql(address, connections=connections)


def _target(address: str) -> tuple[str, dict[str, str], str]:
    """Where the server is, the login, and the database."""
    parts = urlsplit(address)
    if not parts.hostname or not parts.port or "/" in parts.path.strip("/"):
        expected = "flightsql://HOST:PORT/DATABASE"
        raise SourceError(SourceProblem.NO_SOURCE, source="flightsql", expected=expected)
    scheme = "grpc+tls" if parts.scheme.endswith(_TLS) else "grpc"
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    login = {"username": parts.username, "password": parts.password}
    given = {name: unquote(value) for name, value in login.items() if value}
    database = unquote(parts.path.strip("/")) or _DATABASE
    return f"{scheme}://{host}:{parts.port}", given, database


def _plan(run: Run, sql: str) -> str:
    return str(run(f"EXPLAIN EXTENDED {sql}").read_all().column(0)[0])


def _names(run: Run, database: str) -> Sequence[str]:
    """The tables of a database, without the views of a session."""
    rows = run(f"SHOW TABLES IN {quoted(database)}").read_all().to_pylist()
    return [row["tableName"] for row in rows if not row["isTemporary"]]


def _tables(run: Run, database: str) -> list[Table]:
    found: list[Table] = []
    for name in _names(run, database):
        place = f"{quoted(database)}.{quoted(name)}"
        fields = run(f"SELECT * FROM {place} LIMIT 0").schema  # noqa: S608 - names of the server
        columns = (Column(each.name, arrow_type(each.type), each.nullable) for each in fields)
        found.append(Table(name, tuple(columns), schema=database))
    return found


def _reason(error: Exception) -> str:
    """What was found while planning, without the names of the calls."""
    text = str(error)
    if not text.endswith(_BEFORE_ROWS):
        return ""
    message = text.rpartition(" (")[0].partition("[FlightSQL] ")[2]
    return message.partition(" error: ")[2] or message


def _problem(error: Exception) -> Problem | None:
    if isinstance(error, LateError):
        return Problem.TIMEOUT
    if not isinstance(error, _DRIVER_ERRORS):
        return None
    statuses = _STATUS.findall(str(error))
    if statuses and statuses[-1] in _PROBLEMS:
        return _PROBLEMS[statuses[-1]]
    text = str(error).casefold()
    matching = (problem for problem, words in _BY_WORDS if any(word in text for word in words))
    return next(matching, Problem.FAILED)
