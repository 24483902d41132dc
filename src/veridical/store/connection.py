"""Transactions on Veridical's own database: each under one role, for one tenant or for all."""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from enum import StrEnum

import psycopg
from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.store.protection import DatabaseRole
from veridical.trace.batch import Statement, execute_together
from veridical.trace.redact import redact_text

TENANT = "veridical.tenant"
"""The setting that the row policies compare a row's tenant with."""
KEY = "veridical.key"
"""The setting that lets through the one API key that a request presents, before its tenant is
known."""

_SET_UP = (
    "SELECT set_config('search_path', 'pg_catalog', true),"
    " set_config('statement_timeout', %(statement_ms)s, true),"
    " set_config('lock_timeout', %(lock_ms)s, true),"
    " set_config('idle_in_transaction_session_timeout', %(idle_ms)s, true),"
    f" set_config('{TENANT}', %(tenant)s, true), set_config('{KEY}', %(key)s, true),"
    " set_config('role', %(role)s, true)"
).encode()
_BECOME = text("SELECT set_config('role', :role, true)")
_ENTER = text(f"SELECT set_config('{TENANT}', :tenant, true)")


_SCHEMES = frozenset({"postgresql", "postgres", "postgresql+psycopg"})


class UnreachableReason(StrEnum):
    """Why the database can't be used, by message key."""

    NO_ADDRESS = "tenancy.no_address"
    NO_ANSWER = "tenancy.no_answer"
    NO_ANSWER_BECAUSE = "tenancy.no_answer_because"
    NOT_PREPARED = "tenancy.not_prepared"


class UnreachableError(Exception):
    """The database is unavailable, or not prepared for this role; the text says which."""

    def __init__(self, obstacle: UnreachableReason, **values: str) -> None:
        self._obstacle = obstacle
        self._values = values
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """Advice to the operator."""
        return message(self._obstacle, language, **self._values)


def no_answer(error: SQLAlchemyError | psycopg.Error) -> UnreachableError:
    """The error for a failed connection attempt, with the driver's text.

    It names host, user and database, which an operator has to know, and never a password.
    """
    cause = _cause(error)
    driver_text = str(cause) if isinstance(cause, psycopg.OperationalError) else ""
    reason = redact_text(driver_text.partition("\n")[0].removeprefix("connection failed: "))
    if not reason:
        return UnreachableError(UnreachableReason.NO_ANSWER)
    return UnreachableError(UnreachableReason.NO_ANSWER_BECAUSE, reason=reason)


def engine_for(url: str, *, connections: int = 5, pgbouncer: bool = False) -> Engine:
    """A pool on psycopg; behind PgBouncer in transaction mode nothing is prepared on a connection.

    Raises ``UnreachableError`` for what is no address.
    """
    try:
        address = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise UnreachableError(UnreachableReason.NO_ADDRESS) from error
    if address.drivername not in _SCHEMES:
        raise UnreachableError(UnreachableReason.NO_ADDRESS)
    return create_engine(
        address.set(drivername="postgresql+psycopg"),
        pool_size=connections,
        hide_parameters=True,
        connect_args={"prepare_threshold": None} if pgbouncer else {},
    )


