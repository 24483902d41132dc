"""Turns that tenants take: a number at once, each tenant within its share, and round the tenants
instead of in the order of requests. As a semaphore for coroutines, and as a pool of threads."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncGenerator, Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar

Item = TypeVar("Item")
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Job = tuple[Future[Any], Callable[[], Any]]

ON_BEHALF_OF: ContextVar[str] = ContextVar("veridical_tenant", default="")
"""The tenant of the current work; empty for the server's own work."""
_OWN = 4
"""Threads that no tenant's work takes: for sign-in, health checks and traces."""


class _Turns(Generic[Item]):
    """The waiting items, and the number of turns of each tenant."""

    def __init__(self, most: int, share: int) -> None:
        self._free = most
        self._share = min(share, most)
        self._taken = Counter[str]()
        self._waiting = OrderedDict[str, deque[Item]]()

    def wait(self, tenant: str, item: Item) -> None:
        """Add a waiting item of this tenant."""
        self._waiting.setdefault(tenant, deque()).append(item)

    def given(self) -> Generator[tuple[str, Item]]:
        """The items whose turn it is, first of the tenant whose last turn is the longest ago."""
        while self._free and (tenant := self._next()) is not None:
            item = self._waiting[tenant].popleft()
            self._waiting.move_to_end(tenant)
            self._drop_empty(tenant)
            self._free -= 1
            self._taken[tenant] += 1
            yield tenant, item

    def end(self, tenant: str) -> None:
        """End a turn of this tenant."""
        self._free += 1
        self._taken[tenant] -= 1
        if not self._taken[tenant]:
            del self._taken[tenant]

    def forget(self, tenant: str, item: Item) -> None:
        """Remove a waiting item."""
        self._waiting[tenant].remove(item)
        self._drop_empty(tenant)

    def clear(self) -> list[Item]:
        """Remove and return all waiting items."""
        left = [item for line in self._waiting.values() for item in line]
        self._waiting.clear()
        return left

    def _next(self) -> str | None:
        return next((each for each in self._waiting if self._taken[each] < self._share), None)

    def _drop_empty(self, tenant: str) -> None:
        if not self._waiting[tenant]:
            del self._waiting[tenant]


class FairSemaphore:
    """Turns of coroutines, in one event loop."""

    def __init__(self, most: int, share: int) -> None:
        self._turns = _Turns[asyncio.Future[None]](most, share)

    @asynccontextmanager
    async def slot(self, tenant: str) -> AsyncGenerator[None]:
        """Waits for a turn, and has it while the block runs."""
        turn = asyncio.get_running_loop().create_future()
        self._turns.wait(tenant, turn)
        self._give()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._turns.forget(tenant, turn)
            else:
                self._end(tenant)
            raise
        try:
            yield
        finally:
            self._end(tenant)

    def _end(self, tenant: str) -> None:
        self._turns.end(tenant)
        self._give()

    def _give(self) -> None:
        for _, turn in self._turns.given():
            turn.set_result(None)


class FairThreadPool(ThreadPoolExecutor):
    """Threads for blocking work, such as that of databases: no tenant takes all of them."""

    def __init__(self, most: int, share: int) -> None:
        super().__init__(most + _OWN, "veridical")
        self._turns = _Turns[Job](most, share)
        self._changing = Lock()

    def submit(
        self,
        fn: Callable[Parameters, Result],
        /,
        *args: Parameters.args,
        **kwargs: Parameters.kwargs,
    ) -> Future[Result]:
        """Run it in a thread, for the tenant of the current context."""
        tenant = ON_BEHALF_OF.get()
        if not tenant:
            return super().submit(fn, *args, **kwargs)
        job: tuple[Future[Result], Callable[[], Result]] = (Future(), lambda: fn(*args, **kwargs))
        with self._changing:
            self._turns.wait(tenant, job)
            self._give()
        return job[0]

    def _work(self, tenant: str, job: Job) -> None:
        _do(job)
        with self._changing, suppress(RuntimeError):
            self._turns.end(tenant)
            self._give()

    def _give(self) -> None:
        for tenant, job in self._turns.given():
            try:
                super().submit(self._work, tenant, job)
            except RuntimeError:  # closed meanwhile
                for future, _ in (job, *self._turns.clear()):
                    future.cancel()
                raise


def _do(job: Job) -> None:
    future, call = job
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(call())
    except BaseException as error:
        future.set_exception(error)
