"""Scores by a model: in small batches, shuffled, cached, and with a time limit."""

import asyncio
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic_ai.models import Model

from veridical.agent.failure import FailureCode
from veridical.agent.model_call import Reply
from veridical.contracts.search_candidate import SearchCandidate
from veridical.contracts.search_result import LLMScoredItem
from veridical.contracts.step import Json, Step, directly
from veridical.search.score.model_outcome import ModelScores
from veridical.search.score.model_request import ScoreTask, ask_for_scores, read_scores
from veridical.search.score.summaries import ExpiringCache


class ScoreCache(ExpiringCache[LLMScoredItem]):
    """A model's scores by all that it was shown."""


@dataclass(frozen=True, slots=True)
class ScoringModel:
    """The model that scores, and the cache of its scores."""

    model: Model
    cache: ScoreCache | None = None


async def model_scores(
    scoring: ScoringModel,
    task: ScoreTask,
    candidates: Sequence[SearchCandidate],
    step: Step = directly,
) -> ModelScores:
    """A score for each candidate that the model gave one for, now or within the cache's time."""
    keys = {each.id: _key(scoring.model, task, each) for each in candidates}
    known = await _cached(scoring.cache, keys, step)
    missing = [each for each in shuffled(candidates, task) if each.id not in known]
    size = task.settings.batch_size
    batches = [missing[start : start + size] for start in range(0, len(missing), size)]
    failures: list[FailureCode] = []
    fresh: dict[str, LLMScoredItem] = {}
    replies = await _replies(scoring.model, task, batches, step)
    for batch, reply in zip(batches, replies, strict=True):
        found, failure = read_scores(reply, batch, task.settings.max_reason_length)
        fresh |= found
        if failure is not None:
            failures.append(failure)
    if scoring.cache:
        for name, item in fresh.items():
            scoring.cache.put(keys[name], item)
    return ModelScores(
        items=known | fresh,
        fallback=failures[0].value if failures else None,
        cache_hit=bool(known) and not missing,
        timed_out=FailureCode.TIMEOUT in failures,
    )


def shuffled(candidates: Sequence[SearchCandidate], task: ScoreTask) -> list[SearchCandidate]:
    """An order that has nothing to do with the ranks, and is the same for the same seed."""
    seed = f"{task.settings.shuffle_seed}\0{task.context.question}"
    return sorted(candidates, key=lambda each: (_hash(f"{seed}\0{each.id}"), each.id))


async def _cached(
    cache: ScoreCache | None, keys: dict[str, str], step: Step
) -> dict[str, LLMScoredItem]:
    """The cached scores, as a step: a replay must request the same batches."""

    async def look() -> Json:
        found = {name: cache.get(key) for name, key in keys.items()} if cache else {}
        return {name: item.model_dump(mode="json") for name, item in found.items() if item}

    found: dict[str, Json] = await step("search.score.cache", look)
    return {name: LLMScoredItem.model_validate(item) for name, item in found.items()}


async def _replies(
    model: Model, task: ScoreTask, batches: Sequence[Sequence[SearchCandidate]], step: Step
) -> list[Reply]:
    """All at once; one after the other where steps are recorded, which have an order."""
    limit = task.settings.llm_timeout_s

    async def one(number: int, left: float) -> Reply:
        async def ask() -> Json:
            return await ask_for_scores(model, task, batches[number], left)

        return Reply.model_validate(await step(f"search.score.{number}", ask))

    if step is directly:
        return await asyncio.gather(*(one(number, limit) for number in range(len(batches))))
    replies: list[Reply] = []
    for number in range(len(batches)):
        spent = sum(each.elapsed_ms for each in replies) / 1000
        replies.append(await one(number, max(limit - spent, 0.0)))
    return replies


def _key(model: Model, task: ScoreTask, candidate: SearchCandidate) -> str:
    """The cache key: a hash of all that the score depends on."""
    parts = (
        model.model_name,
        task.language,
        task.max_tokens,
        task.settings.temperature,
        task.context.model_dump_json(),
        task.known,
        candidate.id,
        candidate.fingerprint,
        candidate.model_dump_json(include={"title", "snippet", "url", "detected_date"}),
    )
    return _hash(json.dumps(parts))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
