"""A worker: takes runs from the queue and executes them, until it is asked to stop.

It may be killed at any moment: others take over its runs. If it was unresponsive for so long that
others have taken over, it starts again under another id.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from dbos import DBOS

from veridical.contracts.step import Json
from veridical.runs.dbos_setup import (
    WORKFLOW,
    ask_again_soon,
    dbos_client,
    dbos_config,
    engine_database,
    prepare_engine,
    quiet,
    register_queue,
)
from veridical.runs.dbos_tables import QUEUE
from veridical.runs.inbox import Inbox
from veridical.runs.journal import Journal
from veridical.runs.lease import Lease
from veridical.runs.maintenance import Maintenance
from veridical.runs.notifier import Notifier
from veridical.runs.parking import Parking
from veridical.runs.recovery import hand_back
from veridical.runs.retry import (
    DATABASE_ERRORS,
    LONGEST_WAIT,
    is_transient,
    retry,
    retry_blocking,
    treat_refused_as_lost,
)
from veridical.runs.settings import RunsSettings
from veridical.runs.workflow import Sessions, WorkerContext, run_segment
from veridical.store.connection import Store
from veridical.store.settings import OwnDatabase

_SIGN_OFF_SECONDS = 5.0
_CANCELLED_SECONDS = 5.0
"""Seconds that a cancelled segment may take to stop."""

_log = logging.getLogger("veridical.runs")


@dataclass(frozen=True)
class Worker:
    """The settings and sessions of a worker."""

    settings: RunsSettings
    sessions: Sessions

    async def work(self, stop: asyncio.Event, at_once: asyncio.Event | None = None) -> bool:
        """Work until asked to stop; then finish the current runs, or hand them back. False where
        the database was gone by then: others take over its runs.

        Nothing is finished any more once ``at_once`` is set.
        """
        at_once = at_once or asyncio.Event()
        is_handed_back = True
        if not self.settings.pgbouncer:  # there it takes a direct connection: veridical db upgrade
            await _unless(stop, retry(partial(prepare_engine, self.settings)))
        while not stop.is_set():
            try:
                async with self._context() as context:
                    await _unless(stop, retry(context.lease.take))
                    if context.lease.is_sure:
                        is_handed_back = False
                        await self._serve(context, stop, at_once)
                        is_handed_back = await asyncio.to_thread(_sign_off, context)
            except DATABASE_ERRORS as error:
                if not is_transient(error):
                    raise
                _log.warning("beginning anew: %s", error)
                await asyncio.sleep(LONGEST_WAIT)
        return is_handed_back

    @asynccontextmanager
    async def _context(self) -> AsyncGenerator[WorkerContext]:
        """A lease that can be taken, with all that belongs to it."""
        settings = self.settings
        store = WorkerStore(settings)
        documents = document_store(settings)
        journal = Journal(store, tell_progress=not settings.pgbouncer)
        lease = Lease(store, settings.lease_seconds)
        inbox = Inbox(store, settings.deadlines)
        journal.start()
        try:
            with engine_database(settings) as database:
                yield WorkerContext(
                    self.sessions,
                    inbox,
                    store,
                    database,
                    dbos_client(database),
                    journal,
                    lease,
                    settings.lives,
                    documents,
                )
        finally:
            documents.close()
            await asyncio.to_thread(journal.close)
            store.close()

    async def _serve(
        self, context: WorkerContext, stop: asyncio.Event, at_once: asyncio.Event
    ) -> None:
        """Work under one lease, until it is lost or the worker is to stop."""
        _log.info("worker %s takes runs", context.lease.executor_id)
        loop = asyncio.get_running_loop()
        lost = asyncio.Event()
        maintenance = Maintenance(
            self.settings,
            context.store,
            context.client,
            context.lease,
            context.inbox,
            active=lambda: tuple(context.active),
            cancel=lambda workflow_id: loop.call_soon_threadsafe(_cancel, context, workflow_id),
            lost=lambda: loop.call_soon_threadsafe(lost.set),
        )
        notifier = Notifier(self.settings.notices, context.store)
        parking = Parking(self.settings, context.store)
        maintenance.start()
        notifier.start()
        parking.start()
        try:
            async with _launched(self.settings, context) as dbos:
                await _first_of(stop, lost)
                if not lost.is_set():
                    _take_no_more(dbos)
                    await self._let_finish(context, lost, at_once)
        finally:
            await asyncio.to_thread(parking.stop)
            await asyncio.to_thread(notifier.stop)
            await asyncio.to_thread(maintenance.stop)

    async def _let_finish(
        self, context: WorkerContext, lost: asyncio.Event, at_once: asyncio.Event
    ) -> None:
        """Let current runs finish within their time."""
        hurry = asyncio.ensure_future(at_once.wait())
        try:
            async with asyncio.timeout(self.settings.stop_seconds):
                while context.active and not (lost.is_set() or at_once.is_set()):
                    going_on = (*context.active.values(), hurry)
                    await asyncio.wait(going_on, return_when=asyncio.FIRST_COMPLETED)
        except TimeoutError:
            pass
        finally:
            hurry.cancel()
        if context.active:
            _log.warning("handing back %d unfinished runs", len(context.active))


@asynccontextmanager
async def _launched(settings: RunsSettings, context: WorkerContext) -> AsyncGenerator[DBOS]:
    """DBOS with this worker's workflow, on the running event loop."""
    loop = asyncio.get_running_loop()
    ask_again_soon()
    dbos = DBOS(config=dbos_config(settings, context.lease.executor_id, context.database))
    quiet()
    with ThreadPoolExecutor(1, "dbos-end") as ending:
        try:
            # On the loop's own thread: DBOS then runs the segments in this loop, where models and
            # databases were opened.
            _register(settings, context)
            DBOS.listen_queues([QUEUE])
            await asyncio.to_thread(register_queue, context.client, settings)
            DBOS.launch()
            treat_refused_as_lost(context.database)
            yield dbos
        finally:
            _take_no_more(dbos)
            context.lease.close()
            await _end_segments(context)
            # DBOS has made its own threads the loop's, and they go with it.
            loop.set_default_executor(ThreadPoolExecutor())
            await loop.run_in_executor(ending, partial(DBOS.destroy, destroy_registry=True))
            await _end_segments(context)


