"""The budget for profiling data: seconds, rows per table, bytes in all."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

STATEMENT_S = 10.0
"""The longest time of one statement, so that one large table does not use all of it."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of one look at a database."""

    seconds: float = 45.0
    rows: int = 25_000
    """Tables with more rows are sampled."""
    bytes: int = 20_000_000_000
    """The most bytes read in all, as the database or else the columns let expect."""


_SHARE = 4
"""A statement may read the fourth part of what is left, so that many tables have their turn."""


@dataclass(slots=True)
class Meter:
    """The rest of a budget."""

    budget: Budget
    now: Callable[[], float] = monotonic
    read: int = 0
    _end: float = field(init=False)

    def __post_init__(self) -> None:
        self._end = self.now() + self.budget.seconds

    @property
    def seconds_left(self) -> float:
        """Seconds until the budget is used up; never below zero."""
        return max(0.0, self._end - self.now())

    @property
    def is_over(self) -> bool:
        """True if time or bytes are used up."""
        return self.seconds_left <= 0 or self.read >= self.budget.bytes

    @property
    def statement_ms(self) -> int:
        """The time limit of the next statement."""
        return max(1, int(1000 * min(self.seconds_left, STATEMENT_S)))

    def allows(self, size: int) -> bool:
        """True if one statement may read so many bytes."""
        return size <= (self.budget.bytes - self.read) / _SHARE

    def add(self, size: int) -> None:
        """Counts bytes that were read."""
        self.read += size

    def stop(self) -> None:
        """Uses up the rest."""
        self._end = self.now()
