"""The model that scores, opened for one search: its client belongs to the loop that uses it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from veridical.agent.settings import AgentSettings
from veridical.search.score.model_scores import ScoreCache, ScoringModel


@asynccontextmanager
async def scoring_model(
    settings: AgentSettings | None, cache: ScoreCache | None = None
) -> AsyncGenerator[ScoringModel | None]:
    """The model of these settings; none without settings. Raises ``ModelNotConfiguredError``."""
    if settings is None:
        yield None
        return
    from veridical.agent.provider import open_model  # the providers' clients take seconds to load

    async with open_model(settings) as model:
        yield ScoringModel(model, cache)
