"""Event journal of a worker: batches the events of all its runs, one transaction at a time.

While one transaction is under way, what comes in waits for the next one. So a run costs a share of
a transaction and not one for each of its events; the more runs, the smaller the share.

What was written is on disk: a worker that survives a crash of the database does not write it again.
"""

import asyncio
import json
import logging
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from veridical.contracts.answer import Answer
from veridical.contracts.step import Progress
from veridical.contracts.trace import Answered, Event, RunStarted
from veridical.runs.request import RunSegment
from veridical.runs.retry import FIRST_WAIT, LONGEST_WAIT, is_transient
from veridical.runs.rows import Ending, at_work, ended
from veridical.runs.state import RunStatus
from veridical.store.connection import Store
from veridical.trace.batch import Written, notices, written
from veridical.trace.redact import stored_without_secrets

_GATHER_SECONDS = 0.05
"""Seconds that events wait to be batched; the end of a run does not wait."""

_log = logging.getLogger("veridical.runs")


@dataclass(frozen=True, slots=True)
class Entry:
    """Events, progress and outcome of one segment to write."""

    run_id: str
    workflow_id: str
    events: tuple[Written, ...] = ()
    progress: Progress | None = None
    ending: Ending | None = None
    written: Future[None] | None = field(default=None, compare=False)
    """Set when the caller waits until it is written."""


class Journal:
    """Takes entries from any thread and writes them in their order."""

    def __init__(self, store: Store, *, tell_progress: bool = True) -> None:
        self._store = store
        self._tell_progress = tell_progress
        self._entries: list[Entry] = []
        self._changed = threading.Condition()
        self._closing_at: float | None = None
        self._thread = threading.Thread(target=self._write_all, name="journal", daemon=True)

    def start(self) -> None:
        """Start the writer thread."""
        self._thread.start()

    def add(self, entry: Entry) -> None:
        """Queue an entry."""
        if entry.progress is not None and not self._tell_progress:
            return
        with self._changed:
            self._entries.append(entry)
            if entry.written is not None or len(self._entries) == 1:
                self._changed.notify()

    def close(self, seconds: float = 5.0) -> None:
        """Write what is queued, within this time, and stop."""
        with self._changed:
            self._closing_at = time.monotonic() + seconds
            self._changed.notify()
        self._thread.join(seconds + LONGEST_WAIT)

    def _write_all(self) -> None:
        while entries := self._take():
            self._write_surely(entries)

    def _take(self) -> list[Entry]:
        """All that is there, once there is something; nothing when the journal is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._entries or self._closing_at is not None)
            if self._closing_at is None:
                self._changed.wait_for(self._is_urgent, _GATHER_SECONDS)
            taken, self._entries = self._entries, []
        return taken

    def _is_urgent(self) -> bool:
        waited_for = any(entry.written is not None for entry in self._entries)
        return waited_for or self._closing_at is not None

    def _write_surely(self, entries: Sequence[Entry]) -> None:
        """Retry until the database has stored it; a permanent error goes to the waiting caller."""
        wait = FIRST_WAIT
        while True:
            try:
                self._write(entries)
            except Exception as error:
                if not is_transient(error):
                    return self._write_each(entries, error)
                if self._closing_at is not None and time.monotonic() > self._closing_at:
                    return _give_up(entries, error)
                _log.warning("%d entries of runs wait for the database: %s", len(entries), error)
                time.sleep(wait)
                wait = min(wait * 2, LONGEST_WAIT)
            else:
                for waiter in _waiters(entries):
                    waiter.set_result(None)
                return None

    def _write_each(self, entries: Sequence[Entry], error: Exception) -> None:
        """One that the database refuses must not keep the others from being written."""
        if len(entries) == 1:
            _log.error("an entry of run %s can't be written: %s", entries[0].run_id, error)
            return _give_up(entries, error)
        for entry in entries:
            self._write_surely([entry])
        return None

    def _write(self, entries: Sequence[Entry]) -> None:
        events = [event for entry in entries for event in entry.events]
        news = dict.fromkeys(entry.run_id for entry in entries if entry.events or entry.ending)
        in_progress = [entry for entry in entries if entry.progress is not None]
        statements = [
            *written(events),
            *at_work(_begun(entries)),
            *ended(_endings(entries).values()),
            *notices([*news, *map(progress_payload, in_progress)]),
        ]
        if statements:
            self._store.tell(statements)


def _endings(entries: Sequence[Entry]) -> dict[str, Ending]:
    """The first ending of each run: later ones do not count."""
    return {each.run_id: each.ending for each in reversed(entries) if each.ending is not None}


def _give_up(entries: Sequence[Entry], error: Exception) -> None:
    for waiter in _waiters(entries):
        waiter.set_exception(error)


def _waiters(entries: Sequence[Entry]) -> list[Future[None]]:
    """The futures still awaited; those of cancelled segments are not."""
    waiters = [entry.written for entry in entries if entry.written is not None]
    return [each for each in waiters if each.set_running_or_notify_cancel()]


def _begun(entries: Sequence[Entry]) -> list[str]:
    """The segments that have started and not ended."""
    ended = {entry.workflow_id for entry in entries if entry.ending is not None}
    begun = {entry.workflow_id for entry in entries if any(not e.sequence for e in entry.events)}
    return sorted(begun - ended)


def progress_payload(entry: Entry) -> str:
    """The notification that carries progress to a run's watchers."""
    progress = entry.progress and entry.progress.model_dump(mode="json", by_alias=True)
    return json.dumps({"run": entry.run_id, "progress": progress})


