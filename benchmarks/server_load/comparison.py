"""Two that did the same in turns, compared."""

from collections.abc import Sequence
from math import nan
from statistics import median, quantiles


def ratio(mine: Sequence[float], theirs: Sequence[float]) -> float:
    """The median of the turns' ratios."""
    return round(median(one / (other or nan) for one, other in zip(mine, theirs, strict=True)), 3)


def each_ms(seconds: Sequence[float], count: int) -> float:
    """Of a turn with so many, what one took: the median of all turns."""
    return round(1000 * median(seconds) / count, 3)


def percentile_ms(seconds: Sequence[float], percent: int) -> float:
    """What so many percent did not exceed."""
    return round(1000 * quantiles(seconds, n=100, method="inclusive")[percent - 1], 1)
