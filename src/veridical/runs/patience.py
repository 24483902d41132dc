"""A database that is away comes back: what is tried until then, and what is no matter of time."""

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
_PASSING = (
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


class CutOff(BaseException):
    """The database of the runs stays away: the life ends here and is lived again later.

    It passes through whatever handles errors, and nothing is recorded of it.
    """


def is_passing(error: Exception) -> bool:
    """Whether the database may do later what it did not do now."""
    if isinstance(error, DBAPIError):
        if error.connection_invalidated:
            return True
        if isinstance(error.orig, psycopg.Error):
            return is_passing(error.orig)
    return isinstance(error, _PASSING)


def insist_here(action: Callable[[], Result], seconds: float = 60.0) -> Result:
    """What the action gives; tried again while the database is away, but not for longer."""
    wait, end = FIRST_WAIT, time.monotonic() + seconds
    while True:
        try:
            return action()
        except DATABASE_ERRORS as error:
            if not is_passing(error) or time.monotonic() > end:
                raise
            _log.warning("waiting for the database: %s", error)
        time.sleep(wait)
        wait = min(wait * 2, LONGEST_WAIT)


async def insist(action: Callable[[], Result]) -> Result:
    """What the action gives, in a thread; tried again for as long as the database is away."""
    wait = FIRST_WAIT
    while True:
        try:
            return await asyncio.to_thread(action)
        except DATABASE_ERRORS as error:
            if not is_passing(error):
                raise
            _log.warning("waiting for the database: %s", error)
        await asyncio.sleep(wait)
        wait = min(wait * 2, LONGEST_WAIT)


def let_wait(engine: Engine) -> None:
    """Let whoever uses this engine know a refused connection for what it is: one that was lost.

    DBOS goes by the words of the error, and does not know those of a server that is not there.
    """

    def mark(context: ExceptionContext) -> None:
        if context.connection is None:
            context.is_disconnect = True

    event.listen(engine, "handle_error", mark)
