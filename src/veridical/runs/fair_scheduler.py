"""Fair scheduler of a worker: tenants share its time, so that one with many runs does not starve
the others.

The segments of a worker share one processor. More of them than it can serve slow each other down,
and the poll for new runs as well. So only a few take a step at the same time, and a slot goes to
the tenant that used the worker least recently.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

_AT_ONCE = 2
"""Slots at once: while one segment waits for the database, the other has the processor."""
_LONGEST = 0.03
"""Seconds after which a turn ends by itself: it waits for something else than the processor, such
as a model, and blocks no other segment."""
_AHEAD = 0.1
"""A tenant that recently used this many seconds more than another waits for that one."""
_HALF_LIFE = 1.0
"""Seconds after which half of a tenant's use is forgotten."""

_NOTHING = 0.001
"""Recent use in seconds that counts as none."""


@dataclass(eq=False)
class Slot:
    """Permission to run on the worker, for a short time."""

    tenant: str
    began: float
    is_over: bool = False


class FairScheduler:
    """The slots in use and the waiting tenants. Belongs to one event loop."""

    def __init__(self) -> None:
        self._under_way: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[Slot]]] = {}
        self._had: dict[str, tuple[float, float]] = {}
        """Recently used seconds and their time, by tenant."""

    @contextmanager
    def participant(self, tenant: str) -> Generator["Participant"]:
        """A segment of this tenant takes part while the block runs."""
        part = Participant(self, tenant)
        try:
            yield part
        finally:
            part.rest()

    def queue_up(self, tenant: str) -> "asyncio.Future[Slot]":
        """A future slot."""
        coming: asyncio.Future[Slot] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(tenant, deque()).append(coming)
        return coming

    def end(self, turn: Slot) -> None:
        """Release a slot."""
        if turn.is_over:
            return
        turn.is_over = True
        now = time.monotonic()
        self._had[turn.tenant] = self._lately(turn.tenant, now) + now - turn.began, now
        self._forget(now)
        self._under_way[turn.tenant] -= 1
        self._under_way += Counter()  # drops tenants without slots
        self.pass_on()

    def pass_on(self) -> None:
        """Assign free slots to waiting tenants."""
        while self._waiting and self._under_way.total() < _AT_ONCE:
            now = time.monotonic()
            had = {each: self._lately(each, now) for each in (*self._waiting, *self._under_way)}
            tenant = min(self._waiting, key=had.__getitem__)
            if any(had[tenant] > had[each] + _AHEAD for each in self._under_way):
                return
            self._give(tenant, now)

    def _give(self, tenant: str, now: float) -> None:
        waiting = self._waiting[tenant]
        coming = waiting.popleft()
        if not waiting:
            del self._waiting[tenant]
        if not coming.cancelled():
            turn = Slot(tenant, now)
            self._under_way[tenant] += 1
            asyncio.get_running_loop().call_later(_LONGEST, self.end, turn)
            coming.set_result(turn)

    def _forget(self, now: float) -> None:
        """Drop tenants with next to no recent use: a worker sees many tenants."""
        self._had = {
            each: used for each, used in self._had.items() if self._lately(each, now) > _NOTHING
        }

    def _lately(self, tenant: str, now: float) -> float:
        seconds, then = self._had.get(tenant, (0.0, now))
        return seconds * 0.5 ** ((now - then) / _HALF_LIFE)


class Participant:
    """A segment that takes part in the scheduling."""

    def __init__(self, scheduler: FairScheduler, tenant: str) -> None:
        self._turns = scheduler
        self._tenant = tenant
        self._turn: Slot | None = None

    async def come(self) -> None:
        """Before a step: release the current slot and wait for the next one."""
        # In this order, so that what is given up may come back.
        coming = self._turns.queue_up(self._tenant)
        self.rest()
        self._turns.pass_on()
        self._turn = await coming

    def rest(self) -> None:
        """Release the current slot."""
        if self._turn is not None:
            self._turns.end(self._turn)
