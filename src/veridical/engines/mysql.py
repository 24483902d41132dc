"""MariaDB and MySQL: a read-only transaction of a login without rights on files and settings.

No database is chosen, so that only full names reach the tables. Statements without rows are
refused, and their connection closed: no setting outlives the statement that made it.
"""

import json
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from threading import Lock
from typing import Any
from urllib.parse import unquote, urlsplit

import pymysql
from pymysql.connections import Connection
from pymysql.cursors import SSCursor

from veridical.contracts.caller import Scope
from veridical.contracts.schema import Schema
from veridical.contracts.statement import Statement
from veridical.engines.error_mapping import mapped
from veridical.engines.estimate import CostEstimate, ended_by_limit, mysql_estimate
from veridical.engines.limits import CHUNK, Fetched, Limits, collect
from veridical.engines.mysql_schema import mysql_databases, reflect_mysql
from veridical.engines.step_statements import named, statement_name, stoppable, wait_for_end
from veridical.ontology.errors import SourceError, SourceProblem
from veridical.statement.driver import marked
from veridical.statement.errors import EngineError, Problem

_PORT = 3306
_CONNECT_SECONDS = 10
_MODES = "ONLY_FULL_GROUP_BY,STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"
_MIGHTY = ("FILE", "SUPER")
"""The rights that a read-only transaction does not stop: files of the server, and its settings."""
_RIGHTS = (
    "SELECT privilege_type FROM information_schema.user_privileges WHERE grantee = CONCAT("
    "QUOTE(SUBSTRING_INDEX(CURRENT_USER(), '@', 1)), '@',"
    " QUOTE(SUBSTRING_INDEX(CURRENT_USER(), '@', -1)))"
)
_STILL_RUNNING = (
    "SELECT id FROM information_schema.processlist"
    " WHERE LOCATE(%s, info) = 1 AND id <> CONNECTION_ID()"
)
_PROBLEMS: tuple[tuple[Problem, tuple[int, ...]], ...] = (
    (Problem.TIMEOUT, (1969, 3024, 1317)),
    (Problem.LOCKED, (1205, 1213, 1099)),
    (Problem.NOT_PERMITTED, (1044, 1142, 1143, 1227, 1290, 1370, 1792)),
    (Problem.BAD_VALUE, (1264, 1292, 1366, 1411, 1690, 3140, 4038)),
    (Problem.DIVISION_BY_ZERO, (1365,)),
    (Problem.TOO_LARGE, (1104, 1153, 1301, 1114, 1038)),
    (Problem.UNAVAILABLE, (1040, 1045, 1049, 2002, 2003, 2006, 2013, 2014, 2055)),
)
_BEFORE_ROWS = frozenset(
    {1052, 1054, 1055, 1056, 1060, 1064, 1066, 1111, 1120, 1140, 1221, 1222, 1241, 1247, 1248}
    | {1267, 1305, 1318, 1347, 1349, 1525, 1582, 1583, 1630, 3029, 3593, 4015, 4016, 4078}
)
"""Errors while a statement is parsed: names, grouping, syntax, arguments of functions."""
_BY_NUMBER = {number: problem for problem, numbers in _PROBLEMS for number in numbers}


