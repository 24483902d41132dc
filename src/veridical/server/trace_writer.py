"""Traces of what was answered in this process: written in the background, several at once."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import islice

from veridical.contracts.trace import AgentTrace
from veridical.server.metrics import Metrics
from veridical.trace.redact import redact
from veridical.trace.store import StoreError, TraceStore

_MOST_AT_ONCE = 200
_LAST_ATTEMPTS = 3
_LONGEST_PAUSE = 5.0

_log = logging.getLogger("veridical.server")


class TraceWriter:
    """Takes traces without ever making an answer wait.

    While the database is away they are kept here, up to a number; what is more is lost and counted.
    """

    def __init__(self, store: TraceStore, seconds: float, most: int, metrics: Metrics) -> None:
        self._store = store
        self._seconds = seconds
        self._most = most
        self._metrics = metrics
        self._pending: dict[str, AgentTrace] = {}
        self._ending = False
        self._more = asyncio.Event()
        self._wrote = asyncio.Condition()

    def keep(self, trace: AgentTrace) -> None:
        """Have this trace written soon."""
        if len(self._pending) >= self._most:
            self._metrics.lost_traces.inc()
            return
        self._pending[trace.trace_id] = trace
        self._metrics.pending_traces.set(len(self._pending))
        self._more.set()

    async def settled(self, trace_id: str, seconds: float = 2.0) -> None:
        """Wait until a trace that was just made here is written, or for so long."""
        if trace_id not in self._pending:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds), self._wrote:
                await self._wrote.wait_for(lambda: trace_id not in self._pending)

    @asynccontextmanager
    async def at_work(self) -> AsyncGenerator[None]:
        """Writes while the block runs, and what is left at its end."""
        writing = asyncio.create_task(self._write_on())
        try:
            yield
        finally:
            self._ending = True
            self._more.set()
            await writing

    async def _write_on(self) -> None:
        failures = 0
        while not self._ending or (self._pending and failures < _LAST_ATTEMPTS):
            await self._more.wait()
            pause = self._seconds if self._ending else self._seconds * 2**failures
            await asyncio.sleep(min(pause, _LONGEST_PAUSE))
            failures = 0 if await self._write_some() else failures + 1
        if self._pending:
            _log.error("%d traces could not be written before the end", len(self._pending))
            self._metrics.lost_traces.inc(len(self._pending))

    async def _write_some(self) -> bool:
        """Writes the oldest; false when the store did not take them, which is tried again."""
        batch = list(islice(self._pending.values(), _MOST_AT_ONCE))
        try:
            await asyncio.to_thread(_save, self._store, batch)
        except StoreError as error:
            _log.warning("%d traces wait: %s", len(self._pending), error)
            return False
        for trace in batch:
            self._pending.pop(trace.trace_id, None)
        self._metrics.pending_traces.set(len(self._pending))
        if not self._pending and not self._ending:
            self._more.clear()
        async with self._wrote:
            self._wrote.notify_all()
        return True


def _save(store: TraceStore, batch: Sequence[AgentTrace]) -> None:
    for trace in batch:
        cleaned = tuple(redact(event) for event in trace.events)
        store.save(AgentTrace(trace_id=trace.trace_id, events=cleaned))
