"""Limits of time and memory for one piece of work, by the size of its input."""

from dataclasses import dataclass
from enum import StrEnum
from zipfile import ZipFile

from veridical.contracts.language import Language
from veridical.messages import message

LARGEST_FILE = 200_000_000
"""Bytes of the largest input."""
_MB = 1_000_000
_SMALL = 100_000
"""Bytes up to which all work has the same time."""
_SECONDS = 0.6
_SECONDS_PER_MB = 10.0
_MOST_SECONDS = 300.0
_MEGABYTES = 200
_MEGABYTES_PER_MB = 10
_MOST_MEGABYTES = 1_000
_RESULT_BYTES = 10 * _MB
_RESULT_PER_BYTE = 20
_UNPACKED_BYTES = 50 * _MB
_UNPACKED_PER_BYTE = 50


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one piece of work."""

    seconds: float
    """Processor time: waiting for a busy machine does not count."""
    megabytes: int
    """Memory beyond what the process begins with."""
    result_bytes: int
    """Size of the result: a small archive can hold a large text."""
    unpacked_bytes: int
    """Size of everything in an archive."""

    @property
    def patience(self) -> float:
        """Seconds by the clock, for work that does not compute but hangs."""
        return 10 + 10 * self.seconds


def limits_for(
    size: int, seconds: float = _SECONDS, seconds_per_mb: float = _SECONDS_PER_MB
) -> Limits:
    """The limits for this many bytes: what is small is refused soon, what is large has its time."""
    seconds += seconds_per_mb * max(0, size - _SMALL) / _MB
    megabytes = _MEGABYTES + _MEGABYTES_PER_MB * size // _MB
    return Limits(
        max(round(min(seconds, _MOST_SECONDS), 1), 0.1),
        min(megabytes, _MOST_MEGABYTES),
        _RESULT_BYTES + _RESULT_PER_BYTE * size,
        _UNPACKED_BYTES + _UNPACKED_PER_BYTE * size,
    )


class Limit(StrEnum):
    """The limit that was exceeded."""

    TIME = "time"
    MEMORY = "memory"
    RESULT = "result"
    UNPACKED = "unpacked"
    CRASH = "crash"
    """The process ended by itself, mostly because memory was refused to it."""
    BROKEN = "broken"
    """The work raised an unexpected exception."""


class LimitError(Exception):
    """Work exceeded one of its limits and was ended."""

    def __init__(self, limit: Limit, limits: Limits) -> None:
        self.limit = limit
        self.limits = limits
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """The limit and the remedy, in a person's language."""
        return message(
            f"limits.{self.limit}",
            language,
            seconds=f"{self.limits.seconds:g}",
            megabytes=self.limits.megabytes,
            result=self.limits.result_bytes // _MB,
            unpacked=self.limits.unpacked_bytes // _MB,
        )


class BrokenWorkError(LimitError):
    """The work raised an unexpected exception."""

    def __init__(self, limits: Limits, details: str) -> None:
        super().__init__(Limit.BROKEN, limits)
        self.details = details
        """Details for a log."""


def ensure_unpacked(archive: ZipFile, size: int) -> None:
    """Raises ``LimitError`` where an archive of this size holds more than it may.

    What it declares is what counts: nothing reads more than that of a part.
    """
    limits = limits_for(size)
    if sum(each.file_size for each in archive.infolist()) > limits.unpacked_bytes:
        raise LimitError(Limit.UNPACKED, limits)
