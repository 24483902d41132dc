"""nDCG: how near a ranking comes to the best one."""

from collections.abc import Iterable, Mapping, Sequence
from math import log2
from statistics import fmean

_PLACES = 10


def ndcg(ranking: Sequence[str], relevant: Mapping[str, float], places: int = _PLACES) -> float:
    """Of one question, with the grades as gains, as trec_eval and BEIR count."""
    gained = discounted(relevant.get(document, 0.0) for document in ranking[:places])
    best = discounted(sorted(relevant.values(), reverse=True)[:places])
    return gained / best


def mean_ndcg(
    rankings: Mapping[str, Sequence[str]], relevant: Mapping[str, Mapping[str, float]]
) -> float:
    """Of all questions."""
    return fmean(ndcg(ranking, relevant[key]) for key, ranking in rankings.items())


def discounted(gains: Iterable[float]) -> float:
    """The sum of gains, each worth less the later it comes."""
    return sum(gain / log2(place + 2) for place, gain in enumerate(gains))
