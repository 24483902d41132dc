"""Threads for what waits for a database: a tenant that has many at work leaves some for others."""

from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from threading import Lock
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Made = TypeVar("Made")
Job = tuple[Future[Any], Callable[[], Any]]

ON_BEHALF_OF: ContextVar[str] = ContextVar("veridical_tenant", default="")
"""The tenant for whom something is done; nobody where it is the server's own business."""


class FairThreads(ThreadPoolExecutor):
    """Threads, of which one tenant has at most its share; what is more waits in its own line."""

    def __init__(self, most: int, share: int) -> None:
        super().__init__(most, "veridical")
        self._share = min(share, most)
        self._at_work = Counter[str]()
        self._lines: dict[str, deque[Job]] = {}
        self._changing = Lock()

    def submit(
        self, fn: Callable[Given, Made], /, *args: Given.args, **kwargs: Given.kwargs
    ) -> Future[Made]:
        """Have it done in a thread, on behalf of the tenant in whose context this is called."""
        tenant = ON_BEHALF_OF.get()
        if not tenant:
            return super().submit(fn, *args, **kwargs)
        job: tuple[Future[Made], Callable[[], Made]] = (Future(), lambda: fn(*args, **kwargs))
        with self._changing:
            if self._at_work[tenant] >= self._share:
                self._lines.setdefault(tenant, deque()).append(job)
                return job[0]
            self._at_work[tenant] += 1
        super().submit(self._work, tenant, job)
        return job[0]

    def _work(self, tenant: str, job: Job) -> None:
        _do(job)
        after = self._next(tenant)
        if after is None:
            return
        try:
            # Not in this thread at once: others may have waited for one.
            super().submit(self._work, tenant, after)
        except RuntimeError:  # closed meanwhile
            while after is not None:
                after[0].cancel()
                after = self._next(tenant)

    def _next(self, tenant: str) -> Job | None:
        """What waits in this tenant's line; none frees its thread."""
        with self._changing:
            line = self._lines.get(tenant)
            if line:
                return line.popleft()
            self._lines.pop(tenant, None)
            self._at_work[tenant] -= 1
            if not self._at_work[tenant]:
                del self._at_work[tenant]
            return None


def _do(job: Job) -> None:
    future, call = job
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(call())
    except BaseException as error:
        future.set_exception(error)
