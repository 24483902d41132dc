"""A database that is away comes back: what is tried until then, and what is no matter of time."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import TypeVar

import psycopg
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError

from veridical.store.connection import UnreachableError

FIRST_WAIT, LONGEST_WAIT = 0.1, 2.0

DATABASE_ERRORS = (SQLAlchemyError, psycopg.Error, UnreachableError)
_PASSING = (
    OperationalError,
    InterfaceError,
    psycopg.OperationalError,
    psycopg.InterfaceError,
    UnreachableError,
)

Result = TypeVar("Result")

_log = logging.getLogger("veridical.runs")


def is_passing(error: Exception) -> bool:
    """Whether the database may do later what it did not do now."""
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
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
