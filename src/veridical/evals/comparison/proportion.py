"""A proportion of runs with its confidence interval."""

from math import sqrt
from statistics import NormalDist

from veridical.contracts.wire import Wire

FEWEST_FOR_A_RATE = 20
"""Of fewer runs the interval is wider than any goal: the count is told, and no rate."""
Z_95 = NormalDist().inv_cdf(0.975)
"""The normal quantile of a two-sided interval of 95 %."""


class Proportion(Wire):
    """So many of so many; without any there is no share and no interval."""

    count: int
    of: int
    share: float | None = None
    low: float | None = None
    high: float | None = None
    """The interval of 95 %, Wilson's score method."""

    @property
    def rate(self) -> float | None:
        """The share, unless it is of too few."""
        return self.share if self.of >= FEWEST_FOR_A_RATE else None


def proportion(count: int, of: int, design_effect: float = 1.0) -> Proportion:
    """The share with Wilson's score interval (1927), which holds for few runs and at 0 and 1.

    A design effect above 1 says that the runs tell less than as many independent ones would.
    """
    if not of:
        return Proportion(count=count, of=of)
    share, spread = count / of, Z_95**2 * design_effect / of
    middle = (share + spread / 2) / (1 + spread)
    half = sqrt(spread * (share * (1 - share) + spread / 4)) / (1 + spread)
    return Proportion(
        count=count,
        of=of,
        share=share,
        low=0.0 if count == 0 else middle - half,
        high=1.0 if count == of else middle + half,
    )


def share(count: int, of: int) -> float | None:
    """The bare share, none of nothing."""
    return count / of if of else None
