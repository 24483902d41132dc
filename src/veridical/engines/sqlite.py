"""SQLite: a file opened read-only, behind an authorizer that allows reading its tables and no more.

``mode=ro`` alone still attaches other files and writes there. The tables are reached by full names
only: temporary views of the same names hide them, and none may be read.
"""

import sqlite3
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from decimal import Decimal
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

from veridical.contracts.caller import Scope
from veridical.contracts.schema import Schema
from veridical.contracts.statement import Statement
from veridical.engines.address import file_of
from veridical.engines.error_mapping import mapped
from veridical.engines.limits import CHUNK, Fetched, Limits, collect
from veridical.engines.sqlite_aggregates import AGGREGATES
from veridical.engines.sqlite_schema import reflect_sqlite, table_names
from veridical.statement.errors import EngineError, Problem

_HOME = "main"
_STEPS = 20_000
"""Steps of SQLite's machine between two looks at the clock: each look waits for other threads."""
_PATTERN_LENGTH = 1_000
_UNREADABLE = "SELECT name FROM sqlite_temp_schema"
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
"""How what is said begins while a statement is read."""


class Sqlite:
    """A SQLite file that can only be read."""

    dialect = "sqlite"
    namespace = (_HOME,)

    def __init__(self, path: Path, *, connections: int = 5) -> None:
        """Keeps up to so many connections open; each statement has one to itself."""
        self._path = path
        self._most = connections
        self._lock = Lock()
        self._idle: list[sqlite3.Connection] = []
        self._busy = set[sqlite3.Connection]()
        self._closed = False

    def fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
        """The rows of a statement, at most this many."""
        del scope  # the statement carries it; SQLite has no row policies of its own
        return mapped(
            lambda: self._fetch(statement, rows, limits), _problem, _reason, statement.sql
        )

    def _fetch(self, statement: Statement, rows: int, limits: Limits) -> Fetched:
        with self._lent() as connection:
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
        """Closes the file, and ends what still reads it."""
        with self._lock:
            self._closed = True
            for connection in self._busy:
                connection.interrupt()
            while self._idle:
                self._idle.pop().close()

    @contextmanager
    def _lent(self) -> Generator[sqlite3.Connection]:
        """A connection for one statement."""
        with self._lock:
            if self._closed:
                raise EngineError(Problem.UNAVAILABLE)
            idle = self._idle.pop() if self._idle else None
        connection = idle or _guarded(self._path)
        with self._lock:
            self._busy.add(connection)
        try:
            yield connection
        finally:
            with self._lock:
                self._busy.discard(connection)
                if self._closed or len(self._idle) >= self._most:
                    connection.close()
                else:
                    self._idle.append(connection)


def connect(address: str, role: str | None, connections: int) -> Sqlite:
    """The file that an address names. SQLite knows no roles."""
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


def _guarded(path: Path) -> sqlite3.Connection:
    """A connection that reads the tables of a file by their full names, and does nothing else."""
    connection = _read_only(path)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        tables = table_names(connection)
        for table in tables:
            connection.execute(f"CREATE TEMP VIEW {_quoted(table)} AS {_UNREADABLE}")
        connection.execute("PRAGMA query_only = ON")
        for name, arguments, aggregate in AGGREGATES:
            connection.create_aggregate(name, arguments, aggregate)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, _PATTERN_LENGTH)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        connection.set_authorizer(_authorizer(frozenset(map(str.casefold, tables))))
    except BaseException:
        connection.close()
        raise
    return connection


def _authorizer(tables: frozenset[str]) -> Any:
    """Allows selects, functions and reading these tables; all else is refused."""

    def authorize(
        action: int, first: str | None, second: str | None, home: str | None, _: str | None
    ) -> int:
        if action == sqlite3.SQLITE_READ:
            name = (first or "").casefold()
            # Rows that are only counted have no column; of a common table expression, no home.
            counted = home is None and second == "" and not name.startswith("sqlite_")
            allowed = counted or (home == _HOME and name in tables)
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


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _reason(error: Exception) -> str:
    return str(error) if str(error).startswith(_BEFORE_ROWS) else ""


def _problem(error: Exception) -> Problem | None:
    if isinstance(error, OverflowError | UnicodeError):
        return Problem.BAD_VALUE  # a value that SQLite can't hold
    if not isinstance(error, sqlite3.Error):
        return None
    code: int | None = getattr(error, "sqlite_errorcode", None)
    if code is None:  # said by Python's driver: more than one statement, or a null character
        return Problem.FAILED
    return _PROBLEMS.get(code & 0xFF, Problem.FAILED)
