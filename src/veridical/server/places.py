"""How many can be served at once: the next one is sent away at once instead of waiting."""

from collections.abc import Generator
from contextlib import contextmanager

from prometheus_client import Gauge

from veridical.server.problem import ProblemCode, ProblemError

_A_MOMENT = 1.0


class Places:
    """A number of places, and how many of them are taken."""

    def __init__(self, most: int, gauge: Gauge) -> None:
        self._most = most
        self._gauge = gauge
        self._taken = 0

    def refuse_when_full(self) -> None:
        """Raises ``ProblemError`` when there is no place left."""
        if self._taken >= self._most:
            raise ProblemError(ProblemCode.OVERLOADED, retry_after=_A_MOMENT)

    @contextmanager
    def one(self) -> Generator[None]:
        """Holds a place while the block runs. Raises ``ProblemError`` when there is none left."""
        self.refuse_when_full()
        with self.taken():
            yield

    @contextmanager
    def taken(self) -> Generator[None]:
        """Holds a place while the block runs."""
        self._taken += 1
        self._gauge.set(self._taken)
        try:
            yield
        finally:
            self._taken -= 1
            self._gauge.set(self._taken)
