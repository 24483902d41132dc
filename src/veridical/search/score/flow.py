"""Hybrid search and score: from a request to ranked evidence, in the order in which it happens.

A missing part is flagged and done without: a store that can't be reached, a model that does
not answer. A request that was read is always answered.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from opentelemetry.trace import Tracer

from veridical.contracts.language import Language
from veridical.contracts.search_candidate import ScoreRequest, SearchCandidate
from veridical.contracts.search_context import ScoringContext
from veridical.contracts.search_result import HybridResult
from veridical.contracts.step import Json, Step, directly
from veridical.reading.language import language_of
from veridical.search.score.coverage import best_of
from veridical.search.score.model_outcome import NO_MODEL, SWITCHED_OFF, ModelScores
from veridical.search.score.model_request import ScoreTask
from veridical.search.score.model_scores import ScoringModel, model_scores
from veridical.search.score.ranking import RankingScope, Shortlist, StoreState, rank, shortlist
from veridical.search.score.settings import ScoreSettings, Stage
from veridical.search.score.summaries import Summary, SummaryCache, summaries_of
from veridical.trace.hybrid_span import describe, hybrid_span

Recall = Callable[[ScoringContext], Awaitable[Sequence[SearchCandidate]]]
"""The store's candidates, with their rank in each leg. Any error means: unavailable."""

_KNOWN_POINTS = 15
"""The most key points of the store that the model gets."""
_log = logging.getLogger("veridical.search")


@dataclass(frozen=True, slots=True)
class ScoreServices:
    """Services that a search can use. None of them is needed for a result."""

    recall: Recall | None = None
    model: ScoringModel | None = None
    summaries: SummaryCache | None = None
    tracer: Tracer | None = None


@dataclass(frozen=True, slots=True)
class RankedSearch:
    """A ranking, and the candidates that it is of."""

    result: HybridResult
    candidates: tuple[SearchCandidate, ...]


async def search_and_score(
    request: ScoreRequest,
    services: ScoreServices,
    settings: ScoreSettings,
    now: datetime,
    *,
    language: Language | None = None,
    step: Step = directly,
) -> HybridResult:
    """The ranked evidence of a request: its own candidates and those of the store.

    Raises ``ValidationError`` for an invalid context, before any call.
    """
    found = await ranked_search(request, services, settings, now, language=language, step=step)
    return found.result


async def ranked_search(
    request: ScoreRequest,
    services: ScoreServices,
    settings: ScoreSettings,
    now: datetime,
    *,
    language: Language | None = None,
    step: Step = directly,
) -> RankedSearch:
    """The same with the candidates. Raises ``ValidationError``."""
    context = request.context
    text_language = language or language_of(context.question, Language.EN)
    scope = RankingScope(context, settings, now, text_language)
    with hybrid_span(services.tracer) as span:
        recalled, available = await _recalled(services.recall, context, step)
        candidates = _merged(request.data.candidates, recalled)
        stored = [each for each in candidates if each.stored]
        summaries, rag_cache_hit = summaries_of(
            stored, context.question, settings, services.summaries
        )
        store = StoreState(best_of(each.coverage for each in summaries), available)
        listed = shortlist(candidates, scope)
        scores = await _scores(request, services.model, listed, summaries, scope, step)
        result = rank(listed, scores, store, scope)
        describe(span, result, rag_cache_hit=rag_cache_hit)
    return RankedSearch(result, candidates)


async def _recalled(
    recall: Recall | None, context: ScoringContext, step: Step
) -> tuple[tuple[SearchCandidate, ...], bool]:
    """The store's candidates, and whether it could be reached."""
    if recall is None:
        return (), True

    async def ask() -> Json:
        try:
            found = await recall(context)
        except Exception as error:
            # Never an error of the search: the flag and the log say that the store is away.
            _log.warning("the store could not be reached: %s: %s", type(error).__name__, error)
            _log.debug("where it broke", exc_info=True)
            return None
        return [each.model_dump(mode="json", by_alias=True) for each in found]

    recalled: Json = await step("search.recall", ask)
    if recalled is None:
        return (), False
    return tuple(SearchCandidate.model_validate(each | {"stored": True}) for each in recalled), True


def _merged(
    given: Sequence[SearchCandidate], recalled: Sequence[SearchCandidate]
) -> tuple[SearchCandidate, ...]:
    """Each once: of a candidate that the store has too, the text is the store's, and the legs of
    both count."""
    found = {each.id: each for each in given}
    for each in recalled:
        own = found.get(each.id)
        found[each.id] = (
            each if own is None else each.model_copy(update={"legs": {**own.legs, **each.legs}})
        )
    return tuple(found.values())


async def _scores(
    request: ScoreRequest,
    scoring: ScoringModel | None,
    listed: Shortlist,
    summaries: Sequence[Summary],
    scope: RankingScope,
    step: Step,
) -> ModelScores:
    if not scope.settings.runs(Stage.MODEL):
        return ModelScores({}, fallback=SWITCHED_OFF)
    if scoring is None:
        return ModelScores({}, fallback=NO_MODEL)
    points = [point for summary in summaries for point in summary.key_points]
    task = ScoreTask(
        context=scope.context,
        language=scope.language,
        settings=scope.settings,
        max_tokens=request.control.max_tokens or scope.settings.max_tokens,
        known=tuple(sorted(set(points))[:_KNOWN_POINTS]),
    )
    return await model_scores(scoring, task, listed.candidates, step)
