"""Evidence for a question: retrieved from the collections of a tenant, scored, and cut to the best.

What is not available is flagged and done without: the caller always gets a result.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AbstractContextManager, nullcontext
from contextvars import copy_context
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection

from veridical.contracts.chunk import Chunk
from veridical.contracts.language import Language
from veridical.contracts.search_candidate import (
    HYBRID,
    HybridPart,
    LegRank,
    ScoreRequest,
    ScoreResultsData,
    SearchCandidate,
)
from veridical.contracts.search_context import ScoringContext, as_meta
from veridical.contracts.search_result import HybridResult, RankedItem
from veridical.search.chunk import StoredChunk
from veridical.search.embeddings.embedder import Embedder
from veridical.search.index import opened_index
from veridical.search.origins import url_of
from veridical.search.retrieve import Candidate, Retrieved, Retriever
from veridical.search.score.flow import ScoreServices, search_and_score
from veridical.search.score.model_scores import ScoringModel
from veridical.search.score.settings import ScoreSettings
from veridical.search.score.summaries import SummaryCache
from veridical.search.store.collections import collection_names
from veridical.search.store.passages import PassagePlace, passages_at
from veridical.search.vector_gap import VectorGap
from veridical.tools.evidence_shelf import EvidenceQuery, FoundEvidence

_DEPTH = 50
"""Candidates that each leg brings from each collection."""
_AT_ONCE = 8
_DIGITS = 6
_DOCUMENT = "doc-"
_log = logging.getLogger(__name__)
Made = TypeVar("Made")
OpenedScoring = Callable[[], AbstractAsyncContextManager[ScoringModel | None]]
"""Opens the model that scores, in the loop that calls it."""


def no_scoring() -> AbstractAsyncContextManager[ScoringModel | None]:
    """No model."""
    return nullcontext()


@dataclass(frozen=True, slots=True)
class ScoredEvidence:
    """The ranking, and the passages of the store behind it, by candidate."""

    result: HybridResult
    passages: Mapping[str, StoredChunk]
    gap: VectorGap | None = None
    """Why a collection was searched by words alone, although there is an embedder."""
    embedder: str = ""
    """The name of its model."""


@dataclass(frozen=True)
class EvidenceSearch:
    """Searches the collections of any tenant; every call names the tenant it is for."""

    transaction: Callable[[str], AbstractContextManager[Connection]]
    """Opens a transaction for a tenant, such as ``Store.tenant``."""
    settings: ScoreSettings
    embedder: Embedder | None = None
    summaries: SummaryCache | None = None
    legs: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(_AT_ONCE, "leg"))
    calls: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(_AT_ONCE, "evidence")
    )
    """Apart from the legs: a call waits for its legs."""

    async def scored(
        self,
        request: ScoreRequest,
        tenant: str,
        collections: tuple[str, ...],
        language: Language | None = None,
        *,
        model: ScoringModel | None = None,
        limit: int | None = None,
    ) -> ScoredEvidence:
        """The ranked evidence of a request: its own candidates and those of these collections.

        Raises ``ValidationError`` for a context that is not right.
        """
        passages: dict[str, StoredChunk] = {}
        gaps: list[VectorGap | None] = []

        async def recall(context: ScoringContext) -> list[SearchCandidate]:
            retrieved = await self.retrieved(context.question, tenant, collections)
            gaps.extend(each.gap for each in retrieved.values())
            found = candidates_of(retrieved)
            stored = (each.stored for one in retrieved.values() for each in one.candidates)
            passages.update((citation_id(each), each) for each in stored)
            return found

        settings = self.settings.model_copy(update={"top_k": limit}) if limit else self.settings
        services = ScoreServices(recall, model, self.summaries)
        now = datetime.now(UTC)
        result = await search_and_score(request, services, settings, now, language=language)
        gap = next((each for each in gaps if each is not None), None)
        if gap is not None:
            flags = result.flags.model_copy(update={"lexical_only": True})
            result = result.model_copy(update={"flags": flags})
        return ScoredEvidence(result, passages, gap, self.embedder.model if self.embedder else "")

    async def retrieved(
        self, question: str, tenant: str, collections: Sequence[str]
    ) -> dict[str, Retrieved]:
        """What each collection has for the question, before anything is scored."""
        retrieve = partial(self._retrieved, question, tenant)
        return {name: await asyncio.to_thread(retrieve, name) for name in collections}

    def search(self, query: EvidenceQuery, scoring: OpenedScoring = no_scoring) -> FoundEvidence:
        """The best passages for a tool's call, from any thread; a model scores them if the call
        wants that and there is one, opened for the loop of this search."""
        data = ScoreResultsData(query=query.question)
        request = ScoreRequest(data=data, meta=as_meta(query.scoring_context))

        async def scored() -> ScoredEvidence:
            async with scoring() if query.by_model else no_scoring() as model:
                return await self.scored(
                    request,
                    query.tenant,
                    query.collections,
                    query.language,
                    model=model,
                    limit=query.limit,
                )

        found = self.wait(scored())
        passages, result = found.passages, found.result
        chunks = tuple(chunk_of(each, passages[each.candidate_id]) for each in result.top_k)
        return FoundEvidence(chunks, result.flags, result.coverage_delta)

    def existing(self, tenant: str) -> frozenset[str] | None:
        """The names of a tenant's collections; none where they can't be read now."""
        try:
            with self.transaction(tenant) as connection:
                return collection_names(connection, tenant)
        except Exception as error:
            # The search itself will say that the store is away.
            _log.warning("the collections could not be read: %s", error)
            return None

    def current(self, tenant: str, ids: Sequence[str]) -> Mapping[str, Chunk] | None:
        """The passages of these ids as they are now; none where they can't be read now."""
        places = {place: each for each in ids if (place := _place(each)) is not None}
        try:
            with self.transaction(tenant) as connection:
                return {
                    places[place]: Chunk(id=places[place], text=text, source=source, title=title)
                    for place, text, source, title in passages_at(connection, tuple(places))
                }
        except Exception as error:
            _log.warning("the passages could not be read again: %s", error)
            return None

    def wait(self, coroutine: Coroutine[Any, Any, Made]) -> Made:
        """The result of a coroutine, also where this thread runs a loop of its own."""
        return self.calls.submit(copy_context().run, asyncio.run, coroutine).result()

    def close(self) -> None:
        """Ends the threads; what is under way is waited for."""
        self.calls.shutdown()
        self.legs.shutdown()

    def _retrieved(self, question: str, tenant: str, collection: str) -> Retrieved:
        index = opened_index(self.settings, self.transaction, tenant, collection)
        return Retriever(index, self.embedder, self.legs).retrieve(question, _DEPTH)


