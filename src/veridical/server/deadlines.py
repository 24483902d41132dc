"""Until when responses must begin: in their time, and sooner once the server is asked to stop."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager

from veridical.server.problem import ProblemCode, ProblemError

OF_GRACE = 0.8
"""Of the time that a stopping server lets its requests finish, what is left for answers. The rest
is for telling that there will be none."""


class Deadlines:
    """The deadlines of all requests whose responses have not begun."""

    def __init__(self, seconds: float, closing: asyncio.Event, stop_seconds: float) -> None:
        self._seconds = seconds
        self._closing = closing
        self._grace = stop_seconds * OF_GRACE
        self._open: set[asyncio.Timeout] = set()

    @contextmanager
    def one(self) -> Generator[asyncio.Timeout]:
        """A deadline for one request, to be entered by it."""
        deadline = asyncio.timeout(self._grace if self._closing.is_set() else self._seconds)
        self._open.add(deadline)
        try:
            yield deadline
        finally:
            self._open.discard(deadline)

    def met(self, deadline: asyncio.Timeout) -> None:
        """The response has begun; it may take as long as it likes."""
        self._open.discard(deadline)
        deadline.reschedule(None)

    @property
    def missed(self) -> ProblemError:
        """What to say to whoever waited in vain."""
        if self._closing.is_set():
            return ProblemError(ProblemCode.CLOSING, retry_after=1.0)
        return ProblemError(ProblemCode.TIMED_OUT, seconds=f"{self._seconds:g}")

    @asynccontextmanager
    async def at_work(self) -> AsyncGenerator[None]:
        """Looks, while the block runs, whether the server is asked to stop."""
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
