"""Holm correction of p-values for several tests at once.

Of twenty tests of modes that are equally good, one says p < 0.05 on average. After Holm's (1979)
adjustment, at most one family of tests in twenty has any such value, however they hang together.
"""

from collections.abc import Sequence


def holm(values: Sequence[float]) -> tuple[float, ...]:
    """The adjusted p-values, each in the place of its own.

    The smallest counts as often as there are tests, the next once less, and so on; none becomes
    smaller than one before it.
    """
    order = sorted(range(len(values)), key=lambda place: values[place])
    adjusted = [0.0] * len(values)
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = largest
    return tuple(adjusted)