def _sign_off(context: WorkerContext) -> bool:
    """Hand back unfinished runs. Without a database, other workers recover them later."""
    store, lease = context.store, context.lease
    context.journal.close()  # it could say later of what is handed back that somebody is at it
    try:
        retry_blocking(partial(hand_back, store, lease.executor_id), _SIGN_OFF_SECONDS)
        retry_blocking(lease.give_back, _SIGN_OFF_SECONDS)
    except DATABASE_ERRORS as error:
        _log.warning("worker %s left without a word: %s", lease.executor_id, error)
        return False
    _log.info("worker %s is gone", lease.executor_id)
    return True


def _register(settings: RunsSettings, context: WorkerContext) -> None:
    async def segment(given: Json) -> str:
        return await run_segment(given, context)

    DBOS.workflow(name=WORKFLOW, max_recovery_attempts=settings.attempts)(segment)


def _take_no_more(dbos: DBOS) -> None:
    """Stop the threads that look for work."""
    for event in dbos.background_thread_stop_events:
        event.set()


async def _end_segments(context: WorkerContext) -> None:
    tasks = tuple(context.active.values())
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=_CANCELLED_SECONDS)


def _cancel(context: WorkerContext, workflow_id: str) -> None:
    task = context.active.get(workflow_id)
    if task is not None:
        task.cancel()


async def _unless(stop: asyncio.Event, waiting: Coroutine[Any, Any, object]) -> None:
    """Wait for this, but not once the worker is to stop."""
    stopped, task = asyncio.ensure_future(stop.wait()), asyncio.ensure_future(waiting)
    try:
        await asyncio.wait((stopped, task), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()
    finally:
        stopped.cancel()
        task.cancel()


async def _first_of(*events: asyncio.Event) -> None:
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in waits:
            each.cancel()


_DOCUMENT_SECONDS = 600
"""Timeout: merging the segments of a large collection takes long."""


class WorkerStore(Store):
    """A worker may be stopped in the middle of a transaction. The database ends it after a
    lease, so that another worker can take over without waiting for its locks."""

    def __init__(self, settings: RunsSettings) -> None:
        super().__init__(
            settings.database_url, connections=settings.connections, pgbouncer=settings.pgbouncer
        )
        idle = f"{round(settings.lease_seconds * 1000)}ms"
        self._limits = {**self._limits, "idle_ms": idle}


def document_store(settings: OwnDatabase) -> Store:
    """The store of documents, on one connection that waits longer than a run's own."""
    return Store(
        settings.database_url,
        connections=1,
        pgbouncer=settings.pgbouncer,
        statement_seconds=_DOCUMENT_SECONDS,
    )
