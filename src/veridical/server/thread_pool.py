"""Fair thread pool for blocking database work: no tenant takes all threads."""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from threading import Lock
from typing import Any, ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Job = tuple[Future[Any], Callable[[], Any]]

ON_BEHALF_OF: ContextVar[str] = ContextVar("veridical_tenant", default="")
"""The tenant for whom something is done; nobody where it is the server's own business."""
_OWN = 4
"""Threads that no tenant's work takes: for who signs in, for health, for traces."""


class FairThreadPool(ThreadPoolExecutor):
    """A thread pool in which one tenant uses at most its share; the rest waits in the tenant's
    own queue."""

    def __init__(self, most: int, share: int) -> None:
        super().__init__(most + _OWN, "veridical")
        self._free = most
        self._share = min(share, most)
        self._at_work = Counter[str]()
        self._lines = OrderedDict[str, deque[Job]]()
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
            self._lines.setdefault(tenant, deque()).append(job)
            self._admit()
        return job[0]

    def _work(self, tenant: str, job: Job) -> None:
        _do(job)
        with self._changing:
            self._free += 1
            self._at_work[tenant] -= 1
            if not self._at_work[tenant]:
                del self._at_work[tenant]
            try:
                self._admit()
            except RuntimeError:  # closed meanwhile
                for line in self._lines.values():
                    for future, _ in line:
                        future.cancel()
                self._lines.clear()

    def _admit(self) -> None:
        """Those who waited longest since their tenant's last turn, as far as there are threads."""
        for tenant in tuple(self._lines):
            line = self._lines[tenant]
            while line and self._free and self._at_work[tenant] < self._share:
                super().submit(self._work, tenant, line.popleft())
                self._free -= 1
                self._at_work[tenant] += 1
                self._lines.move_to_end(tenant)
            if not line:
                del self._lines[tenant]
            if not self._free:
                return


def _do(job: Job) -> None:
    future, call = job
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(call())
    except BaseException as error:
        future.set_exception(error)
