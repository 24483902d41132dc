"""Aggregates that the tools offer and SQLite lacks: median and standard deviation."""

from array import array
from math import sqrt
from statistics import median
from typing import Any


class Median:
    """The median, which ``PERCENTILE_CONT(x, 0.5)`` gives elsewhere."""

    def __init__(self) -> None:
        self._values = array("d")
        self._share = 0.5

    def step(self, value: Any, share: float) -> None:
        """Takes the value of a row; nulls don't count."""
        self._share = share
        if value is not None:
            self._values.append(value)

    def finalize(self) -> float | None:
        """The median; None of no values."""
        if self._share != 0.5:
            raise ValueError("only the median is computed")
        return median(self._values) if self._values else None


class Stddev:
    """The standard deviation of a sample, in one pass."""

    def __init__(self) -> None:
        self._count = 0
        self._mean = 0.0
        self._squares = 0.0

    def step(self, value: Any) -> None:
        """Takes the value of a row; nulls don't count."""
        if value is None:
            return
        self._count += 1
        away = value - self._mean
        self._mean += away / self._count
        self._squares += away * (value - self._mean)

    def finalize(self) -> float | None:
        """The deviation; None of fewer than two values."""
        return sqrt(self._squares / (self._count - 1)) if self._count > 1 else None


AGGREGATES: tuple[tuple[str, int, Any], ...] = (
    ("percentile_cont", 2, Median),
    ("stddev", 1, Stddev),
)
"""The aggregates by their names in queries and their number of arguments."""