class EventPublisher:
    """The events of one segment. A segment that is replayed publishes the same events under the
    same numbers."""

    def __init__(self, journal: Journal, segment: RunSegment) -> None:
        self._journal = journal
        self._segment = segment
        self._count = 0
        self._last: Written | None = None
        self._last_progress: Progress | None = None

    def emit(self, event: Event | Progress) -> None:
        """Publish one event. The last one is held back: it is written together with the outcome."""
        if isinstance(event, Progress):
            self._publish_progress(event)
            return
        written = self._numbered(event)
        if isinstance(event, Answered):
            self._last = written
        else:
            self._journal.add(self._entry(events=(written,)))

    def _publish_progress(self, progress: Progress) -> None:
        """Publish progress, without a model's draft: it has not passed the gate."""
        if progress.stage == "writing":
            progress = progress.model_copy(update={"text": ""})
        if progress != self._last_progress:
            self._last_progress = progress
            self._journal.add(self._entry(progress=progress))

    async def finish(
        self, answer: Answer, status: RunStatus = RunStatus.DONE, error: str | None = None
    ) -> None:
        """Write the outcome; returns once it is stored."""
        events = (self._last,) if self._last is not None else ()
        await self._written(events, Ending(self._segment.run_id, status, answer, error))

    async def fail(self, answer: Answer, error: str, at: float) -> None:
        """Write that the run failed."""
        self._last = self._numbered(Answered(at=at, answer=answer))
        await self.finish(answer, RunStatus.FAILED, error)

    async def flush(self) -> None:
        """Wait until everything published so far is written."""
        await self._written()

    async def _written(
        self, events: tuple[Written, ...] = (), ending: Ending | None = None
    ) -> None:
        done: Future[None] = Future()
        self._journal.add(self._entry(events=events, ending=ending, written=done))
        await asyncio.wrap_future(done)

    def _numbered(self, event: Event) -> Written:
        if isinstance(event, RunStarted):
            event = event.model_copy(update={"tenant": self._segment.tenant})
        sequence, self._count = self._count, self._count + 1
        return Written(self._segment.run_id, sequence, event, stored_without_secrets(event))

    def _entry(
        self,
        *,
        events: tuple[Written, ...] = (),
        progress: Progress | None = None,
        ending: Ending | None = None,
        written: Future[None] | None = None,
    ) -> Entry:
        segment = self._segment
        return Entry(segment.run_id, segment.workflow_id, events, progress, ending, written)
