"""Concurrency limiter: rejects requests instead of queueing them.

Each tenant and each key has its share, so that none of them takes all slots.
"""

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager

from prometheus_client import Gauge

from veridical.server.identity import Identity
from veridical.server.problem import ProblemCode, ProblemError

_A_MOMENT = 1.0


class ConcurrencyLimit:
    """A number of slots, with the shares that one tenant and one key may hold."""

    def __init__(
        self, most: int, gauge: Gauge, share: int | None = None, key_share: int | None = None
    ) -> None:
        self._most = most
        self._gauge = gauge
        self._share = most if share is None else share
        self._key_share = self._share if key_share is None else key_share
        self._taken = Counter[tuple[str, ...]]()
        self._count = 0

    def refuse_when_full(self, identity: Identity) -> None:
        """Raises ``ProblemError`` when no slot is free, or none for this tenant or key."""
        if self._count >= self._most:
            raise ProblemError(ProblemCode.OVERLOADED, retry_after=_A_MOMENT)
        tenant, key = _holders(identity)
        if self._taken[tenant] >= self._share or self._taken[key] >= self._key_share:
            raise ProblemError(ProblemCode.SHARE_TAKEN, retry_after=_A_MOMENT)

    @contextmanager
    def slot(self, identity: Identity) -> Generator[None]:
        """Holds a slot while the block runs. Raises ``ProblemError`` when none is free."""
        self.refuse_when_full(identity)
        with self.unchecked_slot(identity):
            yield

    @contextmanager
    def unchecked_slot(self, identity: Identity) -> Generator[None]:
        """Holds a slot while the block runs, even beyond the limit."""
        holders = _holders(identity)
        self._change(holders, 1)
        try:
            yield
        finally:
            self._change(holders, -1)

    def _change(self, holders: tuple[tuple[str, ...], ...], by: int) -> None:
        self._count += by
        for each in holders:
            self._taken[each] += by
            if not self._taken[each]:
                del self._taken[each]
        self._gauge.inc(by)


def _holders(identity: Identity) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tenant, and the key of it; who has none is a person with a token, under their name."""
    who = identity.key_id or f"~{identity.name}"
    return (identity.tenant,), (identity.tenant, who)
