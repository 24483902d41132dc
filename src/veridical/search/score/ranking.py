"""The ranking as pure functions: which candidates are scored, and the result of their scores.

The same candidates, in any order, with the same scores give the same result.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from veridical.contracts.language import Language
from veridical.contracts.search_candidate import SearchCandidate
from veridical.contracts.search_context import FreshnessMode, ScoringContext
from veridical.contracts.search_result import (
    CoverageAccount,
    Dropped,
    FusionDebug,
    HybridResult,
    LlmDebug,
    LLMScoredItem,
    MmrDebug,
    MmrSelected,
    PreFilterDebug,
    RankedItem,
    SearchDebug,
    SearchFlags,
)
from veridical.search.score.address import bucket
from veridical.search.score.coverage import (
    Recommending,
    best_of,
    coverage_account,
    coverage_text,
    emptiness_sentence,
    gaps_filled,
    recommend_ingest,
)
from veridical.search.score.diversity import Selection, select_diverse, select_top
from veridical.search.score.facets import Coverage, coverage_of
from veridical.search.score.fusion import FusedScore, FusionInput, fuse, legs_of, ranked, shares_of
from veridical.search.score.heuristic import HeuristicScore, heuristic_scores
from veridical.search.score.model_outcome import ModelScores
from veridical.search.score.prefilter import DropReason, prefilter
from veridical.search.score.settings import ScoreSettings, Stage

MODEL_LEG, HEURISTIC_LEG = "model", "heuristic"
UNDATED, NEAR_DUPLICATE, OFF_TOPIC = "UNDATED", "NEAR_DUPLICATE", "OFF_TOPIC"
_NEAR = 0.8
"""From this overlap on a candidate says hardly anything that a better one doesn't."""
_WHOLE = 100


@dataclass(frozen=True, slots=True)
class RankingScope:
    """Inputs of every stage: the request, the settings, and the time that counts as now."""

    context: ScoringContext
    settings: ScoreSettings
    now: datetime
    language: Language


@dataclass(frozen=True, slots=True)
class Shortlist:
    """The candidates that are scored, in the order of choice, and what was left out."""

    candidates: tuple[SearchCandidate, ...]
    selected: tuple[MmrSelected, ...]
    dropped: tuple[Dropped, ...]


@dataclass(frozen=True, slots=True)
class StoreState:
    """The state of the store."""

    coverage: Coverage
    available: bool = True


def rank_candidates(
    candidates: Sequence[SearchCandidate],
    context: ScoringContext,
    settings: ScoreSettings | None = None,
    *,
    now: datetime | None = None,
    language: Language = Language.EN,
) -> HybridResult:
    """All stages but the model's, with nothing known of a store."""
    scope = RankingScope(context, settings or ScoreSettings(), now or datetime.now(UTC), language)
    return rank(shortlist(candidates, scope), ModelScores({}), StoreState({}), scope)


def shortlist(candidates: Sequence[SearchCandidate], scope: RankingScope) -> Shortlist:
    """Pre-filter, then maximal marginal relevance up to the limit."""
    settings = scope.settings
    relevance = _relevance(candidates, scope.context, settings)
    kept, dropped = prefilter(candidates, relevance, scope.context, settings, scope.now)
    weight = settings.mmr_lambda if settings.runs(Stage.MMR) else 1.0
    selected = select_diverse(kept, relevance, weight, settings.mmr_limit)
    by_id = {each.id: each for each in kept}
    chosen = {each.id for each in selected}
    reason = DropReason.MMR_LIMIT.value
    beyond = (
        Dropped.trusted({"id": each.id, "reason": reason}) for each in kept if each.id not in chosen
    )
    return Shortlist(tuple(by_id[each.id] for each in selected), selected, (*dropped, *beyond))


def rank(
    listed: Shortlist, scores: ModelScores, store: StoreState, scope: RankingScope
) -> HybridResult:
    """Fusion, diversity and coverage of the shortlist."""
    candidates = {each.id: each for each in listed.candidates}
    heuristic = heuristic_scores(listed.candidates, scope.context)
    coverage = {name: _coverage(each, scores.items.get(name)) for name, each in candidates.items()}
    known = FusionInput(
        _legs(listed.candidates, scores, heuristic),
        coverage,
        store.coverage,
        {name: item.score for name, item in scores.items.items()},
    )
    fused = fuse(listed.candidates, known, scope.context, scope.settings, scope.now)
    top = _top(fused, candidates, scores, scope)
    gaps = _gap_tags(candidates, coverage, store.coverage)
    overlaps = {each.id: each.max_overlap for each in listed.selected}
    items = {
        each.id: _item(
            each,
            candidates[each.id],
            scores.items.get(each.id),
            heuristic[each.id],
            coverage[each.id],
            gaps[each.id],
            overlaps[each.id],
            scope,
        )
        for each in fused
    }
    account = _account([candidates[name] for name in top.ids], coverage, store)
    sentence = (
        coverage_text(account, scope.language, store_known=store.available)
        if fused
        else emptiness_sentence(listed.dropped, scope.language, store_known=store.available)
    )
    least = scope.settings.irrelevant_below
    worth = [candidates[each.id] for each in fused if each.score >= least]
    recommending = Recommending(coverage, store.coverage, scope.language)
    return HybridResult(
        ranked=tuple(items.values()),
        top_k=tuple(items[name] for name in top.ids),
        coverage_delta=sentence,
        coverage=account,
        recommended_ingest=recommend_ingest(worth, recommending),
        flags=SearchFlags(
            rag_unavailable=not store.available,
            llm_timeout=scores.timed_out,
            debug=_debug(listed, scores, fused, top, scope),
        ),
    )


