"""Process pool for heavy work: a process that exceeds its time or memory is killed and replaced."""

import asyncio
import json
import logging
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from math import inf

from veridical.server.body_types import written
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.process_pool.fair_semaphore import FairSemaphore
from veridical.server.process_pool.forkserver import END, START
from veridical.server.process_pool.forkserver_handle import ForkServer
from veridical.server.process_pool.frame import Outcome
from veridical.server.process_pool.pool_process import PoolProcess
from veridical.server.process_pool.task_context import TaskContext
from veridical.server.process_pool.tasks import Task, TaskCaller
from veridical.server.validation_errors import request_faults

_A_MOMENT = 1.0

_log = logging.getLogger("veridical.process_pool")


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """Size of the pool, and the limits of one task."""

    processes: int = 2
    seconds: float = 5.0
    """For one piece of work."""
    megabytes: int = 256
    """For one process, beyond what it begins with."""

    @property
    def share(self) -> int:
        """Of one tenant at once: there is always a process for another one, where there are two."""
        return max(1, self.processes - 1)


class ProcessPool:
    """Runs heavy tasks for all tenants in turn, outside this process."""

    def __init__(self, context: TaskContext, limits: PoolLimits) -> None:
        self._context = context
        self._limits = limits
        self._semaphore = FairSemaphore(limits.processes, limits.share)
        self._idle: list[PoolProcess] = []
        self._forkserver: ForkServer | None = None
        self._one_at_a_time = asyncio.Lock()
        self._retiring: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def at_work(self) -> AsyncGenerator[None]:
        """The pool runs while the block does; tasks that are left at its end are killed.

        It takes a while to load, and only tasks wait for that.
        """
        self._forkserver = self._new_forkserver()
        loading = asyncio.create_task(self._fill())
        try:
            yield
        finally:
            loading.cancel()
            with suppress(asyncio.CancelledError):
                await loading
            await self.end()

    async def replace_context(self, context: TaskContext) -> None:
        """Use this context as soon as it is loaded; running tasks finish with the old one."""
        self._context = context
        if self._forkserver is None:
            return
        fresh, processes = self._new_forkserver(), list[PoolProcess]()
        try:
            while len(processes) < self._limits.processes:
                processes.append(await self._forked_by(fresh))
        except (OSError, TimeoutError) as error:
            self._note_failure(error)
        if self._is_over():  # meanwhile: nobody would end the new one
            await fresh.end()
            return
        replaced, self._forkserver = self._forkserver, fresh
        idle, self._idle = self._idle, processes
        for process in idle:
            await process.close()
        retiring = asyncio.create_task(self._retire(replaced))
        self._retiring.add(retiring)
        retiring.add_done_callback(self._retiring.discard)

    def _is_over(self) -> bool:
        return self._forkserver is None

    async def _retire(self, replaced: ForkServer) -> None:
        try:
            await asyncio.sleep(self._limits.seconds)  # nothing that was begun takes longer
        finally:
            await replaced.end()

    async def end(self) -> None:
        """Kill every process at once; no task runs after that."""
        forkserver, self._forkserver = self._forkserver, None
        for retiring in self._retiring:
            retiring.cancel()
        await asyncio.gather(*self._retiring, return_exceptions=True)
        if forkserver is not None:
            await forkserver.end()
        for process in self._idle:
            await process.close()
        self._idle.clear()

    async def do(
        self, task: Task, tenant: str, asker: TaskCaller, body: bytes, most_seconds: float = inf
    ) -> bytes:
        """The result of a task. Raises ``ProblemError``, also when it takes too long."""
        request = b"\n".join((written(asker), body))
        seconds = min(self._limits.seconds, most_seconds)
        async with self._semaphore.slot(tenant):
            outcome, told = await self._done(task, request, seconds)
        if outcome is Outcome.INVALID:
            faults = request_faults(json.loads(told), asker.language)
            raise ProblemError(ProblemCode.INVALID, faults=faults)
        if outcome is Outcome.UNKNOWN_FEATURE:
            known = ", ".join(sorted(asker.scopes)) or "-"
            raise ProblemError(ProblemCode.FEATURE_NOT_FOUND, known=known)
        if outcome is Outcome.TOO_LARGE:
            raise _too_much(seconds)
        if outcome is Outcome.BROKE:
            raise ProblemError(ProblemCode.INTERNAL)
        return told

    async def _done(self, task: Task, request: bytes, seconds: float) -> tuple[Outcome, bytes]:
        process = await self._process()
        try:
            async with asyncio.timeout(seconds):
                return await process.do(task, request)
        except TimeoutError as error:
            _log.warning("a piece of work took more than %g s", seconds)
            raise _too_much(seconds) from error
        except (EOFError, OSError) as error:
            if self._forkserver is None:
                raise ProblemError(ProblemCode.CLOSING, retry_after=_A_MOMENT) from error
            _log.warning("a process ended in the middle of its work")
            raise _too_much(seconds) from error
        finally:
            await asyncio.shield(self._put_back(process))

    async def _process(self) -> PoolProcess:
        try:
            return self._idle.pop() if self._idle else await self._new_process()
        except (OSError, TimeoutError) as error:
            self._note_failure(error)
            code = ProblemCode.CLOSING if self._is_over() else ProblemCode.UNAVAILABLE
            raise ProblemError(code, retry_after=_A_MOMENT) from error

    async def _fill(self) -> None:
        try:
            while len(self._idle) < self._limits.processes and not self._is_over():
                self._idle.append(await self._new_process())
        except (OSError, TimeoutError) as error:
            self._note_failure(error)

    def _note_failure(self, error: OSError | TimeoutError) -> None:
        """Nothing is wrong where the pool was ended while it still loaded."""
        if not self._is_over():
            _log.warning("no process can be made: %r", error)

    async def _put_back(self, process: PoolProcess) -> None:
        is_current = process.forkserver is self._forkserver
        if is_current and not process.is_spent and len(self._idle) < self._limits.processes:
            self._idle.append(process)
            return
        await process.close()
        if self._forkserver is not None:
            with suppress(OSError):  # what is gone has ended all that it made
                await process.forkserver.order(END, process.number)

    def _new_forkserver(self) -> ForkServer:
        return ForkServer(self._context, self._limits.seconds, self._limits.megabytes)

    async def _new_process(self) -> PoolProcess:
        async with self._one_at_a_time:
            forkserver = self._forkserver
            if forkserver is None:
                raise ProblemError(ProblemCode.CLOSING, retry_after=_A_MOMENT)
            if not forkserver.is_alive:
                _log.warning("the fork server is gone: a new one is started")
                gone, forkserver = forkserver, self._new_forkserver()
                self._forkserver = forkserver  # before anything waits, so that it is ended with all
                await gone.end()
        return await self._forked_by(forkserver)

    @staticmethod
    async def _forked_by(forkserver: ForkServer) -> PoolProcess:
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                number = await forkserver.order(START, 0, theirs)
            return await PoolProcess.at(ours, number, forkserver)
        except BaseException:
            ours.close()
            raise


def _too_much(seconds: float) -> ProblemError:
    return ProblemError(ProblemCode.TOO_MUCH_WORK, seconds=f"{seconds:g}")
