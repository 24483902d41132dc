"""Traces of the server: written in the background, each tenant's under that tenant's row policy."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import islice

from veridical.contracts.trace import AgentTrace, RunStarted
from veridical.runs.retry import DATABASE_ERRORS, is_transient
from veridical.server.metrics import Metrics
from veridical.store.connection import Store
from veridical.trace.batch import Written, execute_together, written
from veridical.trace.postgres import load_trace, recent_traces
from veridical.trace.redact import all_stored_without_secrets

_MOST_AT_ONCE = 200
_LAST_ATTEMPTS = 3
_LONGEST_PAUSE = 5.0

_log = logging.getLogger("veridical.server")

Save = Callable[[Sequence[AgentTrace]], None]
"""Writes traces down, in a thread."""


class TenantTraces:
    """Traces of all tenants; each call is for one of them, and blocks."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def save(self, traces: Sequence[AgentTrace]) -> None:
        """Write whole runs, without secrets, in one transaction for each tenant."""
        of_tenants: dict[str, list[Written]] = defaultdict(list)
        for trace in traces:
            of_tenants[_tenant(trace)] += _entries(trace)
        for tenant, events in of_tenants.items():
            with self._store.tenant(tenant) as connection:
                execute_together(connection, written(events))

    def load(self, trace_id: str, tenant: str) -> AgentTrace | None:
        """The run, if this tenant has it."""
        with self._store.tenant(tenant) as connection:
            return load_trace(connection, trace_id, tenant)

    def recent(self, limit: int, tenant: str) -> tuple[AgentTrace, ...]:
        """The tenant's runs that started last, the newest first."""
        with self._store.tenant(tenant) as connection:
            return recent_traces(connection, limit, tenant)


def _tenant(trace: AgentTrace) -> str:
    return next(event.tenant for event in trace.events if isinstance(event, RunStarted))


def _entries(trace: AgentTrace) -> list[Written]:
    texts = all_stored_without_secrets(trace.events)
    return [
        Written(trace.trace_id, sequence, event, text)
        for sequence, (event, text) in enumerate(zip(trace.events, texts, strict=True))
    ]


class TraceWriter:
    """Takes traces without delaying answers.

    While the database is unavailable they are buffered, up to a number; beyond that they are
    dropped and counted.
    """

    def __init__(self, save: Save, seconds: float, most: int, metrics: Metrics) -> None:
        self._save = save
        self._seconds = seconds
        self._most = most
        self._metrics = metrics
        self._pending: dict[str, AgentTrace] = {}
        self._ending = False
        self._failed = False
        self._more = asyncio.Event()
        self._wrote = asyncio.Condition()

    @property
    def is_stuck(self) -> bool:
        """Whether traces wait because the last attempt to write them failed."""
        return self._failed and bool(self._pending)

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
            batch = list(islice(self._pending.values(), _MOST_AT_ONCE))
            self._failed = not await self._write(batch)
            failures = failures + 1 if self._failed else 0
        if self._pending:
            _log.error("%d traces could not be written before the end", len(self._pending))
            self._metrics.lost_traces.inc(len(self._pending))

    async def _write(self, batch: list[AgentTrace]) -> bool:
        """Write these; false when the database is away, and they are to be tried again."""
        try:
            await asyncio.to_thread(self._save, batch)
        except DATABASE_ERRORS as error:
            if is_transient(error):
                _log.warning("%d traces wait for the database: %s", len(self._pending), error)
                return False
            return await self._write_each(batch, error)
        await self._done_with(batch)
        return True

    async def _write_each(self, batch: list[AgentTrace], error: Exception) -> bool:
        """One that the database refuses must not keep the others from being written."""
        if len(batch) > 1:
            return all([await self._write([trace]) for trace in batch])
        _log.error("trace %s can't be written: %s", batch[0].trace_id, error)
        self._metrics.lost_traces.inc()
        await self._done_with(batch)
        return True

    async def _done_with(self, batch: list[AgentTrace]) -> None:
        for trace in batch:
            self._pending.pop(trace.trace_id, None)
        self._metrics.pending_traces.set(len(self._pending))
        if not self._pending and not self._ending:
            self._more.clear()
        async with self._wrote:
            self._wrote.notify_all()
