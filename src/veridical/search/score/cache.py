"""A cache whose entries expire, for one process."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Generic, TypeVar

Value = TypeVar("Value")

MOST_ENTRIES = 10_000


class ExpiringCache(Generic[Value]):
    """Values by key, each for a limited time; the one unused for longest makes room."""

    def __init__(
        self,
        seconds: float,
        clock: Callable[[], float] = monotonic,
        most: int = MOST_ENTRIES,
    ) -> None:
        self._seconds = seconds
        self._clock = clock
        self._most = most
        self._entries: OrderedDict[str, tuple[float, Value]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str) -> Value | None:
        """The value, unless it has expired."""
        with self._lock:
            found = self._entries.get(key)
            if found is None:
                return None
            expires, value = found
            if self._clock() >= expires:
                del self._entries[key]
                return None
            self._entries.move_to_end(key)
            return value

    def put(self, key: str, value: Value) -> None:
        """Keep the value from now on."""
        with self._lock:
            self._entries[key] = self._clock() + self._seconds, value
            self._entries.move_to_end(key)
            while len(self._entries) > self._most:
                self._entries.popitem(last=False)
