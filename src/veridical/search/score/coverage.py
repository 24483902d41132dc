"""Coverage: what the store has, what a selection adds to it, and what is worth ingesting."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from veridical.contracts.language import Language
from veridical.contracts.search_candidate import CoverageDimension, SearchCandidate
from veridical.contracts.search_result import CoverageAccount, Dropped, IngestRecommendation
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


def coverage_account(stored: Coverage, selected: Coverage, new: Coverage) -> CoverageAccount:
    """The coverage by the store, by the selection and by the new in it, as it is reported."""
    both = best_of((stored, selected))
    gaps = tuple(each for each in _DIMENSIONS if both.get(each, 0.0) < COVERED)
    return CoverageAccount(
        stored=stored, selected=selected, added=gaps_filled(new, stored), gaps=gaps
    )


def coverage_text(account: CoverageAccount, language: Language, *, store_known: bool) -> str:
    """What a selection adds to the store; of what the store has itself, also what is missing."""
    added = account.added
    had = [each for each in _DIMENSIONS if account.stored.get(each, 0.0) >= COVERED]
    sentences = [] if had and not added else [_added_sentence(added, language, known=store_known)]
    if had:
        listed = _listed(had, language)
        sentences.append(message("search.stored_covers", language, dimensions=listed))
        if account.gaps:
            gaps = _listed(account.gaps, language)
            sentences.append(message("search.gaps_left", language, dimensions=gaps))
    return message("search.sentence_separator", language).join(sentences)


def _added_sentence(added: Sequence[CoverageDimension], language: Language, *, known: bool) -> str:
    """The coverage that a selection adds, as a sentence."""
    if not added:
        key = "search.adds_nothing" if known else "search.adds_nothing_unknown"
        return message(key, language)
    key = "search.adds_coverage" if known else "search.adds_unknown"
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


@dataclass(frozen=True, slots=True)
class Recommending:
    """What a recommendation follows from: the coverage of each candidate and of the store."""

    coverage: Mapping[str, Mapping[CoverageDimension, float]]
    stored: Mapping[CoverageDimension, float]
    language: Language


def recommend_ingest(
    ranked: Sequence[SearchCandidate], given: Recommending
) -> tuple[IngestRecommendation, ...]:
    """The fewest that fill what can be filled, going down the ranking: each fills a gap that the
    store and those before it leave."""
    known = dict(given.stored)
    found: list[IngestRecommendation] = []
    for candidate in ranked:
        own = given.coverage[candidate.id]
        if filled := () if candidate.stored else gaps_filled(own, known):
            listed = _listed(filled, given.language)
            reason = message("search.ingest_reason", given.language, dimensions=listed)
            found.append(IngestRecommendation(candidate_id=candidate.id, reason=reason))
            known = best_of((known, own))
    return tuple(found)


def _listed(values: Sequence[str], language: Language) -> str:
    return message("search.list_separator", language).join(str(each) for each in values)
