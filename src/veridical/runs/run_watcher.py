"""Watches runs: one LISTEN connection per process, and the events table for what was missed.

A notification only says that a run has news; what happened is read from the events, from where a
watcher stopped. So nothing is lost when a notification is, or the connection, or the whole database
for a while. Those who watch one run share its reads: hundreds of them cost the database one.
"""

import asyncio
import json
import logging
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

import psycopg
from pydantic import ValidationError
from sqlalchemy import make_url, text

from veridical.contracts.step import Progress
from veridical.contracts.trace import Answered
from veridical.runs.retry import DATABASE_ERRORS, FIRST_WAIT, LONGEST_WAIT, is_transient
from veridical.runs.rows import status_of
from veridical.runs.settings import RunsSettings
from veridical.runs.state import WatchedEvent
from veridical.store.connection import Store
from veridical.trace.batch import CHANNEL
from veridical.trace.event_json import from_stored

News = tuple[list[WatchedEvent], bool]
"""Events of a run, and whether there will be no more."""
ReadNews = Callable[[str, str, int], News]
"""The news of a run of a tenant after an event."""
_Run = tuple[asyncio.AbstractEventLoop, str, str]
_LOOK_AGAIN_SECONDS = 5.0
"""Seconds after which a watcher polls, with or without a notification."""
_POLL_SECONDS = 0.5
"""Poll interval where LISTEN is not possible."""
_BREATH_SECONDS = 0.5
"""Seconds that a closing process waits for its listening thread."""
_MOST_PROGRESS = 200
"""Most progress kept for a slow watcher; older progress is dropped."""
_NEWS = text("""
    SELECT sequence, event FROM veridical.events
    WHERE trace_id = :run_id AND sequence > :after ORDER BY sequence
""")

_log = logging.getLogger("veridical.runs")


@dataclass(eq=False)
class _Wanted:
    """A read that has not begun."""

    after: int
    """The last event seen by the watcher that is furthest behind."""


class SharedReads:
    """The reads of one process: at most one of a run goes on, and one more is waited for."""

    def __init__(self, read: ReadNews) -> None:
        self._read = read
        self._next: dict[_Run, tuple[_Wanted, asyncio.Task[News]]] = {}
        self._going_on: WeakValueDictionary[_Run, asyncio.Lock] = WeakValueDictionary()

    async def news(self, run_id: str, tenant: str, after: int) -> News:
        """The news after an event, of a read that begins now or later. Raises what it raises."""
        run = (asyncio.get_running_loop(), run_id, tenant)
        if run not in self._next:
            wanted = _Wanted(after)
            task = asyncio.create_task(self._begun(run, wanted))
            task.add_done_callback(_noted)
            self._next[run] = wanted, task
        wanted, task = self._next[run]
        wanted.after = min(wanted.after, after)
        found, ended = await asyncio.shield(task)  # the others wait for it too
        return [each for each in found if each.sequence is None or each.sequence > after], ended

    async def _begun(self, run: _Run, wanted: _Wanted) -> News:
        _, run_id, tenant = run
        lock = self._going_on.setdefault(run, asyncio.Lock())
        try:
            await lock.acquire()
        finally:
            del self._next[run]  # who asks from now on waits for the next one
        try:
            return await asyncio.to_thread(self._read, run_id, tenant, wanted.after)
        finally:
            lock.release()


def _noted(task: asyncio.Task[News]) -> None:
    """Retrieve the error of a task that is no longer awaited."""
    if not task.cancelled():
        task.exception()


@dataclass(eq=False)
class _Subscriber:
    """One watcher of a run, in the event loop where it waits."""

    loop: asyncio.AbstractEventLoop
    news: asyncio.Event = field(default_factory=asyncio.Event)
    progress: deque[Progress] = field(default_factory=lambda: deque(maxlen=_MOST_PROGRESS))

    def tell(self, progress: Progress | None = None) -> None:
        """Called from the listening thread when something has happened."""
        try:
            self.loop.call_soon_threadsafe(self._add, progress)
        except RuntimeError:
            return  # its loop is closed, and the watcher with it

    def _add(self, progress: Progress | None) -> None:
        if progress is not None:
            self.progress.append(progress)
        self.news.set()


