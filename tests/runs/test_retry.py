import asyncio
from pathlib import Path
from typing import Any

import psycopg
import pytest
from dbos._utils import retriable_postgres_exception
from sqlalchemy import create_engine
from sqlalchemy.exc import DataError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from veridical.runs.retry import is_transient, retry, retry_blocking, treat_refused_as_lost
from veridical.store.connection import UnreachableError, UnreachableReason

pytestmark = pytest.mark.slow

AWAY = (
    OperationalError("SELECT 1", {}, psycopg.OperationalError()),
    psycopg.OperationalError(),
    psycopg.errors.AdminShutdown(),
    psycopg.errors.LockNotAvailable(),
    psycopg.errors.ReadOnlySqlTransaction(),
    InternalError("SELECT 1", {}, psycopg.errors.ReadOnlySqlTransaction()),
    UnreachableError(UnreachableReason.NO_ANSWER),
    NoConnectionFree("QueuePool limit reached"),
)
WRONG = (
    DataError("SELECT 1", {}, psycopg.DataError()),
    InternalError("SELECT 1", {}, psycopg.InternalError()),
    psycopg.errors.UniqueViolation(),
)


class Moody:
    """Fails with these errors, one after the other, and then no more."""

    def __init__(self, *errors: Exception) -> None:
        self._errors = list(errors)

    def __call__(self) -> str:
        if self._errors:
            raise self._errors.pop(0)
        return "done"


@pytest.mark.parametrize("error", AWAY, ids=lambda error: type(error).__name__)
def test_what_passes_is_waited_for(error: Exception) -> None:
    assert is_transient(error)
    assert retry_blocking(Moody(error)) == "done"
    assert asyncio.run(retry(Moody(error, error))) == "done"


@pytest.mark.parametrize("error", [*WRONG, KeyError()], ids=lambda error: type(error).__name__)
def test_what_does_not_pass_is_raised(error: Any) -> None:
    with pytest.raises(type(error)):
        retry_blocking(Moody(error))
    with pytest.raises(type(error)):
        asyncio.run(retry(Moody(error)))


def test_patience_has_an_end_where_somebody_waits() -> None:
    with pytest.raises(UnreachableError):
        retry_blocking(Moody(*[UnreachableError(UnreachableReason.NO_ANSWER)] * 3), seconds=0)


def test_the_engine_waits_for_a_server_that_is_not_there(tmp_path: Path) -> None:
    engine = create_engine(f"postgresql+psycopg:///runs?host={tmp_path}")
    with pytest.raises(OperationalError) as before:
        engine.connect()
    treat_refused_as_lost(engine)
    with pytest.raises(OperationalError) as after:
        engine.connect()
    waits = [retriable_postgres_exception(each.value) for each in (before, after)]
    assert waits == [False, True]
