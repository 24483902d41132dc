"""PostgreSQL: a read-only transaction under the reader's role, the tenant set for its row policies.

The setup of the transaction takes one round trip; the rows stream, so that a giant result
is stopped at the limit instead of being pulled into memory.
"""

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from typing import Any, LiteralString, TypeVar, cast

import psycopg
from psycopg.rows import tuple_row
from sqlalchemy import create_engine, make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from veridical.contracts.caller import Scope
from veridical.contracts.schema import Schema, Table
from veridical.contracts.statement import Statement
from veridical.engines.error_mapping import mapped
from veridical.engines.estimate import CostEstimate
from veridical.engines.gap import Finding
from veridical.engines.limits import CHUNK, Fetched, Limits, collect
from veridical.engines.postgres_explain import Explained, TableSizes
from veridical.engines.reader import VARIABLES, reader_findings
from veridical.engines.reason import safe_reason
from veridical.engines.reflect import postgres_schemas, reflect_postgres
from veridical.engines.row_guard import guarded
from veridical.engines.step_statements import statement_name, stoppable, wait_for_end
from veridical.engines.values import Row
from veridical.statement.errors import EngineError, Problem

_AT_ONCE = 32 if psycopg.capabilities.has_stream_chunked() else 1
"""Rows taken off the wire at a time: as many of the largest that may come must fit into memory."""
Found = TypeVar("Found")
_CANCEL_SECONDS = 2.0
_STILL_RUNNING: LiteralString = (
    "SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND state = 'active'"
    " AND datname = current_database() AND usename = session_user AND pid <> pg_backend_pid()"
)
_CANCEL: LiteralString = _STILL_RUNNING.replace("pid", "pg_cancel_backend(pid)", 1)
_SETTABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")
_BY_STATE = {
    "57014": Problem.TIMEOUT,
    "55P03": Problem.LOCKED,
    "40001": Problem.LOCKED,
    "40P01": Problem.LOCKED,
    "42501": Problem.NOT_PERMITTED,
    "25006": Problem.NOT_PERMITTED,
    "22012": Problem.DIVISION_BY_ZERO,
    "53400": Problem.TOO_LARGE,
    "54000": Problem.TOO_LARGE,
    "53200": Problem.TOO_LARGE,
    "42883": Problem.BAD_VALUE,
    "42804": Problem.BAD_VALUE,
}
_BEFORE_ROWS = "42"
"""Errors while a statement is parsed: syntax, names, types, grouping."""
_NO_RIGHT = "42501"
_BY_CLASS = {
    "22": Problem.BAD_VALUE,
    "08": Problem.UNAVAILABLE,
    "53": Problem.UNAVAILABLE,
    "57": Problem.UNAVAILABLE,
}


