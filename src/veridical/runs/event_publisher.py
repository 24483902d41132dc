"""Publishes run events: sequenced, redacted, handed to the journal."""

import asyncio
from concurrent.futures import Future

from veridical.contracts.answer import Answer
from veridical.contracts.progress import Progress
from veridical.contracts.trace import Answered, Event, RunStarted
from veridical.runs.journal import Entry, Journal
from veridical.runs.rows import Ending
from veridical.runs.segment import RunSegment
from veridical.runs.state import RunStatus
from veridical.trace.batch import Written
from veridical.trace.redact import stored_without_secrets


class EventPublisher:
    """The events of one segment. A segment that is replayed publishes the same events under the
    same numbers."""

    def __init__(self, journal: Journal, segment: RunSegment) -> None:
        self._journal = journal
        self._segment = segment
        self._count = 0
        self._last: Written | None = None
        self._told: Progress | None = None

    def emit(self, event: Event | Progress) -> None:
        """Publish one event. The last one is held back: it is written together with the outcome."""
        if isinstance(event, Progress):
            self._tell(event)
            return
        written = self._numbered(event)
        if isinstance(event, Answered):
            self._last = written
        else:
            self._journal.add(self._entry(events=(written,)))

    def _tell(self, progress: Progress) -> None:
        """Pass progress on. What a model drafts is nobody's to see: it has not passed the gate."""
        if progress.stage == "writing":
            progress = progress.model_copy(update={"text": ""})
        if progress != self._told:
            self._told = progress
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
