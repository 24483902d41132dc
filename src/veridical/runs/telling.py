"""What a run tells as it goes: numbered, without secrets, handed to the journal."""

import asyncio
from concurrent.futures import Future

from veridical.contracts.answer import Answer
from veridical.contracts.progress import Progress
from veridical.contracts.trace import Answered, Event, RunStarted
from veridical.runs.journal import Entry, Journal
from veridical.runs.lives import Life
from veridical.runs.rows import Ending
from veridical.runs.state import RunStatus
from veridical.trace.batch import Written
from veridical.trace.redact import stored_without_secrets


class Telling:
    """The events of one life. A life that is played again tells the same under the same numbers."""

    def __init__(self, journal: Journal, life: Life) -> None:
        self._journal = journal
        self._life = life
        self._count = 0
        self._last: Written | None = None
        self._told: Progress | None = None

    def emit(self, event: Event | Progress) -> None:
        """Take one event. The last one is kept back: it is written together with the outcome."""
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
        """Write the outcome down; it is when this returns."""
        events = (self._last,) if self._last is not None else ()
        await self._written(events, Ending(self._life.run_id, status, answer, error))

    async def fail(self, answer: Answer, error: str, at: float) -> None:
        """Write down that the run broke."""
        self._last = self._numbered(Answered(at=at, answer=answer))
        await self.finish(answer, RunStatus.FAILED, error)

    async def flush(self) -> None:
        """Everything that was told is written when this returns."""
        await self._written()

    async def _written(
        self, events: tuple[Written, ...] = (), ending: Ending | None = None
    ) -> None:
        done: Future[None] = Future()
        self._journal.add(self._entry(events=events, ending=ending, written=done))
        await asyncio.wrap_future(done)

    def _numbered(self, event: Event) -> Written:
        if isinstance(event, RunStarted):
            event = event.model_copy(update={"tenant": self._life.tenant})
        sequence, self._count = self._count, self._count + 1
        return Written(self._life.run_id, sequence, event, stored_without_secrets(event))

    def _entry(
        self,
        *,
        events: tuple[Written, ...] = (),
        progress: Progress | None = None,
        ending: Ending | None = None,
        written: Future[None] | None = None,
    ) -> Entry:
        life = self._life
        return Entry(life.run_id, life.workflow_id, events, progress, ending, written)