class Postgres:
    """A PostgreSQL database, read under a role that can do nothing else."""

    dialect = "postgres"

    def __init__(
        self, url: str, *, role: str | None = None, schema: str = "public", connections: int = 5
    ) -> None:
        self.role = role
        self.schemas: tuple[str, ...] = (schema,)
        self._busy = set["psycopg.Connection[Any]"]()
        self._sizes = TableSizes()
        self._pool = create_engine(
            make_url(url).set(drivername="postgresql+psycopg"),
            isolation_level="AUTOCOMMIT",
            pool_size=connections,
            hide_parameters=True,
        )

    def fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
        """The rows of a statement, at most this many."""
        own = guarded(statement, limits.row_bytes)
        return self._done(lambda lent: self._fetch(lent, own, scope, rows, limits), own.sql)

    def estimate(self, statement: Statement, scope: Scope, limits: Limits) -> CostEstimate | None:
        """What a statement would read, by its plan."""
        briefly = replace(limits, statement_ms=limits.probe_ms, lock_ms=limits.probe_ms)
        own = guarded(statement, limits.row_bytes)

        def ask(*statements: Statement) -> list[Sequence[Row]]:
            return self._done(lambda lent: self._ask(lent, statements, scope, briefly), own.sql)

        return Explained(own, ask, self._sizes).estimate()

    def _done(self, work: "Callable[[psycopg.Connection[Any]], Found]", sql: str) -> "Found":
        """What this returns on a connection of the pool."""
        found = self._try(work, sql)
        if found is None:  # the pool lent a connection that the server had dropped meanwhile
            found = self._try(work, sql)
        if found is None:
            raise EngineError(Problem.UNAVAILABLE)
        return found

    def _try(self, work: "Callable[[psycopg.Connection[Any]], Found]", sql: str) -> "Found | None":
        """The same; None if there is no connection, or it was lost."""
        try:
            lent = self._pool.raw_connection()
        except (SQLAlchemyError, psycopg.Error):
            return None
        connection = cast("psycopg.Connection[Any]", lent.driver_connection)
        self._busy.add(connection)
        try:
            with stoppable(partial(_cancel, connection)):
                return work(connection)
        except psycopg.Error as error:
            _abandon(connection)
            problem, reason = _problem(error), safe_reason(_reason(error), sql)
        finally:
            self._busy.discard(connection)
            if connection.closed:
                lent.invalidate()
            lent.close()
        if problem is Problem.UNAVAILABLE:
            return None
        raise EngineError(
            problem, reason=reason
        )  # raised here so that it carries no trace of the database's text

    def _fetch(
        self,
        connection: "psycopg.Connection[Any]",
        statement: Statement,
        scope: Scope,
        rows: int,
        limits: Limits,
    ) -> Fetched:
        with psycopg.RawCursor(connection, row_factory=tuple_row) as cursor:
            with connection.pipeline():
                self._begin(cursor, scope, limits)
            chunks = _chunks(cursor, statement)
            names = next(chunks)
            found = collect(names, chunks, rows, limits.bytes)
            chunks.close()
        connection.rollback()  # so that no setting can outlive the statement
        return found

    def _ask(
        self,
        connection: "psycopg.Connection[Any]",
        statements: Sequence[Statement],
        scope: Scope,
        limits: Limits,
    ) -> list[Sequence[Row]]:
        """The rows of each, in one transaction and one round trip."""
        cursors: list[psycopg.RawCursor[Any]] = []
        with connection.pipeline():
            self._begin(psycopg.RawCursor(connection), scope, limits)
            for statement in statements:
                cursors.append(psycopg.RawCursor(connection, row_factory=tuple_row))
                sql = cast("LiteralString", statement.sql)
                cursors[-1].execute(sql, statement.parameters, prepare=False)
            psycopg.RawCursor(connection).execute("ROLLBACK", prepare=False)
        return [cursor.fetchall() if cursor.description else () for cursor in cursors]

    def _begin(self, cursor: "psycopg.RawCursor[Any]", scope: Scope, limits: Limits) -> None:
        cursor.execute("BEGIN READ ONLY", prepare=False)
        cursor.execute(*self._settings(scope, limits), prepare=False)

    def _settings(self, scope: Scope, limits: Limits) -> tuple[LiteralString, list[Any]]:
        columns = tuple(sorted(filter(_SETTABLE.fullmatch, scope.allowed)))
        values: list[Any] = [
            str(limits.statement_ms),
            str(limits.lock_ms),
            f"{limits.sort_mb}MB",
            str(limits.temp_mb * 1024),
        ]
        for column in columns:
            values += [f"{VARIABLES}.{column}", [str(value) for value in scope.allowed[column]]]
        name = statement_name() or None
        values += [each for each in (name, self.role) if each is not None]
        return _setup_sql(len(columns), name is not None, self.role is not None), values

    def gaps(self, tables: Mapping[str, Sequence[str]]) -> list[Finding]:
        """The gaps of the reader's role, given the tenant columns of each table."""
        if self.role is None:
            return []
        role = self.role

        def found() -> list[Finding]:
            with closing(self._pool.raw_connection()) as lent:
                connection = cast("psycopg.Connection[Any]", lent.driver_connection)
                schemas = self.schemas if any(tables.values()) else ()
                findings = [
                    finding
                    for schema, own in self._by_schema(tables).items()
                    for finding in reader_findings(
                        *(connection, role, own),
                        schema=schema,
                        elsewhere=[each for each in schemas if each != schema],
                    )
                ]
                return list(dict.fromkeys(findings))

        return mapped(found, _opening_problem)

    def _by_schema(
        self, tables: Mapping[str, Sequence[str]]
    ) -> dict[str, dict[str, Sequence[str]]]:
        """The tenant columns by schema, then by the table's name there."""
        known = self.reflect().tables if len(self.schemas) > 1 else {}
        found: dict[str, dict[str, Sequence[str]]] = {name: {} for name in self.schemas}
        for name, columns in tables.items():
            *_, schema, own = known.get(name, Table(name, ())).place(self.namespace)
            found[schema][own] = columns
        return found

    @property
    def namespace(self) -> tuple[str, ...]:
        """The first schema of those that are read."""
        return self.schemas[:1]

    def seen_schemas(self) -> dict[str, int]:
        """The schemas with visible tables, with their number."""
        return mapped(lambda: postgres_schemas(self._pool, self.role), _opening_problem)

    def reflect(self) -> Schema:
        """The tables and columns that the reader can see."""
        return mapped(
            lambda: reflect_postgres(self._pool, self.schemas, self.role), _opening_problem
        )

    def end_statements(self, name: str) -> None:
        """Cancels what runs under this name, and waits until nothing does."""
        wait_for_end(lambda: self._done(lambda lent: _cancel_named(lent, name), _STILL_RUNNING))

    def interrupt(self) -> None:
        """Cancels the running statements, before closing."""
        for connection in tuple(self._busy):
            _cancel(connection)

    def close(self) -> None:
        """Closes the pool, and ends running statements."""
        self.interrupt()
        self._pool.dispose()


