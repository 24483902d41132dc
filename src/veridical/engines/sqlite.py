"""SQLite: a file opened read-only, behind an authorizer that only allows reading its tables.

``mode=ro`` alone still attaches other files and writes there. The tables themselves can't be read:
statements read temporary views of the same names, with the caller's rows (``sqlite_views``).
"""

import sqlite3
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from decimal import Decimal
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple

from veridical.contracts.caller import Scope
from veridical.contracts.schema import Schema
from veridical.contracts.statement import Statement
from veridical.engines.address import file_of
from veridical.engines.error_mapping import mapped
from veridical.engines.limits import CHUNK, Fetched, Limits, collect
from veridical.engines.sqlite_aggregates import AGGREGATES
from veridical.engines.sqlite_schema import HOME, Tenants, Views, create_views, reflect_sqlite
from veridical.engines.step_statements import stoppable
from veridical.statement.errors import EngineError, Problem

_STEPS = 20_000
"""Steps of SQLite's machine between two looks at the clock: each look waits for other threads."""
_PATTERN_LENGTH = 1_000
_ALLOWED = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE})
_FORBIDDEN_FUNCTIONS = frozenset({"load_extension", "fts3_tokenizer", "sqlite_log"})
"""All others compute from their arguments: a connection has what SQLite brings, and no more."""
_PROBLEMS = {
    sqlite3.SQLITE_INTERRUPT: Problem.TIMEOUT,
    sqlite3.SQLITE_BUSY: Problem.LOCKED,
    sqlite3.SQLITE_LOCKED: Problem.LOCKED,
    sqlite3.SQLITE_AUTH: Problem.NOT_PERMITTED,
    sqlite3.SQLITE_PERM: Problem.NOT_PERMITTED,
    sqlite3.SQLITE_READONLY: Problem.NOT_PERMITTED,
    sqlite3.SQLITE_TOOBIG: Problem.TOO_LARGE,
    sqlite3.SQLITE_NOMEM: Problem.TOO_LARGE,
    sqlite3.SQLITE_FULL: Problem.TOO_LARGE,
    sqlite3.SQLITE_MISMATCH: Problem.BAD_VALUE,
    sqlite3.SQLITE_CANTOPEN: Problem.UNAVAILABLE,
    sqlite3.SQLITE_IOERR: Problem.UNAVAILABLE,
    sqlite3.SQLITE_CORRUPT: Problem.UNAVAILABLE,
    sqlite3.SQLITE_NOTADB: Problem.UNAVAILABLE,
    sqlite3.SQLITE_PROTOCOL: Problem.UNAVAILABLE,
}

_BEFORE_ROWS = (
    "near ",
    "no such ",
    "ambiguous column",
    "misuse of ",
    "wrong number of arguments",
    "sub-select returns",
    "row value misused",
    "a GROUP BY clause is required",
    "aggregate functions are not allowed",
    "all VALUES must have",
    "SELECTs to the left and right",
    "ORDER BY ",
    "GROUP BY ",
    "HAVING ",
    "LIMIT ",
    "incomplete input",
    "unrecognized token",
    "circular reference",
    "recursive ",
    "DISTINCT ",
    "frame ",
    "unsupported frame",
    "cannot ",
)
"""The starts of errors found while parsing a statement."""


