"""Tenants take turns at a worker, so that one with many runs leaves the others their share.

The lives of a worker share one processor. More of them at it than it can serve slow each other
down, and whoever looks for new runs. So only a few take a step at the same time, and a turn goes
to the tenant that had least of the worker lately.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

_AT_ONCE = 2
"""Turns under way: while one waits for the database, the other has the processor."""
_LONGEST = 0.03
"""So many seconds after its begin a turn is over by itself: it waits for something else than the
processor, such as a model, and keeps nobody from it."""
_AHEAD = 0.1
"""Who had so many seconds more than another lately waits while that one has a turn."""
_HALF_LIFE = 1.0
"""After so many seconds, half of what a tenant had is forgotten."""

_NOTHING = 0.001
"""So few seconds lately are as good as none."""


@dataclass(eq=False)
class Turn:
    """Time at the worker."""

    tenant: str
    began: float
    is_over: bool = False


class Turns:
    """Whose turn it is, and who waits for one. Belongs to one event loop."""

    def __init__(self) -> None:
        self._under_way: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[Turn]]] = {}
        self._had: dict[str, tuple[float, float]] = {}
        """By tenant: seconds of turns, and as of when."""

    @contextmanager
    def taking_part(self, tenant: str) -> Generator["Part"]:
        """Within the block a life of this tenant is lived."""
        part = Part(self, tenant)
        try:
            yield part
        finally:
            part.rest()

    def queue_up(self, tenant: str) -> "asyncio.Future[Turn]":
        """A turn to come."""
        coming: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(tenant, deque()).append(coming)
        return coming

    def end(self, turn: Turn) -> None:
        """Nothing more is done in this turn."""
        if turn.is_over:
            return
        turn.is_over = True
        now = time.monotonic()
        self._had[turn.tenant] = self._lately(turn.tenant, now) + now - turn.began, now
        self._forget(now)
        self._under_way[turn.tenant] -= 1
        self._under_way += Counter()  # forgets whom nothing is left of
        self.pass_on()

    def pass_on(self) -> None:
        """Give the turns that are free to those whose they are."""
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
            turn = Turn(tenant, now)
            self._under_way[tenant] += 1
            asyncio.get_running_loop().call_later(_LONGEST, self.end, turn)
            coming.set_result(turn)

    def _forget(self, now: float) -> None:
        """Leave out who had next to nothing lately: a worker sees many tenants in its life."""
        self._had = {
            each: held for each, held in self._had.items() if self._lately(each, now) > _NOTHING
        }

    def _lately(self, tenant: str, now: float) -> float:
        seconds, then = self._had.get(tenant, (0.0, now))
        return seconds * 0.5 ** ((now - then) / _HALF_LIFE)


class Part:
    """A life that takes part."""

    def __init__(self, turns: Turns, tenant: str) -> None:
        self._turns = turns
        self._tenant = tenant
        self._turn: Turn | None = None

    async def come(self) -> None:
        """Before a step: wait for a turn. The one before is over."""
        # In this order, so that what is given up may come back.
        coming = self._turns.queue_up(self._tenant)
        self.rest()
        self._turns.pass_on()
        self._turn = await coming

    def rest(self) -> None:
        """Leave the turn to others."""
        if self._turn is not None:
            self._turns.end(self._turn)
