"""Retries while the database is unavailable, and tells transient errors from permanent ones."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import TypeVar

import psycopg
from sqlalchemy import Engine, ExceptionContext, event
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from veridical.store.connection import UnreachableError

FIRST_WAIT, LONGEST_WAIT = 0.1, 2.0

DATABASE_ERRORS = (SQLAlchemyError, psycopg.Error, UnreachableError)
_TRANSIENT = (
    OperationalError,
    InterfaceError,
    NoConnectionFree,
    psycopg.OperationalError,
    psycopg.InterfaceError,
    psycopg.errors.ReadOnlySqlTransaction,  # a standby that is about to become the server
    UnreachableError,
)

Result = TypeVar("Result")

_log = logging.getLogger("veridical.runs")


class DatabaseLost(BaseException):
    """The database of the runs stays unavailable: the segment ends here and is run again later.

    A ``BaseException``, so that no error handler catches it and nothing is recorded of it.
    """


def is_transient(error: Exception) -> bool:
    """Whether the same statement may succeed later."""
    if isinstance(error, DBAPIError):
        if error.connection_invalidated:
            return True
        if isinstance(error.orig, psycopg.Error):
            return is_transient(error.orig)
    return isinstance(error, _TRANSIENT)


def retry_blocking(action: Callable[[], Result], seconds: float = 60.0) -> Result:
    """The action's result; retried while the database is unavailable, but not for longer."""
    wait, end = FIRST_WAIT, time.monotonic() + seconds
    while True:
        try:
            return action()
        except DATABASE_ERRORS as error:
            if not is_transient(error) or time.monotonic() > end:
                raise
            _log.warning("waiting for the database: %s", error)
        time.sleep(wait)
        wait = min(wait * 2, LONGEST_WAIT)


async def retry(action: Callable[[], Result]) -> Result:
    """The action's result, from a thread; retried for as long as the database is unavailable."""
    wait = FIRST_WAIT
    while True:
        try:
            return await asyncio.to_thread(action)
        except DATABASE_ERRORS as error:
            if not is_transient(error):
                raise
            _log.warning("waiting for the database: %s", error)
        await asyncio.sleep(wait)
        wait = min(wait * 2, LONGEST_WAIT)


def treat_refused_as_lost(engine: Engine) -> None:
    """Make this engine report a refused connection as a lost one.

    DBOS goes by the text of the error, and does not know that of a server that is not there.
    """

    def mark(context: ExceptionContext) -> None:
        if context.connection is None:
            context.is_disconnect = True

    event.listen(engine, "handle_error", mark)