class Mysql:
    """A MariaDB or MySQL database that can only be read."""

    dialect = "mysql"

    def __init__(self, address: str, *, connections: int = 5) -> None:
        """Keeps up to so many connections open; each statement has its own."""
        self._target, database = _target(address)
        self.schemas: tuple[str, ...] = (database,)
        self._most = connections
        self._lock = Lock()
        self._idle: list[Connection[Any]] = []
        self._busy = set["Connection[Any]"]()
        self._closed = False

    def fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
        """The rows of a statement, at most this many."""
        del scope  # the statement carries it; there are no row policies
        return mapped(
            lambda: self._fetch(statement, rows, limits), _problem, _reason, statement.sql
        )

    def _fetch(self, statement: Statement, rows: int, limits: Limits) -> Fetched:
        with self._lent() as connection, stoppable(lambda: self._kill(connection.thread_id())):
            with connection.cursor() as setting:
                for text in _settings(connection, limits):
                    setting.execute(text)
            values = statement.parameters
            sql = marked(
                statement.sql,
                self.dialect,
                lambda number: str(connection.escape(values[number - 1])),
            )
            cursor = connection.cursor(SSCursor)
            try:
                cursor.execute(named(sql, statement_name()))
                if not cursor.description:
                    raise EngineError(Problem.NOT_PERMITTED)
                names = [column[0] for column in cursor.description]
                found = collect(names, _chunks(cursor), rows, limits.bytes)
            except BaseException:
                _abandon(connection, cursor)
                raise
            if found.truncated:
                _abandon(connection, cursor)  # closing it would read all that is left
            else:
                cursor.close()
                connection.rollback()
            return found

    def estimate(self, statement: Statement, scope: Scope, limits: Limits) -> CostEstimate | None:
        """What a statement would read, by its plan."""
        briefly = replace(limits, statement_ms=limits.probe_ms)
        explained = statement._replace(sql=f"EXPLAIN FORMAT=JSON {statement.sql}")
        rows = self.fetch(explained, scope, 1, briefly).rows
        found = mysql_estimate(json.loads(str(rows[0][0])))
        return ended_by_limit(found, statement.sql, self.dialect)

    def end_statements(self, name: str) -> None:
        """Kills what runs under this name, and waits until nothing does."""

        def killed() -> bool:
            with self._lent() as connection, connection.cursor() as cursor:
                cursor.execute(_STILL_RUNNING, (named("", name),))
                found = [number for (number,) in cursor.fetchall()]
            for number in found:
                self._kill(number)
            return bool(found)

        wait_for_end(lambda: mapped(killed, _problem))

    def _kill(self, number: int) -> None:
        """Ends the statement of a connection, unless it has ended."""
        with (
            suppress(pymysql.Error, OSError),
            self._lent() as connection,
            connection.cursor() as cursor,
        ):
            cursor.execute(f"KILL QUERY {int(number)}")

    def reflect(self) -> Schema:
        """The tables and columns that the reader can see."""

        def found() -> Schema:
            with self._lent() as connection:
                return reflect_mysql(connection, self.schemas)

        return mapped(found, _problem)

    @property
    def namespace(self) -> tuple[str, ...]:
        """The first database of those that are read."""
        return self.schemas[:1]

    def seen_schemas(self) -> dict[str, int]:
        """The databases with visible tables, with their number."""

        def found() -> dict[str, int]:
            with self._lent() as connection:
                return mysql_databases(connection)

        return mapped(found, _problem)

    def refuse_mighty(self) -> None:
        """Raises ``SourceError`` for a login with more rights than a transaction can hold back."""

        def rights() -> set[str]:
            with self._lent() as connection, connection.cursor() as cursor:
                cursor.execute(_RIGHTS)
                return {row[0] for row in cursor.fetchall()}

        found = [right for right in _MIGHTY if right in mapped(rights, _problem)]
        if found:
            self.close()
            raise SourceError(SourceProblem.TOO_MIGHTY, rights=", ".join(found))

    def close(self) -> None:
        """Closes the connections, and ends running statements."""
        with self._lock:
            self._closed = True
            connections = [*self._idle, *self._busy]
            self._idle.clear()
        for connection in connections:
            _close(connection)

    @contextmanager
    def _lent(self) -> Generator["Connection[Any]"]:
        """A connection for one statement; one that was closed meanwhile is not kept."""
        with self._lock:
            if self._closed:
                raise EngineError(Problem.UNAVAILABLE)
            idle = self._idle.pop() if self._idle else None
        connection = idle if idle is not None and _is_alive(idle) else self._opened()
        with self._lock:
            self._busy.add(connection)
        try:
            yield connection
        finally:
            with self._lock:
                self._busy.discard(connection)
                kept = connection.open and not self._closed and len(self._idle) < self._most
                if kept:
                    self._idle.append(connection)
            if not kept:
                _close(connection)

    def _opened(self) -> "Connection[Any]":
        connection = pymysql.connect(
            **self._target,
            autocommit=False,
            charset="utf8mb4",
            connect_timeout=_CONNECT_SECONDS,
            local_infile=False,
        )
        with connection.cursor() as cursor:
            cursor.execute("SET SESSION TRANSACTION READ ONLY")
            cursor.execute("SET SESSION sql_mode = %s", (_MODES,))
        return connection


def connect(address: str, role: str | None, connections: int) -> Mysql:
    """The database behind ``mysql://…`` or ``mariadb://…``."""
    del role
    database = Mysql(address, connections=connections)
    database.refuse_mighty()
    return database


def _target(address: str) -> tuple[dict[str, Any], str]:
    """The arguments of the driver, and the database."""
    parts = urlsplit(address)
    database = unquote(parts.path.strip("/"))
    if not database or "/" in database:
        expected = f"{parts.scheme}://USER@HOST/DATABASE"
        raise SourceError(SourceProblem.NO_SOURCE, source=parts.scheme, expected=expected)
    target = {
        "host": parts.hostname or "127.0.0.1",
        "port": parts.port or _PORT,
        "user": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
    }
    return target, database


def _settings(connection: "Connection[Any]", limits: Limits) -> Sequence[str]:
    """The limits of one statement, and the transaction around it."""
    if "MariaDB" in connection.get_server_info():
        timeout = f"max_statement_time = {limits.statement_ms / 1000}"
    else:
        timeout = f"max_execution_time = {limits.statement_ms}"
    locks = max(1, limits.lock_ms // 1000)
    return (
        f"SET SESSION {timeout}, SESSION lock_wait_timeout = {locks},"
        f" SESSION innodb_lock_wait_timeout = {locks}",
        "START TRANSACTION READ ONLY",
    )


def _chunks(cursor: SSCursor) -> Generator[Sequence[Any]]:
    while chunk := cursor.fetchmany(CHUNK):
        yield chunk


def _is_alive(connection: "Connection[Any]") -> bool:
    """False for one that the server dropped while it was idle."""
    try:
        connection.ping(reconnect=False)
    except (pymysql.Error, OSError):
        _close(connection)
        return False
    return True


def _abandon(connection: "Connection[Any]", cursor: SSCursor) -> None:
    # So that it does not read the rest of its rows; the driver itself sets this when closed.
    cursor.connection = None  # pyright: ignore[reportAttributeAccessIssue]
    _close(connection)


def _close(connection: "Connection[Any]") -> None:
    if connection.open:
        with suppress(pymysql.Error, OSError):
            connection.close()


def _reason(error: Exception) -> str:
    number, *texts = error.args or (0,)
    is_safe = isinstance(error, pymysql.Error) and number in _BEFORE_ROWS
    return str(texts[0]) if is_safe and texts else ""


def _problem(error: Exception) -> Problem | None:
    if isinstance(error, OSError | UnicodeError):
        return Problem.UNAVAILABLE
    if not isinstance(error, pymysql.Error):
        return None
    number = error.args[0] if error.args and isinstance(error.args[0], int) else 0
    return _BY_NUMBER.get(number, Problem.FAILED)
