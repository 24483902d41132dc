"""The vectors of a collection as steps of a run: each embeds a part of what is without one."""

import asyncio
import time
from collections.abc import AsyncIterator
from functools import partial

from veridical.contracts.extras import MissingExtraError
from veridical.contracts.search_ingest import VectorOutcome
from veridical.contracts.step import Json, Step
from veridical.search.embed import EmbedReport, embed_missing
from veridical.search.embeddings.opened import opened_embedder
from veridical.search.index import SearchIndex
from veridical.search.score.settings import read_score_settings
from veridical.search.vector_gap import VectorGap

PAGES = 32
"""In a step: few enough for a worker that is to stop, and so many that counting what is left,
which each step does, costs little beside them."""


async def embed_in_steps(
    index: SearchIndex, step: Step
) -> AsyncIterator[tuple[float, VectorOutcome]]:
    """Time and state of the vectors after each part; nothing without an embedder.

    That there is no embedder is a step's result too: the steps are the same in every life,
    whatever has been set meanwhile.
    """
    number, after = 0, 0
    while True:
        part = await step(f"embed:{number}", partial(_part, index, after))
        if part["vectors"] is None:
            return
        yield part["at"], VectorOutcome.model_validate(part["vectors"])
        if part["after"] is None:
            return
        number, after = number + 1, part["after"]


async def _part(index: SearchIndex, after: int) -> Json:
    part = await asyncio.to_thread(_some_embedded, index, after)
    return {"at": time.time(), **part}


def _some_embedded(index: SearchIndex, after: int) -> Json:
    settings = read_score_settings().embedder
    if settings is None:
        return {"vectors": None, "after": None}
    model = settings.model
    try:
        embedder = opened_embedder(settings)
        model = embedder.model
        report = embed_missing(index, embedder, after=after, pages=PAGES)
    except MissingExtraError as error:
        report = EmbedReport(gap=VectorGap.EMBEDDER_AWAY, reason=str(error))
    outcome = VectorOutcome(
        model=model,
        vector_count=report.chunks - report.missing,
        missing_count=report.missing,
        gap=report.gap.name.lower() if report.gap else None,
        reason=report.reason,
    )
    return {"vectors": outcome.model_dump(mode="json", by_alias=True), "after": report.next_after}
