"""Watches runs: one LISTEN connection per process, and the events table for what was missed.

A notification only says that a run has news; what happened is read from the events, from where a
watcher stopped. So nothing is lost when a notification is, or the connection, or the whole database
for a while.
"""

import asyncio
import json
import logging
import threading
from collections import deque
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

import psycopg
from pydantic import ValidationError
from sqlalchemy import make_url, text

from veridical.contracts.progress import Progress
from veridical.contracts.trace import Answered
from veridical.runs.retry import DATABASE_ERRORS, FIRST_WAIT, LONGEST_WAIT, is_transient
from veridical.runs.rows import status_of
from veridical.runs.settings import RunsSettings
from veridical.runs.shared_reads import News, SharedReads
from veridical.runs.state import WatchedEvent
from veridical.store.connection import Store
from veridical.trace.batch import CHANNEL
from veridical.trace.event_json import from_stored

_LOOK_AGAIN_SECONDS = 5.0
"""A watcher looks by itself after this time, whatever it has heard."""
_POLL_SECONDS = 0.5
"""Where nothing can listen."""
_BREATH_SECONDS = 0.5
"""How long a closing process waits for the one who listens."""
_MOST_PROGRESS = 200
"""What a slow watcher misses of it is gone; progress is never kept."""
_NEWS = text("""
    SELECT sequence, event FROM veridical.events
    WHERE trace_id = :run_id AND sequence > :after ORDER BY sequence
""")

_log = logging.getLogger("veridical.runs")


@dataclass(eq=False)
class _Subscriber:
    """One watcher of a run, in the event loop where it waits."""

    loop: asyncio.AbstractEventLoop
    news: asyncio.Event = field(default_factory=asyncio.Event)
    progress: deque[Progress] = field(default_factory=lambda: deque(maxlen=_MOST_PROGRESS))

    def tell(self, progress: Progress | None = None) -> None:
        """Called from the listening thread when something has happened."""
        try:
            self.loop.call_soon_threadsafe(self._told, progress)
        except RuntimeError:
            return  # its loop is closed, and the watcher with it

    def _told(self, progress: Progress | None) -> None:
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
            # The status first: what is told afterwards is not missed by reading the events later.
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
        """Until there are news, or it is time to look."""
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
        """A notice to those whom it concerns."""
        run_id, progress = payload, None
        if payload.startswith("{"):
            try:
                told = json.loads(payload)
                run_id, progress = told["run"], Progress.model_validate(told["progress"])
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
