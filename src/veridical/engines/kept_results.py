"""Results that may be used again, and where they are kept."""

import json
import zlib
from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Protocol

from veridical.contracts.result import Emptiness
from veridical.engines.limits import Fetched

_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class ResultKey:
    """What a result belongs to."""

    tenant: str
    """The tenant of Veridical's own tables; empty without a credential."""
    feature: str
    digest: str
    """Of everything that decides the rows."""


@dataclass(frozen=True, slots=True)
class KeptResult:
    """A complete result, and when its statement began."""

    fetched: Fetched
    emptiness: Emptiness | None
    kept_at: datetime

    def packed(self) -> bytes:
        """Columns, rows and emptiness, compressed."""
        content = [self.fetched.columns, self.fetched.rows, self.emptiness]
        return zlib.compress(json.dumps(content).encode(), 1)


def unpacked(content: bytes, kept_at: datetime) -> KeptResult:
    """The result of what ``packed`` made. Raises ``ValueError`` and ``zlib.error``."""
    columns, rows, emptiness = json.loads(zlib.decompress(content))
    fetched = Fetched(tuple(columns), tuple(map(tuple, rows)), truncated=False)
    return KeptResult(fetched, Emptiness(emptiness) if emptiness else None, kept_at)


class KeptResults(Protocol):
    """Where results are kept. Neither method fails: what can't be kept is asked again."""

    def find(self, key: ResultKey, longest: timedelta) -> KeptResult | None:
        """What is kept under this key, if it is no older than this."""
        ...

    def keep(self, key: ResultKey, found: KeptResult, longest: timedelta, most_bytes: int) -> None:
        """Keep it for at most this time; the oldest give way beyond this many bytes of the same
        tenant and feature."""
        ...


class ResultsInMemory:
    """Results of one process, where it has no database of its own."""

    def __init__(self, most_bytes: int = 256 * _MEGABYTE) -> None:
        self._most_bytes = most_bytes
        self._lock = Lock()
        self._kept: OrderedDict[ResultKey, tuple[bytes, datetime]] = OrderedDict()

    def find(self, key: ResultKey, longest: timedelta) -> KeptResult | None:
        """What is kept under this key, if it is no older than this."""
        with self._lock:
            content, kept_at = self._kept.get(key, (b"", datetime.min.replace(tzinfo=UTC)))
        if not content or datetime.now(UTC) - kept_at >= longest:
            return None
        return unpacked(content, kept_at)

    def keep(self, key: ResultKey, found: KeptResult, longest: timedelta, most_bytes: int) -> None:
        """Keep it; beyond either limit the oldest give way."""
        del longest  # whoever finds it says how old it may be
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = found.packed(), found.kept_at
            own = [each for each in self._kept if each.tenant == key.tenant]
            self._shrink([each for each in own if each.feature == key.feature], most_bytes)
            self._shrink(list(self._kept), self._most_bytes)

    def _shrink(self, keys: list[ResultKey], most_bytes: int) -> None:
        used = sum(len(self._kept[each][0]) for each in keys)
        for each in keys:
            if used <= most_bytes:
                return
            used -= len(self._kept.pop(each)[0])
