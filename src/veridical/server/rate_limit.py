"""Rate limiter: token buckets per tenant and per key, in this process.

Two servers together let through twice as much; a global limit belongs in front of them.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from veridical.server.identity import Identity

_A_MINUTE = 60.0
_MOST_BUCKETS = 100_000


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float


class RateLimiter:
    """Token buckets that hold one minute's requests each."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[tuple[str, str], _Bucket] = {}

    def take(self, identity: Identity) -> float:
        """Count one request; 0 when it may go on, else the seconds until one may."""
        limits, tenant = identity.limits, identity.tenant
        wanted = [((tenant, ""), limits.per_minute)]
        # What has no key is a person with a token, who is limited under their name.
        who = identity.key_id or f"~{identity.name}"
        if limits.key_per_minute is not None:
            wanted.append(((tenant, who), limits.key_per_minute))
        return self.take_all(wanted)

    def take_all(self, wanted: list[tuple[tuple[str, str], int]]) -> float:
        """A token from each of these buckets, or from none of them."""
        now = self._clock()
        filled = [(self._filled(name, rate, now), rate) for name, rate in wanted]
        waits = [(1 - bucket.tokens) * _A_MINUTE / rate for bucket, rate in filled]
        if (wait := max(waits)) > 0:
            return wait
        for bucket, _ in filled:
            bucket.tokens -= 1
        return 0.0

    def _filled(self, name: tuple[str, str], rate: int, now: float) -> _Bucket:
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
        busy = {name: held for name, held in self._buckets.items() if now - held.at < _A_MINUTE}
        self._buckets = busy
