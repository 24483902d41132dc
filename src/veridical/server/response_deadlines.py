"""Response deadlines: a response must start in time, and sooner once the server is stopping."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager

from veridical.server.problem import ProblemCode, ProblemError

OF_GRACE = 0.8
"""Share of a stopping server's grace period in which answers may finish. The rest is for sending
errors."""


class ResponseDeadlines:
    """The deadlines of all requests whose responses have not started."""

    def __init__(self, seconds: float, closing: asyncio.Event, stop_seconds: float) -> None:
        self._seconds = seconds
        self._closing = closing
        self._grace = stop_seconds * OF_GRACE
        self._open: set[asyncio.Timeout] = set()

    @contextmanager
    def track(self) -> Generator[asyncio.Timeout]:
        """The deadline of one request, for it to enter."""
        deadline = asyncio.timeout(self._grace if self._closing.is_set() else self._seconds)
        self._open.add(deadline)
        try:
            yield deadline
        finally:
            self._open.discard(deadline)

    def met(self, deadline: asyncio.Timeout) -> None:
        """The response has started: lift its deadline."""
        self._open.discard(deadline)
        deadline.reschedule(None)

    @property
    def missed(self) -> ProblemError:
        """The error for a response that did not start in time."""
        if self._closing.is_set():
            return ProblemError(ProblemCode.CLOSING, retry_after=1.0)
        return ProblemError(ProblemCode.TIMED_OUT, seconds=f"{self._seconds:g}")

    @asynccontextmanager
    async def at_work(self) -> AsyncGenerator[None]:
        """Shortens all deadlines when the server is asked to stop, while the block runs."""
        looking = asyncio.create_task(self._shorten())
        try:
            yield
        finally:
            looking.cancel()

    async def _shorten(self) -> None:
        await self._closing.wait()
        end = asyncio.get_running_loop().time() + self._grace
        for deadline in self._open:
            if (when := deadline.when()) is None or when > end:
                deadline.reschedule(end)
