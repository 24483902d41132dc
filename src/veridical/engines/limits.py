"""The limits of one query: rows, bytes, time; and the fetch that stops there."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from veridical.engines.values import Row, plain_weighed, weight

CHUNK = 256
"""Rows taken from the database at a time."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one query."""

    rows: int = 10_000
    bytes: int = 8_000_000
    statement_ms: int = 30_000
    lock_ms: int = 2_000
    row_bytes: int = 1_000_000
    """The bytes of one row: the database itself refuses a larger one."""
    temp_mb: int = 240
    """Temporary files of one statement in all its processes, where the login may limit them."""
    sort_mb: int = 32
    """Memory of one sort or hash, before it goes to temporary files."""
    probe_ms: int = 500
    """The time limit of the search for an unknown value after an empty result, and of an estimate
    of what a statement would read."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """The fetched rows, and True if there were more."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    truncated: bool
    rows_read: int | None = None
    """Rows that the database read for it, where it tells."""
    bytes_read: int | None = None


def collect(
    columns: Sequence[str], chunks: Iterable[Sequence[Sequence[Any]]], rows: int, size: int
) -> Fetched:
    """The rows of these chunks up to a number of rows and of bytes."""
    kept: list[Row] = []
    left = size
    for chunk in chunks:
        safe, taken = plain_weighed(chunk)
        if taken > left:
            safe = _within(safe, left)
        kept += safe
        if taken > left or len(kept) > rows:
            return Fetched(tuple(columns), tuple(kept[:rows]), truncated=True)
        left -= taken
    return Fetched(tuple(columns), tuple(kept), truncated=False)


def _within(rows: list[Row], size: int) -> list[Row]:
    """The first rows that fit into this many bytes."""
    taken = list(accumulate(weight([row]) for row in rows))
    return rows[: bisect_right(taken, size)]