def candidates_of(retrieved: Mapping[str, Retrieved]) -> list[SearchCandidate]:
    """The retrieved chunks of all collections, in the form that is scored.

    Each collection is fused by its own weight. As soon as one has a weight, all take part with
    their fused places: with two legs here and one there, a first place would not be worth the same.
    """
    is_weighed = any(each.vector_weight is not None for each in retrieved.values())
    return [
        candidate_of(each, name, place if is_weighed else None)
        for name, one in retrieved.items()
        for place, each in enumerate(one.candidates, 1)
    ]


def candidate_of(found: Candidate, collection: str, place: int | None = None) -> SearchCandidate:
    """A retrieved chunk in the form that is scored, with its rank in each leg.

    With its ``place`` among those that were retrieved, this is a leg too.
    """
    stored = found.stored
    origin = stored.origin
    hits = {"lexical": found.lexical, "vector": found.vector}
    legs = {name: LegRank(rank=hit.rank, score=hit.score) for name, hit in hits.items() if hit}
    if place is not None:
        legs[HYBRID] = LegRank(rank=place, score=found.order)
    return SearchCandidate(
        id=citation_id(stored),
        title=origin.title,
        snippet=stored.chunk.text,
        url=url_of(origin),
        domain_type=origin.domain_type or None,
        detected_date=origin.detected_date,
        version=origin.version or None,
        collection=collection,
        stored=True,
        legs=legs,
        hybrid=hybrid_parts(found),
    )


def hybrid_parts(found: Candidate) -> dict[str, HybridPart]:
    """The parts of the sum of standardised scores; none where ranks were fused."""
    made = found.standard
    if made is None:
        return {}
    legs = (
        ("lexical", 1 - made.vector_weight, made.lexical, found.lexical),
        ("vector", made.vector_weight, made.vector, found.vector),
    )
    return {
        name: HybridPart(
            weight=round(weight, _DIGITS),
            standard=round(standard, _DIGITS),
            rank=hit.rank if hit else None,
            score=hit.score if hit else None,
        )
        for name, weight, standard, hit in legs
    }


def citation_id(stored: StoredChunk) -> str:
    """The id of a passage in answers: its document and its number in it, ``doc-417#2``. Both stay
    while the passage stays as it is."""
    return f"{_DOCUMENT}{stored.document}#{stored.position + 1}"


def _place(citation: str) -> PassagePlace | None:
    """The document and the position that an id names; none for what is no id of ours."""
    document, _, number = citation.removeprefix(_DOCUMENT).partition("#")
    if not (document.isdecimal() and number.isdecimal()):
        return None
    return int(document), int(number) - 1


def chunk_of(item: RankedItem, stored: StoredChunk) -> Chunk:
    """A scored passage as evidence."""
    origin = stored.origin
    return Chunk(
        id=item.candidate_id,
        text=stored.chunk.text,
        source=origin.source,
        title=origin.title,
        date=origin.detected_date.date().isoformat() if origin.detected_date else "",
        language=stored.chunk.language,
        score=item.score,
        reason=item.reason,
        model_score=item.model_score,
        gap_tags=item.gap_tags,
        risk_flags=item.risk_flags,
        facet_coverage=item.facet_coverage,
    )