def _account(
    top: Sequence[SearchCandidate], coverage: Mapping[str, Coverage], store: StoreState
) -> CoverageAccount:
    selected = best_of(coverage[each.id] for each in top)
    new = best_of(coverage[each.id] for each in top if not each.stored)
    return coverage_account(store.coverage, selected, new)


def _gap_tags(
    candidates: Mapping[str, SearchCandidate],
    coverage: Mapping[str, Coverage],
    stored: Coverage,
) -> dict[str, tuple[str, ...]]:
    """For each the dimensions that the store lacks without it."""
    kept = [name for name, each in candidates.items() if each.stored]
    others = {name: best_of(coverage[each] for each in kept if each != name) for name in kept}
    return {
        name: tuple(map(str, gaps_filled(coverage[name], others.get(name, stored))))
        for name in candidates
    }


def _relevance(
    candidates: Sequence[SearchCandidate], context: ScoringContext, settings: ScoreSettings
) -> dict[str, float]:
    """By the legs of the retrieval; by the words of the question where there are none."""
    legs = legs_of(candidates)
    if not legs:
        scores = heuristic_scores(candidates, context)
        return {name: found.score / _WHOLE for name, found in scores.items()}
    return shares_of((each.id for each in candidates), legs, settings.rrf_k)


def _legs(
    candidates: Sequence[SearchCandidate],
    scores: ModelScores,
    heuristic: Mapping[str, HeuristicScore],
) -> dict[str, Mapping[str, int]]:
    """The legs of the retrieval, and the model's scores as one more.

    Where the model left some out, the heuristic scores those. By itself it is a leg only where
    there is no other: beside BM25 it says nothing new, and less well.
    """
    legs = legs_of(candidates)
    if legs and not scores.items:
        return legs
    values = {name: found.score for name, found in heuristic.items()}
    values |= {name: item.score for name, item in scores.items.items() if name in values}
    return {**legs, MODEL_LEG if scores.items else HEURISTIC_LEG: ranked(values)}


def _coverage(candidate: SearchCandidate, item: LLMScoredItem | None) -> Coverage:
    """The model's coverage, else the known or estimated one."""
    return dict(item.facet_coverage) if item and item.facet_coverage else coverage_of(candidate)


def _top(
    fused: Sequence[FusedScore],
    candidates: Mapping[str, SearchCandidate],
    scores: ModelScores,
    scope: RankingScope,
) -> Selection:
    """The selection, without what the model calls irrelevant."""
    settings = scope.settings
    relevant = [each.id for each in fused if not _is_off_topic(scores.items.get(each.id), scope)]
    buckets = {name: bucket(each.url, each.domain_type) for name, each in candidates.items()}
    least = scope.context.buckets(settings.min_diversity_buckets)
    least = least if settings.runs(Stage.DIVERSITY) else 1
    return select_top(relevant, buckets, settings.top_k, least)


def _is_off_topic(scored: LLMScoredItem | None, scope: RankingScope) -> bool:
    return scored is not None and scored.score < scope.settings.irrelevant_below


def _item(
    fused: FusedScore,
    candidate: SearchCandidate,
    scored: LLMScoredItem | None,
    heuristic: HeuristicScore,
    coverage: Coverage,
    gaps: tuple[str, ...],
    overlap: float,
    scope: RankingScope,
) -> RankedItem:
    reason = scored.reason if scored and scored.reason else heuristic.reason(scope.language)
    risks = _risks(candidate, overlap, scope.context.freshness_mode)
    if _is_off_topic(scored, scope):
        risks = (OFF_TOPIC, *risks)
    return RankedItem.trusted(
        {
            "candidate_id": fused.id,
            "score": fused.score,
            "reason": reason[: scope.settings.max_reason_length],
            "gap_tags": scored.gap_tags if scored and scored.gap_tags else gaps,
            "risk_flags": tuple(dict.fromkeys((*(scored.risk_flags if scored else ()), *risks))),
            "facet_coverage": coverage,
            "custom_facets": scored.custom_facets if scored else {},
            "model_score": scored.score if scored else None,
        }
    )


def _risks(candidate: SearchCandidate, overlap: float, mode: FreshnessMode) -> tuple[str, ...]:
    undated = candidate.detected_date is None and mode is not FreshnessMode.LAW_EVERGREEN
    found = ((UNDATED, undated), (NEAR_DUPLICATE, overlap >= _NEAR))
    return tuple(flag for flag, holds in found if holds)


def _debug(
    listed: Shortlist,
    scores: ModelScores,
    fused: Sequence[FusedScore],
    top: Selection,
    scope: RankingScope,
) -> SearchDebug:
    return SearchDebug(
        pre_filter=PreFilterDebug.trusted(
            {"dropped": listed.dropped, "mmr": MmrDebug(selected=listed.selected)}
        ),
        llm=LlmDebug(
            fallback=scores.fallback, cache_hit=scores.cache_hit, llm_items=len(scores.items)
        ),
        fusion=FusionDebug(
            fused_scores={each.id: each.fused for each in fused},
            rrf_components={each.id: each.components for each in fused},
            rrf_k=scope.settings.rrf_k,
            diversity_buckets=top.buckets,
            promoted=top.promoted,
        ),
    )
