"""Work in processes of their own on behalf of tenants: in turn, each within its share, and ended
when its caller is gone."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Annotated, TypeVar

from fastapi import Depends, Request

from veridical.limited_process.job import STARTED, Job, end_all, stay_behind
from veridical.limited_process.limits import BrokenWorkError, LimitError
from veridical.server.fair_turns import FairSemaphore
from veridical.server.identity import Identity
from veridical.server.limits import ConcurrencyLimit
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.process_pool import PoolLimits

_NICE = 5
"""Niceness: known questions go first, but this work still advances on a busy machine."""
_A_MOMENT = 1.0
Result = TypeVar("Result")


class _Begun:
    """The jobs of one piece of work; once it is ended, so are those that begin too late."""

    def __init__(self) -> None:
        self._jobs: list[Job] = []
        self._is_ended = False

    def add(self, job: Job) -> None:
        """Take in a job that has begun."""
        self._jobs.append(job)
        if self._is_ended:
            job.cancel()

    def end(self) -> None:
        """Cancel the jobs that still run."""
        self._is_ended = True
        for job in self._jobs:
            job.cancel()


class LimitedWork:
    """Runs functions that wait for such a process."""

    def __init__(self, processes: int, limit: ConcurrencyLimit) -> None:
        self._turns = FairSemaphore(processes, PoolLimits(processes).share)
        self._limit = limit
        self._is_over = False

    @asynccontextmanager
    async def at_work(self) -> AsyncGenerator[None]:
        """Runs work while the block runs; at its end all processes are ended."""
        stay_behind(_NICE)
        try:
            yield
        finally:
            await self.end()

    async def end(self) -> None:
        """End all such processes, and begin no more: a server that is stopping waits for none."""
        self._is_over = True
        await asyncio.to_thread(end_all)

    async def run(self, identity: Identity, work: Callable[[], Result]) -> Result:
        """The result of the work. Raises ``ProblemError`` when too many wait or the server stops,
        and what the work raises."""
        begun = _Begun()

        def run() -> Result:
            STARTED.set(begun.add)
            return work()

        with self._limit.slot(identity):
            async with self._turns.slot(identity.tenant):
                try:
                    if self._is_over:
                        raise _closing()
                    return await asyncio.to_thread(run)
                except Exception as error:
                    if self._is_over:
                        raise _closing() from error
                    raise
                finally:
                    begun.end()


def _closing() -> ProblemError:
    return ProblemError(ProblemCode.CLOSING, retry_after=_A_MOMENT)


def as_problem(error: LimitError) -> ProblemError:
    """The problem response for work that went beyond its limits."""
    if isinstance(error, BrokenWorkError):
        return ProblemError(ProblemCode.INTERNAL)
    return ProblemError(ProblemCode.TOO_MUCH_WORK, seconds=f"{error.limits.seconds:g}")


async def limited_work_of(request: Request) -> LimitedWork:
    """The limited work of the application that received this request."""
    return request.app.state.limited_work


LimitedWorkDep = Annotated[LimitedWork, Depends(limited_work_of)]
