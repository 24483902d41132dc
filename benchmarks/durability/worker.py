"""One worker process of the benchmark: the real worker, at the scripted session.

    python -m benchmarks.durability.worker ORDERS

It runs until it is told to stop, or is killed.
"""

import asyncio
import logging
import os
import sys
from pathlib import Path

from dbos import DBOSClient

from benchmarks.durability.ground import Fault, Orders
from benchmarks.durability.release import become_next_release
from benchmarks.durability.session import (
    book_once,
    booking_plainly,
    open_long_sessions,
    open_sessions,
)
from veridical.answering.session import Emit, Session
from veridical.contracts.caller import Caller
from veridical.engines import engine
from veridical.engines.database import Database
from veridical.runs import maintenance
from veridical.runs.process_end import stop_events
from veridical.runs.worker import Worker
from veridical.store.connection import Store


def at_work(scratch: Path, pid: int) -> Path:
    """The file that a worker leaves when it takes its first run."""
    return scratch / f"at-work-{pid}"


async def work(orders: Orders) -> None:
    """Work as ordered until told to stop."""
    stop, at_once = stop_events()
    store = Store(orders.runs_url)
    book = booking_plainly(store) if orders.fault is Fault.PLAIN_EFFECTS else book_once
    if orders.fault is Fault.NO_REAPER:
        maintenance.recover_runs = _reap_nobody
    if orders.release > 1:
        become_next_release(book)
    if orders.fault is Fault.ORPHANS:
        engine.prepare = _prepare_nothing
    if orders.statement_seconds:
        sessions = open_long_sessions(orders.books_url, orders.statement_seconds)
    else:
        sessions = open_sessions(orders.books_url, book)
    sign = at_work(Path(orders.scratch), os.getpid())

    def noted(feature: str, caller: Caller, emit: Emit) -> Session:
        if not sign.exists():
            sign.touch()
        return sessions(feature, caller, emit)

    await Worker(orders.settings, noted).work(stop, at_once)


def _prepare_nothing(database: Database) -> None:
    """Whatever runs there goes on."""


def _reap_nobody(store: Store, client: DBOSClient, lease_seconds: float) -> list[str]:
    return []


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    asyncio.run(work(Orders.model_validate_json(sys.argv[1])))
