"""The fusion of both legs into one order.

Where it was measured what the vectors of a collection weigh, scores are added up, each in
deviations from the mean of its leg's hits; where it was not, reciprocal ranks are. A rank says that
a hit is its leg's best and not how good it is: a leg that knows nothing would be half of the sum.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum, isfinite, sqrt

from veridical.search.chunk import Hit

FUSE_K = 60
"""How slowly the worth of a rank falls."""
Leg = Mapping[int, Hit]
"""The hits of a leg by their chunks."""


@dataclass(frozen=True, slots=True)
class StandardScores:
    """The scores of a chunk in each leg, in deviations from the mean of the leg's hits."""

    vector_weight: float
    lexical: float
    vector: float

    @property
    def order(self) -> float:
        """The weighted sum."""
        return (1 - self.vector_weight) * self.lexical + self.vector_weight * self.vector


@dataclass(frozen=True, slots=True)
class FusedHit:
    """A chunk that at least one leg found."""

    chunk: int
    order: float
    """The sort key: higher is better."""
    standard: StandardScores | None = None
    """The parts of the sort key; none where it is reciprocal ranks."""


def fused(lexical: Leg, vector: Leg, vector_weight: float | None = None) -> list[FusedHit]:
    """The chunks of both legs, best first; without a weight by reciprocal ranks alone.

    What is equal goes by reciprocal ranks, then by number, so the order is total.
    """
    ranks = _reciprocal_ranks(lexical, vector)
    if vector_weight is None:
        found = [FusedHit(chunk, worth) for chunk, worth in ranks.items()]
    else:
        words, no_words = _standardised(lexical)
        near, not_near = _standardised(vector)
        scores = {
            chunk: StandardScores(
                vector_weight, words.get(chunk, no_words), near.get(chunk, not_near)
            )
            for chunk in ranks
        }
        found = [FusedHit(chunk, each.order, each) for chunk, each in scores.items()]
    return sorted(found, key=lambda each: (-each.order, -ranks[each.chunk], each.chunk))


def _reciprocal_ranks(*legs: Leg) -> dict[int, float]:
    worth: dict[int, float] = {}
    for leg in legs:
        for chunk, hit in leg.items():
            worth[chunk] = worth.get(chunk, 0.0) + 1 / (FUSE_K + hit.rank)
    return worth


def _standardised(leg: Leg) -> tuple[dict[int, float], float]:
    """Each hit's score, and that of a chunk that is not among the hits: their lowest.

    Hits that are all equal say found or not found and nothing else: 1 or -1, the standard scores of
    two values that are equally many. A vector without a direction is near to nothing: its score is
    no number, and it counts as not found.
    """
    scores = {chunk: hit.score for chunk, hit in leg.items() if isfinite(hit.score)}
    if not scores:
        return {}, 0.0
    mean = fsum(scores.values()) / len(scores)
    deviation = sqrt(fsum((each - mean) ** 2 for each in scores.values()) / len(scores))
    if min(scores.values()) == max(scores.values()) or not deviation:
        return dict.fromkeys(scores, 1.0), -1.0
    standard = {chunk: (each - mean) / deviation for chunk, each in scores.items()}
    return standard, min(standard.values())
