"""Questions to run, and a worker to run them in the same process."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier
from sqlalchemy import make_url, text

from tests.sample import ACCOUNTANT
from veridical.answering.feature import Feature
from veridical.answering.session import Session
from veridical.contracts.person import NO_APPROVALS, Approvals
from veridical.contracts.question import Question
from veridical.runs.port import Runs
from veridical.runs.request import FrozenCaller, RunRequest
from veridical.runs.settings import RunsSettings
from veridical.runs.state import RunState
from veridical.runs.worker import Worker
from veridical.runs.workflow import Sessions
from veridical.store.connection import Store

BALANCE = "Wie hoch war der Saldo von Konto 1020 Ende 2024?"
"""A known question: four steps, no model."""
OPEN = "Why do our customers pay so late?"
"""A question for the agent."""
PATIENCE = 30.0


def asked(text: str = BALANCE, approvals: Approvals = NO_APPROVALS) -> RunRequest:
    """The request of somebody at the first client of the sample."""
    return RunRequest(
        feature="trustee",
        question=Question(text=text, feature="trustee"),
        caller=FrozenCaller.of(ACCOUNTANT),
        approvals=approvals,
    )


def at(feature: Feature, **parts: Any) -> Sessions:
    """Everybody's session at this feature."""
    return lambda name, caller, emit: Session(feature, caller, emit=emit, **parts)


@asynccontextmanager
async def working(settings: RunsSettings, sessions: Sessions) -> AsyncGenerator[None]:
    """A worker, until the block ends."""
    stop = asyncio.Event()
    task = asyncio.create_task(Worker(settings, sessions).work(stop))
    try:
        yield
    finally:
        stop.set()
        await task


async def finished(runs: Runs, run_id: str, tenant: str) -> RunState:
    """The run when it has ended."""
    return await until(lambda: ended(runs, run_id, tenant))


def ended(runs: Runs, run_id: str, tenant: str) -> RunState | None:
    state = runs.state(run_id, tenant)
    assert state is not None
    return state if state.status.is_final else None


async def until(found: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """What is found, as soon as it is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        result = await asyncio.to_thread(found)
        if result:
            return result
        await asyncio.sleep(0.05)
    raise AssertionError("nothing was found in time")


@contextmanager
def away(url: str) -> Generator[None]:
    """Within the block the database ends every connection and takes no new one."""
    address = make_url(url)
    database = Identifier(address.database or "")
    maintenance = address.set(database="postgres").render_as_string(hide_password=False)
    allow = SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}")
    with psycopg.connect(maintenance, autocommit=True) as connection:
        connection.execute(allow.format(database, SQL("false")))
        try:
            drop_connections(url)
            yield
        finally:
            connection.execute(allow.format(database, SQL("true")))


@contextmanager
def a_standby(url: str) -> Generator[None]:
    """Within the block the database can be read and not written, as one not yet promoted."""
    address = make_url(url)
    database = Identifier(address.database or "")
    maintenance = address.set(database="postgres").render_as_string(hide_password=False)
    with psycopg.connect(maintenance, autocommit=True) as connection:
        for change in ("SET default_transaction_read_only = on", "RESET ALL"):
            connection.execute(SQL("ALTER DATABASE {} {}").format(database, SQL(change)))
            drop_connections(url)
            if change.startswith("SET"):
                yield


def drop_connections(url: str) -> None:
    """End every connection to this database."""
    address = make_url(url)
    maintenance = address.set(database="postgres").render_as_string(hide_password=False)
    with psycopg.connect(maintenance, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
            (address.database,),
        )


def rows(store: Store, sql: str, **values: Any) -> list[tuple[Any, ...]]:
    """What the database holds, as its owner sees it."""
    with store.engine.begin() as connection:
        found = connection.execute(text(sql), values)
        return [tuple(row) for row in found] if found.returns_rows else []
