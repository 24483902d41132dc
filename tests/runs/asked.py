"""Questions to run, and a worker to run them in the same process."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import text

from tests.sample import ACCOUNTANT
from veridical.contracts.approvals import NO_APPROVALS, Approvals
from veridical.contracts.question import Question
from veridical.runs.port import Runs
from veridical.runs.request import FrozenCaller, RunRequest
from veridical.runs.settings import RunsSettings
from veridical.runs.state import RunState
from veridical.runs.worker import Worker
from veridical.runs.workflow import Desks
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


@asynccontextmanager
async def working(settings: RunsSettings, desks: Desks, **more: Any) -> AsyncGenerator[None]:
    """A worker, until the block ends."""
    stop = asyncio.Event()
    task = asyncio.create_task(Worker(settings, desks, **more).work(stop))
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


def rows(store: Store, sql: str, **values: Any) -> list[tuple[Any, ...]]:
    """What the database holds, as its owner sees it."""
    with store.engine.begin() as connection:
        found = connection.execute(text(sql), values)
        return [tuple(row) for row in found] if found.returns_rows else []
