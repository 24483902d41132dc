"""Statistics of outcomes: shares and intervals, paired tests, Holm's correction, power.

Repeats of one question are not new questions: they tend to succeed or to fail together. The
question is therefore the unit that is drawn and exchanged, in the test and in the interval.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, comb, floor, fsum, log2, sqrt
from statistics import NormalDist

from veridical.contracts.wire import Wire

FEWEST_FOR_A_RATE = 20
"""Of fewer runs the interval is wider than any goal: the count is shown, and no rate."""
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
    """The share with Wilson's score interval (1927), which is valid for few runs and at 0 and 1.

    A design effect above 1: the runs carry less information than as many independent ones.
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


_HALVINGS = 60
"""Halvings of an interval no longer than 2, down to the precision of a float."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """The pairs of one question, with the numbers in which only one side did well."""

    pairs: int
    won: int
    lost: int

    @property
    def net(self) -> int:
        """The number of pairs by which the candidate is ahead."""
        return self.won - self.lost


def exact_test(nets: Iterable[int]) -> float:
    """The two-sided p-value of McNemar's exact test, with questions as what is exchanged.

    If the two sides are equally good, each question's net lead is as likely to have the other
    sign. The value is the share of all sign changes whose total is at least as far from 0 as the
    observed. With one repeat all leads are 1 and this *is* McNemar's exact test: the two-sided
    binomial test of the pairs in which only one side did well.
    """
    leads = [net for net in nets if net]
    chances = {0: 1.0}
    for size, count in sorted(Counter(map(abs, leads)).items()):
        chances = _sums(chances, size, count)
    observed = abs(sum(leads))
    return min(1.0, fsum(chance for total, chance in chances.items() if abs(total) >= observed))


def _sums(chances: dict[int, float], size: int, count: int) -> dict[int, float]:
    """The chances of each total after ``count`` more leads of this size with random signs."""
    of_these = {size * (2 * ups - count): comb(count, ups) / 2**count for ups in range(count + 1)}
    found: defaultdict[int, float] = defaultdict(float)
    for total, chance in chances.items():
        for more, its_chance in of_these.items():
            found[total + more] += chance * its_chance
    return found


def tango_interval(
    won: float, lost: float, pairs: float, z: float = Z_95
) -> tuple[float, float] | None:
    """Tango's score interval (1998) for the difference of two paired shares; none without pairs.

    It has the differences at which the score test, with the rest estimated by maximum likelihood
    under that difference, does not reject. Unlike Wald's, it has a width without disagreement.
    """
    if pairs <= 0:
        return None
    estimate = (won - lost) / pairs

    def is_outside(difference: float) -> bool:
        distance = abs(won - lost - pairs * difference)
        return distance > z * sqrt(_variance(won, lost, pairs, difference))

    return _border(is_outside, estimate, -1.0), _border(is_outside, estimate, 1.0)


def _variance(won: float, lost: float, pairs: float, difference: float) -> float:
    """The variance of ``won - lost`` if this were the true difference."""
    linear = (2 * pairs - won + lost) * difference - won - lost
    constant = -lost * difference * (1 - difference)
    root = sqrt(max(0.0, linear**2 - 8 * pairs * constant))
    chance_to_lose = (root - linear) / (4 * pairs)
    return max(0.0, pairs * (2 * chance_to_lose + difference * (1 - difference)))


def _border(is_outside: Callable[[float], bool], inside: float, outside: float) -> float:
    if not is_outside(outside):
        return outside
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        if is_outside(middle):
            outside = middle
        else:
            inside = middle
    return (inside + outside) / 2


def design_effect(clusters: Sequence[Cluster]) -> float:
    """The factor by which correlated repeats inflate the variance of the difference.

    Between 1 (each pair counts as a new question) and the mean number of pairs of a
    question (repeats add nothing). Counts are divided by it before an interval is made of
    them, after Rao and Scott (1992). Where it can't be estimated, the larger is taken.
    """
    pairs = sum(cluster.pairs for cluster in clusters)
    if not pairs:
        return 1.0
    won, lost = sum(each.won for each in clusters), sum(each.lost for each in clusters)
    largest = pairs / len(clusters)
    effect = (won - lost) / pairs
    independent = won + lost - (won - lost) ** 2 / pairs
    if independent <= 0 or len(clusters) == 1:
        return largest
    clustered = fsum((each.net - effect * each.pairs) ** 2 for each in clusters)
    clustered *= len(clusters) / (len(clusters) - 1)
    return min(max(1.0, clustered / independent), largest)


def clustered_interval(clusters: Sequence[Cluster]) -> tuple[float, float] | None:
    """Tango's interval with repeats weighted by their information; see ``design_effect``."""
    inflation = design_effect(clusters)
    won, lost, pairs = (
        sum(getattr(each, name) for each in clusters) / inflation
        for name in ("won", "lost", "pairs")
    )
    return tango_interval(won, lost, pairs)


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


POWER = 0.8
"""The power: the chance to find a difference of this size."""
ALPHA = 0.05
"""The significance level of every test here."""
_Z_POWER = NormalDist().inv_cdf(POWER)
_POWER_HALVINGS = 40


def cases_needed(
    difference: float,
    discordance: float,
    repeats: float = 1.0,
    design_effect: float = 1.0,
    tests: int = 1,
) -> int:
    """About how many questions show a difference (0.05 for 5 points) four times out of five.

    Connor's formula (1987) for McNemar's test. ``discordance`` is the share of pairs in which only
    one side did well; it can't be less than the difference itself. Repeats help as far as they
    add information. Where several are tested together, each must stand out as the first of
    Holm's: at the level divided by their number. Raises ``ValueError`` for a difference that is not
    within 0 and 1.
    """
    if not 0 < difference <= 1:
        raise ValueError("a difference is more than 0 and at most 1")
    unequal = min(1.0, max(discordance, difference))
    level = ALPHA / tests
    z = NormalDist().inv_cdf(1 - level / 2)
    spread = z * sqrt(unequal) + _Z_POWER * sqrt(max(0.0, unequal - difference**2))
    pairs = (spread / difference) ** 2
    return max(_fewest(level), ceil(pairs * design_effect / repeats))


def _fewest(level: float) -> int:
    """So many questions that all went one way; of five the exact test says p = 0.06."""
    return floor(1 - log2(level)) + 1


def visible_difference(
    cases: int,
    discordance: float,
    repeats: float = 1.0,
    design_effect: float = 1.0,
    tests: int = 1,
) -> float | None:
    """The smallest difference that so many questions show; none when they are too few for any."""
    if cases < cases_needed(1.0, discordance, repeats, design_effect, tests):
        return None
    hidden, seen = 0.0, 1.0
    for _ in range(_POWER_HALVINGS):
        middle = (hidden + seen) / 2
        if cases_needed(middle, discordance, repeats, design_effect, tests) <= cases:
            seen = middle
        else:
            hidden = middle
    return seen
