"""A worker: takes runs from the queue and lives their lives, until it is asked to stop.

It may be killed at any moment: others take over what it had. When it was away for so long that
others have taken over, it begins anew under another id.
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
    QUEUE,
    WORKFLOW,
    dbos_client,
    dbos_config,
    prepare_engine,
    quiet,
    register_queue,
)
from veridical.runs.inbox import Inbox
from veridical.runs.journal import Journal
from veridical.runs.lease import Lease
from veridical.runs.patience import (
    DATABASE_ERRORS,
    LONGEST_WAIT,
    insist,
    insist_here,
    is_passing,
    let_wait,
)
from veridical.runs.reaper import hand_back
from veridical.runs.settings import RunsSettings
from veridical.runs.steward import Steward
from veridical.runs.worker_store import WorkerStore
from veridical.runs.workflow import Sessions, Workplace, live

_SIGN_OFF_SECONDS = 5.0
_CANCELLED_SECONDS = 5.0
"""How long a life that was told to stop may take to do so."""

_log = logging.getLogger("veridical.runs")


@dataclass(frozen=True)
class Worker:
    """What a worker works with."""

    settings: RunsSettings
    sessions: Sessions

    async def work(self, stop: asyncio.Event, at_once: asyncio.Event | None = None) -> None:
        """Work until asked to stop; then finish what goes on, or hand it back.

        Nothing is finished any more from when it shall end ``at_once``.
        """
        at_once = at_once or asyncio.Event()
        if not self.settings.pgbouncer:  # there it takes a direct connection: veridical db upgrade
            await _unless(stop, insist(partial(prepare_engine, self.settings)))
        while not stop.is_set():
            try:
                async with self._workplace() as workplace:
                    await _unless(stop, insist(workplace.lease.take))
                    if workplace.lease.is_sure:
                        await self._serve(workplace, stop, at_once)
                        await asyncio.to_thread(_sign_off, workplace)
            except DATABASE_ERRORS as error:
                if not is_passing(error):
                    raise
                _log.warning("beginning anew: %s", error)
                await asyncio.sleep(LONGEST_WAIT)

    @asynccontextmanager
    async def _workplace(self) -> AsyncGenerator[Workplace]:
        """A lease that can be taken, with all that belongs to it."""
        settings = self.settings
        store = WorkerStore(settings)
        journal = Journal(store, tell_progress=not settings.pgbouncer)
        lease = Lease(store, settings.lease_seconds)
        client = dbos_client(settings)
        inbox = Inbox(store, settings.deadlines)
        journal.start()
        try:
            yield Workplace(self.sessions, inbox, store, client, journal, lease, settings.lives)
        finally:
            await asyncio.to_thread(journal.close)
            client.destroy()
            store.close()

    async def _serve(
        self, workplace: Workplace, stop: asyncio.Event, at_once: asyncio.Event
    ) -> None:
        """Work under one lease, until it is lost or the worker is to stop."""
        _log.info("worker %s takes runs", workplace.lease.executor_id)
        loop = asyncio.get_running_loop()
        lost = asyncio.Event()
        steward = Steward(
            self.settings,
            workplace.store,
            workplace.lease,
            workplace.inbox,
            active=lambda: tuple(workplace.active),
            cancel=lambda workflow_id: loop.call_soon_threadsafe(_cancel, workplace, workflow_id),
            lost=lambda: loop.call_soon_threadsafe(lost.set),
        )
        steward.start()
        try:
            async with _launched(self.settings, workplace) as dbos:
                await _first_of(stop, lost)
                if not lost.is_set():
                    _take_no_more(dbos)
                    await self._let_finish(workplace, lost, at_once)
        finally:
            await asyncio.to_thread(steward.stop)

    async def _let_finish(
        self, workplace: Workplace, lost: asyncio.Event, at_once: asyncio.Event
    ) -> None:
        """Give what goes on its time."""
        hurry = asyncio.ensure_future(at_once.wait())
        try:
            async with asyncio.timeout(self.settings.stop_seconds):
                while workplace.active and not (lost.is_set() or at_once.is_set()):
                    going_on = (*workplace.active.values(), hurry)
                    await asyncio.wait(going_on, return_when=asyncio.FIRST_COMPLETED)
        except TimeoutError:
            pass
        finally:
            hurry.cancel()
        if workplace.active:
            _log.warning("handing back %d unfinished runs", len(workplace.active))


@asynccontextmanager
async def _launched(settings: RunsSettings, workplace: Workplace) -> AsyncGenerator[DBOS]:
    """DBOS with this worker's lives, on the running event loop."""
    loop = asyncio.get_running_loop()
    dbos = DBOS(config=dbos_config(settings, workplace.lease.executor_id))
    quiet()
    with ThreadPoolExecutor(1, "dbos-end") as ending:
        try:
            # On the loop's own thread: DBOS then lives the lives in this loop, where models and
            # databases were opened.
            _register(settings, workplace)
            DBOS.listen_queues([QUEUE])
            await asyncio.to_thread(register_queue, workplace.client, settings)
            DBOS.launch()
            let_wait(dbos._sys_db.engine)  # pyright: ignore[reportPrivateUsage]
            yield dbos
        finally:
            _take_no_more(dbos)
            workplace.lease.close()
            await _end_lives(workplace)
            # DBOS has made its own threads the loop's, and they go with it.
            loop.set_default_executor(ThreadPoolExecutor())
            await loop.run_in_executor(ending, partial(DBOS.destroy, destroy_registry=True))
            await _end_lives(workplace)


def _sign_off(workplace: Workplace) -> None:
    """Hand back what is not done. Without a database, others will find out by themselves."""
    store, lease = workplace.store, workplace.lease
    workplace.journal.close()  # it could say later of what is handed back that somebody is at it
    try:
        insist_here(partial(hand_back, store, lease.executor_id), _SIGN_OFF_SECONDS)
        insist_here(lease.give_back, _SIGN_OFF_SECONDS)
    except DATABASE_ERRORS as error:
        _log.warning("worker %s left without a word: %s", lease.executor_id, error)
    else:
        _log.info("worker %s is gone", lease.executor_id)


def _register(settings: RunsSettings, workplace: Workplace) -> None:
    async def life(given: Json) -> str:
        return await live(given, workplace)

    DBOS.workflow(name=WORKFLOW, max_recovery_attempts=settings.attempts)(life)


def _take_no_more(dbos: DBOS) -> None:
    """Stop the threads that look for work."""
    for event in dbos.background_thread_stop_events:
        event.set()


async def _end_lives(workplace: Workplace) -> None:
    tasks = tuple(workplace.active.values())
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=_CANCELLED_SECONDS)


def _cancel(workplace: Workplace, workflow_id: str) -> None:
    task = workplace.active.get(workflow_id)
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