def connect(address: str, role: str | None, connections: int) -> Postgres:
    """The database behind ``postgresql://…``. It is not connected to yet."""
    return mapped(lambda: Postgres(address, role=role, connections=connections), _opening_problem)


def find_gaps(database: Postgres, tables: Mapping[str, Sequence[str]]) -> list[Finding]:
    """The gaps of the reader's role."""
    return database.gaps(tables)


@cache
def _setup_sql(variables: int, with_name: bool, with_role: bool) -> LiteralString:
    # The role comes last: the reader itself may not set anything.
    parts = [
        "set_config('search_path', 'pg_catalog', true)",
        "set_config('statement_timeout', $1, true)",
        "set_config('lock_timeout', $2, true)",
        "set_config('work_mem', $3, true)",
        # Only a superuser may set it, or a login with the grant: others have their role's value. It
        # holds for each process, and a statement may have several.
        "CASE WHEN has_parameter_privilege('temp_file_limit', 'SET')"
        " THEN set_config('temp_file_limit', ($4::int"
        " / (1 + current_setting('max_parallel_workers_per_gather')::int))::text, true) END",
        # The server ends a statement whose client is gone. Where it can't look, this is an error.
        "CASE WHEN current_setting('client_connection_check_interval', true) IS NOT NULL"
        " AND version() LIKE '%linux%'"
        " THEN set_config('client_connection_check_interval', '1s', true) END",
    ]
    number = 5
    for _ in range(variables):
        parts.append(f"set_config(${number}, ${number + 1}::text[]::text, true)")
        number += 2
    for setting, given in (("application_name", with_name), ("role", with_role)):
        if given:
            parts.append(f"set_config('{setting}', ${number}, true)")
            number += 1
    return cast("LiteralString", "SELECT " + ", ".join(parts))


def _chunks(cursor: "psycopg.RawCursor[Any]", statement: Statement) -> Generator[Sequence[Any]]:
    """The column names first, then the rows in chunks."""
    sql = cast("LiteralString", statement.sql)
    rows_one_by_one = cursor.stream(sql, statement.parameters, size=_AT_ONCE)
    with closing(cast("Generator[Any]", rows_one_by_one)) as stream:
        rows = list(islice(stream, _AT_ONCE))
        yield [column.name for column in cursor.description or ()]
        while rows:
            yield rows
            rows = list(islice(stream, CHUNK))


def _cancel(connection: "psycopg.Connection[Any]") -> None:
    with suppress(psycopg.Error):
        connection.cancel_safe(timeout=_CANCEL_SECONDS)


def _cancel_named(connection: "psycopg.Connection[Any]", name: str) -> bool:
    """Cancels what runs under this name; false if nothing does, or the login may not look."""
    cursor = psycopg.RawCursor(connection)
    with suppress(psycopg.errors.InsufficientPrivilege):
        if cursor.execute(_STILL_RUNNING, [name], prepare=False).fetchall():
            with suppress(psycopg.errors.InsufficientPrivilege):  # its time limit ends it
                cursor.execute(_CANCEL, [name], prepare=False)
            return True
    return False


def _problem(error: psycopg.Error) -> Problem:
    state = error.sqlstate
    if state is None:
        lost = isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
        return Problem.UNAVAILABLE if lost else Problem.FAILED
    return _BY_STATE.get(state) or _BY_CLASS.get(state[:2]) or Problem.FAILED


def _reason(error: psycopg.Error) -> str:
    """The error found while parsing the statement; its hints may name hidden things."""
    state = error.sqlstate or ""
    is_safe = state.startswith(_BEFORE_ROWS) and state != _NO_RIGHT
    return (error.diag.message_primary or "") if is_safe else ""


def _opening_problem(error: Exception) -> Problem | None:
    """Maps SQLAlchemy's errors; a malformed address is a ``ValueError``."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, psycopg.Error):
        return _problem(cause)
    return Problem.UNAVAILABLE if isinstance(error, SQLAlchemyError | ValueError) else None


def _abandon(connection: "psycopg.Connection[Any]") -> None:
    """Leaves a failed transaction; a connection that can't is closed, and the pool drops it."""
    try:
        connection.rollback()
    except psycopg.Error:
        connection.close()