class RunWatcher:
    """The watchers of one process. Starts to listen with the first one."""

    def __init__(self, settings: RunsSettings, store: Store) -> None:
        self._url = settings.database_url
        self._listens = not settings.pgbouncer
        self._store = store
        self._reads = SharedReads(self._news)
        self._watchers: dict[str, set[_Subscriber]] = {}
        self._changing = threading.Lock()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    async def watch(
        self, run_id: str, tenant: str, after: int = -1
    ) -> AsyncGenerator[WatchedEvent]:
        """A run's events after this one to the last; none of a run that this tenant does not
        have."""
        with self._watching(run_id) as watcher:
            while not self._closed.is_set():
                watcher.news.clear()
                news, ended = await self._read(run_id, tenant, after)
                for each in news:
                    yield each
                    after = each.sequence if each.sequence is not None else after
                if ended:
                    return
                await self._wait(watcher)
                while watcher.progress:
                    yield WatchedEvent(sequence=None, event=watcher.progress.popleft())

    def close(self) -> None:
        """End all watchers."""
        self._closed.set()
        self._tell_everybody()
        if self._thread is not None:
            self._thread.join(LONGEST_WAIT)

    async def _read(self, run_id: str, tenant: str, after: int) -> News:
        """The news, and whether there will be no more; none for now while the database is away."""
        try:
            return await self._reads.news(run_id, tenant, after)
        except DATABASE_ERRORS as error:
            if not is_transient(error):
                raise
            await asyncio.sleep(FIRST_WAIT)
            return [], False

    def _news(self, run_id: str, tenant: str, after: int) -> News:
        with self._store.tenant(tenant) as connection:
            # The status first: events that come afterwards are found by the later read.
            status = status_of(connection, run_id, tenant)
            if status is None:
                return [], True
            rows = connection.execute(_NEWS, {"run_id": run_id, "after": after}).all()
        news: list[WatchedEvent] = []
        for sequence, event in rows:
            try:
                news.append(WatchedEvent(sequence=sequence, event=from_stored(event)))
            except ValidationError:
                _log.warning("left out an unreadable event at %s:%d", run_id, sequence)
        answered = any(isinstance(each.event, Answered) for each in news)
        return news, answered or status.is_final

    async def _wait(self, watcher: _Subscriber) -> None:
        """Wait until there is news or it is time to poll."""
        look_again = _LOOK_AGAIN_SECONDS if self._listens else _POLL_SECONDS
        try:
            async with asyncio.timeout(look_again):
                await watcher.news.wait()
        except TimeoutError:
            return

    @contextmanager
    def _watching(self, run_id: str) -> Generator[_Subscriber]:
        watcher = _Subscriber(asyncio.get_running_loop())
        with self._changing:
            self._watchers.setdefault(run_id, set()).add(watcher)
            if self._listens and self._thread is None:
                self._thread = threading.Thread(target=self._listen, name="watching", daemon=True)
                self._thread.start()
        try:
            yield watcher
        finally:
            with self._changing:
                self._watchers[run_id].discard(watcher)
                if not self._watchers[run_id]:
                    del self._watchers[run_id]

    def _listen(self) -> None:
        """Listens until closed. When the connection is new, everybody looks for what was missed."""
        wait = FIRST_WAIT
        while not self._closed.is_set():
            try:
                with self._listening() as connection:
                    wait = FIRST_WAIT
                    self._tell_everybody()
                    while not self._closed.is_set():
                        for notice in connection.notifies(timeout=_BREATH_SECONDS):
                            self._pass_on(notice.payload)
            except psycopg.Error as error:
                if not self._closed.is_set():
                    _log.warning("listening again in %.1f s: %s", wait, type(error).__name__)
            self._closed.wait(wait)
            wait = min(wait * 2, LONGEST_WAIT)

    @contextmanager
    def _listening(self) -> Generator["psycopg.Connection[tuple[object, ...]]"]:
        url = make_url(self._url).set(drivername="postgresql")
        address = url.render_as_string(hide_password=False)
        with psycopg.connect(address, autocommit=True, application_name="veridical") as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            yield connection

    def _pass_on(self, payload: str) -> None:
        """Pass a notification on to the watchers of its run."""
        run_id, progress = payload, None
        if payload.startswith("{"):
            try:
                notice = json.loads(payload)
                run_id, progress = notice["run"], Progress.model_validate(notice["progress"])
            except (ValueError, KeyError):
                return
        with self._changing:
            concerned = tuple(self._watchers.get(run_id, ()))
        for watcher in concerned:
            watcher.tell(progress)

    def _tell_everybody(self) -> None:
        with self._changing:
            everybody = [each for watchers in self._watchers.values() for each in watchers]
        for watcher in everybody:
            watcher.tell()