class Store:
    """Veridical's own tables. Each transaction acts under a role, not with the login's rights.

    All settings hold for one transaction and are gone with it, so a pooled connection carries
    nothing from one tenant to the next.
    """

    def __init__(
        self,
        url: str,
        *,
        connections: int = 5,
        pgbouncer: bool = False,
        statement_seconds: float = 30,
    ) -> None:
        self.engine = engine_for(url, connections=connections, pgbouncer=pgbouncer)
        self._connections = connections
        milliseconds = f"{round(statement_seconds * 1000)}ms"
        self._limits = {"statement_ms": milliseconds, "lock_ms": milliseconds, "idle_ms": "5min"}

    @contextmanager
    def tenant(self, tenant: str) -> Generator[Connection]:
        """As the server: the rows of this tenant and of no other. Commits at the end."""
        if not tenant:
            raise ValueError("a tenant has a name")
        with self._transaction(DatabaseRole.APP, tenant=tenant) as connection:
            yield connection

    @contextmanager
    def presented(self, key_id: str) -> Generator[Connection]:
        """As the server, before the tenant is known: this API key's row and nothing else.

        ``enter`` goes on as the tenant to whom the key belongs.
        """
        with self._transaction(DatabaseRole.APP, key=key_id) as connection:
            yield connection

    @contextmanager
    def system(self) -> Generator[Connection]:
        """As a worker: the runs of all tenants."""
        with self._transaction(DatabaseRole.WORKER) as connection:
            yield connection

    def tell(self, statements: Iterable[Statement]) -> None:
        """Execute these as a worker, in one transaction and one round trip.

        Raises ``psycopg.Error`` too.
        """
        settings = {**self._limits, "role": DatabaseRole.WORKER, "tenant": "", "key": ""}
        with self.engine.connect() as connection:
            # Without a transaction of its own, a pipeline is one: it is committed at its end.
            connection.execution_options(isolation_level="AUTOCOMMIT")
            try:
                execute_together(connection, [(_SET_UP, settings), *statements])
            except psycopg.OperationalError as error:
                connection.invalidate(error)
                raise
            except psycopg.Error as error:
                if error.sqlstate in _NOT_PREPARED:
                    raise _not_prepared(DatabaseRole.WORKER) from error
                raise

    @contextmanager
    def operator(self) -> Generator[Connection]:
        """As the operator: tenants and keys."""
        with self._transaction(DatabaseRole.OPERATOR) as connection:
            yield connection

    def close(self) -> None:
        """Close every connection; one in use, when its transaction has ended."""
        event.listen(self.engine.pool, "checkin", _close)
        self.engine.dispose()

    @contextmanager
    def _transaction(
        self, role: DatabaseRole, *, tenant: str = "", key: str = ""
    ) -> Generator[Connection]:
        with self._connected({"role": role, "tenant": tenant, "key": key}) as connection:
            yield connection
            connection.commit()

    @contextmanager
    def _connected(self, settings: dict[str, str]) -> Generator[Connection]:
        with self._set_up(settings) as connection:
            yield connection

    def _set_up(self, settings: dict[str, str]) -> Connection:
        """A connection in a transaction.

        Setting up is also what finds a pooled connection that the server has dropped meanwhile: it
        is closed, and the next attempt gets another, at last a fresh one.
        """
        tried = 0
        while True:
            connection: Connection | None = None
            try:
                connection = self.engine.connect()
                connection.begin()
                # the driver's BEGIN goes with it in one round trip
                execute_together(connection, [(_SET_UP, {**self._limits, **settings})])
            except (SQLAlchemyError, psycopg.Error) as error:
                if connection is not None:
                    _give_back(connection, error)
                if getattr(_cause(error), "sqlstate", None) in _NOT_PREPARED:
                    raise _not_prepared(settings["role"]) from error
                tried += 1
                if tried > (1 if connection is None else self._connections):
                    raise no_answer(error) from error
            else:
                return connection


def _give_back(connection: Connection, error: Exception) -> None:
    if isinstance(error, psycopg.OperationalError):
        connection.invalidate(error)
    connection.close()


def _cause(error: SQLAlchemyError | psycopg.Error) -> BaseException | None:
    """The driver's error; the error itself where it comes from elsewhere."""
    return error.orig if isinstance(error, DBAPIError) else error


def _close(_: object, record: ConnectionPoolEntry) -> None:
    """Closes a connection whose pool is gone."""
    record.invalidate()


_NOT_PREPARED = frozenset({"22023", "42501"})
"""The role does not exist, or this login may not act as it."""


def _not_prepared(role: str) -> UnreachableError:
    return UnreachableError(UnreachableReason.NOT_PREPARED, role=role)


def become(connection: Connection, role: DatabaseRole) -> None:
    """Continue the transaction under another role that the login may act as."""
    connection.execute(_BECOME, {"role": role})


def enter(connection: Connection, tenant: str) -> None:
    """Continue the transaction as this tenant."""
    connection.execute(_ENTER, {"tenant": tenant})
