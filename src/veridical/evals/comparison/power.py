"""Statistical power: how many questions show a difference, and which difference so many can
show."""

from math import ceil, floor, log2, sqrt
from statistics import NormalDist

POWER = 0.8
"""How often a difference of this size shall be found."""
ALPHA = 0.05
"""How often none shall be taken for one: the level of every test here."""
_Z_POWER = NormalDist().inv_cdf(POWER)
_HALVINGS = 40


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
    tell something new. Where several are tested together, each must stand out as the first of
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
    for _ in range(_HALVINGS):
        middle = (hidden + seen) / 2
        if cases_needed(middle, discordance, repeats, design_effect, tests) <= cases:
            seen = middle
        else:
            hidden = middle
    return seen
