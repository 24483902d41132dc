"""Limits of tenants and keys in this process: how many requests at once, and how many a minute.

Requests beyond them are rejected and not queued. Two servers together let through twice as much; a
global limit belongs in front of them.
"""

import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass

from prometheus_client import Gauge

from veridical.server.identity import Identity
from veridical.server.problem import ProblemCode, ProblemError

_A_MOMENT = 1.0
_A_MINUTE = 60.0
_MOST_BUCKETS = 100_000


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


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float


class RateLimiter:
    """Token buckets that hold one minute's requests each."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[tuple[str, ...], _Bucket] = {}

    def take(self, identity: Identity) -> float:
        """Count one request; 0 when it may go on, else the seconds until one may."""
        limits = identity.limits
        tenant, key = _holders(identity)
        wanted = [(tenant, limits.per_minute)]
        if limits.key_per_minute is not None:
            wanted.append((key, limits.key_per_minute))
        return self.take_all(wanted)

    def take_all(self, wanted: list[tuple[tuple[str, ...], int]]) -> float:
        """A token from each of these buckets, or from none of them."""
        now = self._clock()
        filled = [(self._filled(name, rate, now), rate) for name, rate in wanted]
        waits = [(1 - bucket.tokens) * _A_MINUTE / rate for bucket, rate in filled]
        if (wait := max(waits)) > 0:
            return wait
        for bucket, _ in filled:
            bucket.tokens -= 1
        return 0.0

    def _filled(self, name: tuple[str, ...], rate: int, now: float) -> _Bucket:
        bucket = self._buckets.get(name)
        if bucket is None:
            self._forget_the_idle(now)
            bucket = self._buckets[name] = _Bucket(float(rate), now)
        bucket.tokens = min(float(rate), bucket.tokens + (now - bucket.at) * rate / _A_MINUTE)
        bucket.at = now
        return bucket

    def _forget_the_idle(self, now: float) -> None:
        """After a minute of silence a bucket is full, and as good as new."""
        if len(self._buckets) < _MOST_BUCKETS:
            return
        busy = {name: each for name, each in self._buckets.items() if now - each.at < _A_MINUTE}
        self._buckets = busy
