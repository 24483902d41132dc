"""Fair semaphore: limits concurrency, round-robin between tenants, each within its share."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


class FairSemaphore:
    """At most so many at once, and per tenant at most its share; waiters are served by tenant in
    turn, not in request order."""

    def __init__(self, most: int, share: int) -> None:
        self._free = most
        self._share = share
        self._held = Counter[str]()
        self._waiting = OrderedDict[str, deque[asyncio.Future[None]]]()

    @asynccontextmanager
    async def slot(self, tenant: str) -> AsyncGenerator[None]:
        """Waits for a slot, and holds it while the block runs."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(tenant, deque()).append(turn)
        self._give()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._end(tenant)
            else:
                self._forget(tenant, turn)
            raise
        try:
            yield
        finally:
            self._end(tenant)

    def _end(self, tenant: str) -> None:
        self._free += 1
        self._held[tenant] -= 1
        if not self._held[tenant]:
            del self._held[tenant]
        self._give()

    def _give(self) -> None:
        """FairSemaphore to those whose tenants have waited longest since their last one."""
        for tenant in tuple(self._waiting):
            if not self._free:
                return
            if self._held[tenant] < self._share:
                self._free -= 1
                self._held[tenant] += 1
                self._waiting[tenant].popleft().set_result(None)
                self._waiting.move_to_end(tenant)
                self._drop_idle(tenant)
        if self._free and any(self._held[each] < self._share for each in self._waiting):
            self._give()

    def _forget(self, tenant: str, turn: asyncio.Future[None]) -> None:
        self._waiting[tenant].remove(turn)
        self._drop_idle(tenant)

    def _drop_idle(self, tenant: str) -> None:
        if not self._waiting[tenant]:
            del self._waiting[tenant]
        if not self._held[tenant]:
            del self._held[tenant]
