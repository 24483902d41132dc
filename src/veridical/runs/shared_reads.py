"""Reads of a run that all who watch it share: hundreds of watchers cost the database one.

Whoever asks while a read goes on waits for the next one, together with all others who do: a read
that began before they asked may have missed what they were told of.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakValueDictionary

from veridical.runs.state import WatchedEvent

News = tuple[list[WatchedEvent], bool]
"""Events of a run, and whether there will be no more."""
ReadNews = Callable[[str, str, int], News]
"""The news of a run of a tenant after an event."""
_Run = tuple[asyncio.AbstractEventLoop, str, str]


@dataclass(eq=False)
class _Wanted:
    """What a read that has not begun is to find."""

    after: int
    """What the furthest behind of those who wait for it has seen."""


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
    """Takes note of an error that nobody waits for any more."""
    if not task.cancelled():
        task.exception()
