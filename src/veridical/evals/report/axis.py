"""The axis of a chart: maps values to positions."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor, log10


@dataclass(frozen=True, slots=True)
class Axis:
    """A linear scale from ``low``–``high`` to ``start``–``end``."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The place of a value."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def nice_top(largest: float) -> float:
    """A round end of an axis that has room for the largest value, with round quarters."""
    if largest <= 0:
        return 1.0
    power = 10.0 ** floor(log10(largest))
    return next(step * power for step in (1.2, 2, 4, 6, 8, 12) if step * power >= largest)


def spread_apart(places: Sequence[float], gap: float, lowest: float) -> list[float]:
    """The places, each so far from the one above it: moved down, and where that ends below the
    lowest that there is room for, up again."""
    moved = list(places)
    downwards = sorted(range(len(places)), key=lambda each: (places[each], each))
    for above, number in pairwise(downwards):
        moved[number] = max(moved[number], moved[above] + gap)
    floor_of_next = lowest
    for number in reversed(downwards):
        moved[number] = min(moved[number], floor_of_next)
        floor_of_next = moved[number] - gap
    return moved
