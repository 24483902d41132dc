"""Coverage: what the store has, what a selection adds to it, and what is worth ingesting."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from veridical.contracts.language import Language
from veridical.contracts.search_candidate import SearchCandidate
from veridical.contracts.search_coverage import CoverageDimension
from veridical.contracts.search_result import Dropped, IngestRecommendation
from veridical.messages import message
from veridical.search.score.facets import COVERED, Coverage
from veridical.search.score.prefilter import DropReason

_DIMENSIONS = tuple(CoverageDimension)
"""Needed many times per result: an enumeration collects its members anew each time."""


def best_of(coverages: Iterable[Mapping[CoverageDimension, float]]) -> Coverage:
    """For each dimension the best of all."""
    best: Coverage = {}
    for each in coverages:
        for dimension, share in each.items():
            best[dimension] = max(share, best.get(dimension, 0.0))
    return {dimension: best[dimension] for dimension in _DIMENSIONS if dimension in best}


def gaps_filled(
    covered: Mapping[CoverageDimension, float], stored: Mapping[CoverageDimension, float]
) -> tuple[CoverageDimension, ...]:
    """Dimensions that the store does not cover and this does."""
    return tuple(
        each for each in _DIMENSIONS if covered.get(each, 0.0) >= COVERED > stored.get(each, 0.0)
    )


def coverage_sentence(
    added: Sequence[CoverageDimension], language: Language, *, store_known: bool
) -> str:
    """The coverage that a selection adds, as a sentence."""
    if not added:
        key = "search.adds_nothing" if store_known else "search.adds_nothing_unknown"
        return message(key, language)
    key = "search.adds_coverage" if store_known else "search.adds_unknown"
    return message(key, language, dimensions=_listed(added, language))


def emptiness_sentence(dropped: Sequence[Dropped], language: Language, *, store_known: bool) -> str:
    """Why nothing is left; what could not be looked up is never called "none"."""
    if not dropped:
        key = "search.nothing_found" if store_known else "search.rag_unavailable"
        return message(key, language)
    counts = Counter(each.reason for each in dropped)
    reasons = [
        message(f"search.reason_{reason}", language, count=counts[reason])
        for reason in DropReason
        if counts[reason]
    ]
    listed = _listed(reasons, language)
    return message("search.nothing_left", language, count=len(dropped), reasons=listed)


def recommend_ingest(
    ranked: Sequence[SearchCandidate],
    coverage: Mapping[str, Mapping[CoverageDimension, float]],
    stored: Mapping[CoverageDimension, float],
    language: Language,
) -> tuple[IngestRecommendation, ...]:
    """The fewest that fill what can be filled, going down the ranking: each fills a gap that the
    store and those before it leave."""
    known = dict(stored)
    found: list[IngestRecommendation] = []
    for candidate in ranked:
        filled = () if candidate.stored else gaps_filled(coverage[candidate.id], known)
        if filled:
            reason = message("search.ingest_reason", language, dimensions=_listed(filled, language))
            found.append(IngestRecommendation(candidate_id=candidate.id, reason=reason))
            known = best_of((known, coverage[candidate.id]))
    return tuple(found)


def _listed(values: Sequence[str], language: Language) -> str:
    return message("search.list_separator", language).join(str(each) for each in values)