class Sqlite:
    """A SQLite file that can only be read."""

    dialect = "sqlite"
    namespace = (HOME,)

    def __init__(self, path: Path, *, connections: int = 5) -> None:
        """Keeps up to so many connections open; each statement has its own."""
        self._path = path
        self._most = connections
        self._lock = Lock()
        self._idle: dict[frozenset[str], list[Guarded]] = {}
        self._busy = set[Guarded]()
        self._closed = False

    def fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
        """The rows of a statement, at most this many."""
        return mapped(
            lambda: self._fetch(statement, scope, rows, limits), _problem, _reason, statement.sql
        )

    def _fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
        with self._lent(scope) as connection, stoppable(connection.interrupt):
            deadline = monotonic() + limits.statement_ms / 1000
            connection.set_progress_handler(lambda: monotonic() > deadline, _STEPS)
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, limits.row_bytes)
            with closing(connection.execute(statement.sql, _bound(statement))) as cursor:
                if cursor.description is None:
                    raise EngineError(Problem.NOT_PERMITTED)
                names = [column[0] for column in cursor.description]
                return collect(names, _chunks(cursor), rows, limits.bytes)

    def reflect(self) -> Schema:
        """The tables and columns of the file."""
        return mapped(self._reflect, _problem)

    def _reflect(self) -> Schema:
        with closing(_read_only(self._path)) as connection:
            return reflect_sqlite(connection)

    def close(self) -> None:
        """Closes the file, and ends running statements."""
        with self._lock:
            self._closed = True
            for guarded in self._busy:
                guarded.connection.interrupt()
            while self._idle:
                for guarded in self._idle.popitem()[1]:
                    guarded.connection.close()

    @contextmanager
    def _lent(self, scope: Scope) -> Generator[sqlite3.Connection]:
        """A connection for one statement, whose views have the rows of this scope."""
        columns = frozenset(scope.allowed)
        with self._lock:
            if self._closed:
                raise EngineError(Problem.UNAVAILABLE)
            pool = self._idle.get(columns)
            idle = pool.pop() if pool else None
        guarded = idle or _guarded(self._path, columns)
        guarded.tenants.set(scope)
        with self._lock:
            self._busy.add(guarded)
        try:
            yield guarded.connection
        finally:
            guarded.tenants.set(None)
            with self._lock:
                self._busy.discard(guarded)
                pool = self._idle.setdefault(columns, [])
                if self._closed or len(pool) >= self._most:
                    guarded.connection.close()
                else:
                    pool.append(guarded)


def connect(address: str, role: str | None, connections: int) -> Sqlite:
    """The file of an address. SQLite knows no roles."""
    del role
    return Sqlite(file_of(address), connections=connections)


def _read_only(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro",
        uri=True,
        timeout=Limits().lock_ms / 1000,
        isolation_level=None,
        check_same_thread=False,  # one statement at a time has it, in whatever thread
        cached_statements=0,  # a statement that is kept is not authorized again
    )
    connection.text_factory = _text
    return connection


class Guarded(NamedTuple):
    """A connection that reads the views of a scope and nothing else."""

    connection: sqlite3.Connection
    tenants: Tenants


def _guarded(path: Path, columns: frozenset[str]) -> Guarded:
    """A connection whose views are scoped by these tenant columns."""
    connection = _read_only(path)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        tenants = Tenants()
        views = create_views(connection, columns, tenants)
        connection.execute("PRAGMA query_only = ON")
        for name, arguments, aggregate in AGGREGATES:
            connection.create_aggregate(name, arguments, aggregate)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, _PATTERN_LENGTH)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        connection.set_authorizer(_authorizer(views))
    except BaseException:
        connection.close()
        raise
    return Guarded(connection, tenants)


def _authorizer(views: Views) -> Any:
    """Allows selects, functions and reading these views; everything else is refused."""

    def authorize(
        action: int, first: str | None, second: str | None, home: str | None, within: str | None
    ) -> int:
        if action == sqlite3.SQLITE_READ:
            allowed = views.allow(first or "", second or "", home, within)
        elif action == sqlite3.SQLITE_FUNCTION:
            allowed = (second or "").casefold() not in _FORBIDDEN_FUNCTIONS
        else:
            allowed = action in _ALLOWED
        return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY

    return authorize


def _bound(statement: Statement) -> dict[str, Any]:
    """The values by their number, which is their name; SQLite has no exact decimals."""
    return {
        str(number): float(value) if isinstance(value, Decimal) else value
        for number, value in enumerate(statement.parameters, 1)
    }


def _chunks(cursor: sqlite3.Cursor) -> Generator[Sequence[Any]]:
    while chunk := cursor.fetchmany(CHUNK):
        yield chunk


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "replace")


def _reason(error: Exception) -> str:
    return str(error) if str(error).startswith(_BEFORE_ROWS) else ""


def _problem(error: Exception) -> Problem | None:
    if isinstance(error, OverflowError | UnicodeError):
        return Problem.BAD_VALUE  # a value that SQLite can't hold
    if not isinstance(error, sqlite3.Error):
        return None
    code: int | None = getattr(error, "sqlite_errorcode", None)
    if code is None:  # an error of Python's driver: more than one statement, or a null character
        return Problem.FAILED
    return _PROBLEMS.get(code & 0xFF, Problem.FAILED)
