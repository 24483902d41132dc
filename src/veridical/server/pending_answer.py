"""A question that is being answered: what comes of it, and its progress meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from veridical.answering.session import Emit
from veridical.contracts.answer import Answer
from veridical.contracts.step import Progress
from veridical.contracts.trace import Event
from veridical.runs.state import RunState

Emitted = Event | Progress
"""An alias made once: nested functions would evaluate the union for every request."""

Outcome = Answer | RunState
"""An answer; or the run that was started because a person must decide first."""
StartAnswer = Callable[[Emit], Awaitable[Outcome]]


class PendingAnswer:
    """A running answer task, and its progress."""

    def __init__(self, answering: StartAnswer) -> None:
        self._news: asyncio.Queue[Progress] = asyncio.Queue()
        self._has_started = asyncio.Event()
        self._seen: Progress | None = None
        self.task = asyncio.ensure_future(answering(self._note))

    def _note(self, event: object) -> None:
        self._has_started.set()
        if not isinstance(event, Progress):
            return
        # A model's draft is not shown: it has not passed the gate.
        shown = event.model_copy(update={"text": ""}) if event.stage == "writing" else event
        if shown != self._seen:
            self._seen = shown
            self._news.put_nowait(shown)

    async def started(self) -> None:
        """Wait until the task has started. Raises what kept it from starting."""
        has_started = asyncio.ensure_future(self._has_started.wait())
        try:
            await asyncio.wait((has_started, self.task), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            await self.stop()
            raise
        finally:
            has_started.cancel()
        if self.task.done() and not self._has_started.is_set():
            self.task.result()

    async def next(self, seconds: float, *until: asyncio.Future[None]) -> Progress | None:
        """The next progress; none when the task or another awaited future is done, or after a
        timeout."""
        news = asyncio.ensure_future(self._news.get())
        ends = (news, self.task, *until)
        try:
            await asyncio.wait(ends, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            return news.result() if news.done() else None
        finally:
            news.cancel()

    async def stop(self) -> None:
        """Cancel the task."""
        self.task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await self.task
