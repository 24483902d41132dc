"""Tenants take turns at a worker: who has many runs here lets those with fewer go first.

The lives of a worker share one processor. If each went on whenever it could, a tenant with eight
of them would get eight times the share of a tenant with one.
"""

import asyncio
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager

_MANY = 2.0
"""So many times the lives of another tenant are worth a wait."""
_SECONDS = 0.01
"""The wait for each time: about the processor time that a step takes."""
_LONGEST_WAIT = 0.08
"""Little beside what a model takes to reply."""


class Turns:
    """Which tenants have lives here, and how many."""

    def __init__(self) -> None:
        self._lives: Counter[str] = Counter()

    @contextmanager
    def taking_part(self, tenant: str) -> Generator[None]:
        """Within the block a life of this tenant is lived."""
        self._lives[tenant] += 1
        try:
            yield
        finally:
            self._lives[tenant] -= 1
            self._lives += Counter()  # forgets whom nothing is left of

    async def come(self, tenant: str) -> None:
        """Before a step: wait a moment where somebody has far fewer lives here, else not at all."""
        others = [count for name, count in self._lives.items() if name != tenant]
        ahead = self._lives[tenant] / min(others) if others else 0.0
        if ahead >= _MANY:
            await asyncio.sleep(min(ahead * _SECONDS, _LONGEST_WAIT))
