"""Heavy work for tenants, each piece in a process of its own: one that exceeds its time or memory
is killed, and none has seen what another one was given."""

import asyncio
import json
import logging
import sys
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from math import inf

from veridical.limited_process.job import ForkServer, Job
from veridical.limited_process.limits import BrokenWorkError, LimitError, Limits
from veridical.server.body_types import written
from veridical.server.fair_turns import FairSemaphore
from veridical.server.problem import ProblemCode, ProblemError, request_faults
from veridical.server.tasks import Outcome, Task, TaskCaller, TaskContext

_TASKS = "veridical.server.tasks"
_LOAD, _READY, _RUN = f"{_TASKS}:load", f"{_TASKS}:ready", f"{_TASKS}:run"
_NICE = 10
"""Niceness: known questions go first."""
_LOADING = Limits(60.0, 1_000, sys.maxsize, 0)
_A_MOMENT = 1.0

_log = logging.getLogger("veridical.process_pool")


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """The number of processes, and the limits of one task."""

    processes: int = 2
    seconds: float = 5.0
    """Time for one task."""
    megabytes: int = 256
    """Memory for one process, beyond what it begins with."""

    @property
    def share(self) -> int:
        """Processes of one tenant at once: with two or more, one is left for other tenants."""
        return max(1, self.processes - 1)


class ProcessPool:
    """Runs heavy tasks for all tenants in turn, outside this process."""

    def __init__(self, context: TaskContext, limits: PoolLimits) -> None:
        self._context = context
        self._limits = limits
        self._turns = FairSemaphore(limits.processes, limits.share)
        self._threads = ThreadPoolExecutor(limits.processes + 2, "process-pool")
        self._loading: asyncio.Task[ForkServer] | None = None
        """The fork server for what begins now; none before and after the pool is at work."""
        self._servers: set[ForkServer] = set()
        self._retiring: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def at_work(self) -> AsyncGenerator[None]:
        """The pool runs while the block does; tasks that are left at its end are killed.

        It takes a while to load, and only tasks wait for that.
        """
        self._loading = asyncio.create_task(self._load())
        try:
            yield
        finally:
            await self.end()
            self._threads.shutdown(wait=False)

    async def replace_context(self, context: TaskContext) -> None:
        """Use this context as soon as it is loaded; running tasks finish with the old one."""
        self._context = context
        if self._loading is None:
            return
        fresh = asyncio.create_task(self._load())
        await asyncio.wait([fresh])
        if self._is_over() or _failed(fresh):
            return
        retiring = asyncio.create_task(self._retire(self._loading))
        self._loading = fresh
        self._retiring.add(retiring)
        retiring.add_done_callback(self._retiring.discard)

    async def end(self) -> None:
        """Kill every process at once; no task runs after that."""
        loading, self._loading = self._loading, None
        await asyncio.gather(*map(self._end, tuple(self._servers)))
        for retiring in self._retiring:
            retiring.cancel()
        await asyncio.gather(*self._retiring, return_exceptions=True)
        if loading is not None:
            await asyncio.gather(loading, return_exceptions=True)

    async def do(
        self, task: Task, tenant: str, asker: TaskCaller, body: bytes, most_seconds: float = inf
    ) -> bytes:
        """The result of a task. Raises ``ProblemError``, also when it takes too long."""
        request = b"\n".join((str(task.value).encode(), written(asker), body))
        async with self._turns.slot(tenant):
            reply = await self._done(request, min(self._limits.seconds, most_seconds))
        outcome, result = Outcome(reply[0]), reply[1:]
        if outcome is Outcome.INVALID:
            faults = request_faults(json.loads(result), asker.language)
            raise ProblemError(ProblemCode.INVALID, faults=faults)
        if outcome is Outcome.UNKNOWN_FEATURE:
            known = ", ".join(sorted(asker.scopes)) or "-"
            raise ProblemError(ProblemCode.FEATURE_NOT_FOUND, known=known)
        return result

    async def _done(self, request: bytes, seconds: float) -> bytes:
        server = await self._server()
        limits = Limits(seconds, self._limits.megabytes, sys.maxsize, 0)
        try:
            job = Job(_RUN, request, limits, server.order)
        except OSError as error:
            raise self._unavailable() from error
        too_much = ProblemError(ProblemCode.TOO_MUCH_WORK, seconds=f"{seconds:g}")
        try:
            return await self._result(job, seconds)
        except TimeoutError as error:
            _log.warning("a piece of work took more than %g s", seconds)
            raise too_much from error
        except BrokenWorkError as error:
            _log.error("a piece of work broke: %s", error.details)
            raise ProblemError(ProblemCode.INTERNAL) from error
        except LimitError as error:
            if self._is_over():
                raise self._unavailable() from error
            _log.warning("a piece of work was ended: %s", error.limit)
            raise too_much from error

    async def _server(self) -> ForkServer:
        """The fork server, once it has loaded what tasks need; a new one where it is gone."""
        loading = self._loading
        if loading is None:
            raise self._unavailable()
        if loading.done() and (_failed(loading) or not loading.result().is_alive):
            _log.warning("the fork server is gone: a new one is started")
            loading = self._loading = asyncio.create_task(self._load())
        try:
            return await asyncio.shield(loading)
        except (OSError, LimitError) as error:
            raise self._unavailable() from error

    async def _load(self) -> ForkServer:
        if self._is_over():
            raise self._unavailable()
        server = ForkServer(_NICE, (_LOAD, self._context.packed()))
        self._servers.add(server)
        try:
            await self._result(Job(_READY, b"", _LOADING, server.order))
        except (OSError, LimitError) as error:
            if not self._is_over():
                _log.warning("no process can be made: %r", error)
            await self._end(server)
            raise
        return server

    async def _retire(self, replaced: asyncio.Task[ForkServer]) -> None:
        await asyncio.wait([replaced])
        await asyncio.sleep(self._limits.seconds)  # nothing that was begun takes longer
        if not _failed(replaced):
            await self._end(replaced.result())

    async def _end(self, server: ForkServer) -> None:
        self._servers.discard(server)
        await asyncio.to_thread(server.end)

    async def _result(self, job: Job, seconds: float | None = None) -> bytes:
        """The result of a job. In a thread of the pool: those of the tenants may all be busy."""
        running = self._threads.submit(job.result)
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.wrap_future(running)
        finally:
            job.cancel()
            if running.cancel():  # it had not begun, and nothing else closes it
                job.close()

    def _is_over(self) -> bool:
        return self._loading is None

    def _unavailable(self) -> ProblemError:
        code = ProblemCode.CLOSING if self._is_over() else ProblemCode.UNAVAILABLE
        return ProblemError(code, retry_after=_A_MOMENT)


def _failed(loading: asyncio.Task[ForkServer]) -> bool:
    return loading.cancelled() or loading.exception() is not None
