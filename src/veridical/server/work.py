"""An answer in the making, for those who watch while they wait."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from veridical.answering.session import Emit
from veridical.contracts.answer import Answer
from veridical.contracts.progress import Progress
from veridical.runs.state import RunState

Outcome = Answer | RunState
"""An answer; or the run that was started because a person must decide first."""
Answering = Callable[[Emit], Awaitable[Outcome]]


class Work:
    """An answer in the making, and what is to be seen of it meanwhile."""

    def __init__(self, answering: Answering) -> None:
        self._news: asyncio.Queue[Progress] = asyncio.Queue()
        self._began = asyncio.Event()
        self._seen: Progress | None = None
        self.task = asyncio.ensure_future(answering(self._note))

    def _note(self, event: object) -> None:
        self._began.set()
        if not isinstance(event, Progress):
            return
        # What a model drafts is nobody's to see: it has not passed the gate.
        shown = event.model_copy(update={"text": ""}) if event.stage == "writing" else event
        if shown != self._seen:
            self._seen = shown
            self._news.put_nowait(shown)

    async def begun(self) -> None:
        """Wait until the work has begun. Raises what kept it from beginning."""
        began = asyncio.ensure_future(self._began.wait())
        try:
            await asyncio.wait((began, self.task), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            await self.stop()
            raise
        finally:
            began.cancel()
        if self.task.done() and not self._began.is_set():
            self.task.result()

    async def next(self, seconds: float, *until: asyncio.Future[None]) -> Progress | None:
        """The next news; none when the work, or what else is waited for, is done, or when there is
        none for so long."""
        news = asyncio.ensure_future(self._news.get())
        ends = (news, self.task, *until)
        try:
            await asyncio.wait(ends, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            return news.result() if news.done() else None
        finally:
            news.cancel()

    async def stop(self) -> None:
        """End it, wherever it is."""
        self.task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await self.task
