"""Hybrid retrieval: both legs in parallel, every candidate with its rank and score in each."""

import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from veridical.search.chunk import Hit, StoredChunk, WeighedHits
from veridical.search.embeddings.embedder import Embedder, EmbeddingError
from veridical.search.filter import NO_FILTER, Filter
from veridical.search.index import SearchIndex
from veridical.search.leg_fusion import FusedHit, Leg, StandardScores, fused
from veridical.search.vector_gap import VectorGap, VectorGapError

_log = logging.getLogger(__name__)
_NOTHING_NEAR = WeighedHits(())


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that at least one leg found."""

    stored: StoredChunk
    lexical: Hit | None
    vector: Hit | None
    order: float
    """The sort key: higher is better."""
    standard: StandardScores | None = None
    """The parts of the sort key where the collection has a weight; else it is reciprocal ranks."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The candidates for a question, best first, and why the vector leg is missing."""

    candidates: tuple[Candidate, ...]
    gap: VectorGap | None = None
    """Why the candidates are those of the lexical leg alone, although there is an embedder."""
    vector_weight: float | None = None
    """The weight of the vector leg; none where ranks were fused."""


@dataclass(frozen=True)
class Retriever:
    """Searches one index; without an embedder, by words alone."""

    index: SearchIndex
    embedder: Embedder | None = None
    threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(4, "search"))

    def retrieve(
        self, question: str, k: int = 20, where: Filter = NO_FILTER, depth: int = 50
    ) -> Retrieved:
        """The best candidates: each leg brings its best ``depth``."""
        depth = max(depth, k)
        near: Future[WeighedHits] | None = None
        if self.embedder is not None:
            near = self.threads.submit(self._near, self.embedder, question, depth, where)
        lexical = _by_chunk(self.index.lexical(question, depth, where))
        found, gap = _outcome(near, found_words=bool(lexical))
        vector = _by_chunk(found.hits)
        best = fused(lexical, vector, found.weight)[:k]
        return Retrieved(self._joined(best, lexical, vector), gap, found.weight)

    def _near(self, embedder: Embedder, question: str, depth: int, where: Filter) -> WeighedHits:
        vector = embedder.embed_query(question)
        return self.index.weighed_nearest(embedder.model, vector, depth, where)

    def _joined(self, best: Sequence[FusedHit], lexical: Leg, vector: Leg) -> tuple[Candidate, ...]:
        hits = (*lexical.values(), *vector.values())
        stored = {hit.chunk: hit.stored for hit in hits if hit.stored is not None}
        missing = [each.chunk for each in best if each.chunk not in stored]
        if missing:
            stored |= {each.id: each for each in self.index.chunks(missing)}
        return tuple(
            Candidate(
                stored[each.chunk],
                lexical.get(each.chunk),
                vector.get(each.chunk),
                each.order,
                each.standard,
            )
            for each in best
            if each.chunk in stored
        )


def _outcome(
    near: Future[WeighedHits] | None, *, found_words: bool
) -> tuple[WeighedHits, VectorGap | None]:
    """The hits of the vector leg, or why there are none."""
    if near is None:
        return _NOTHING_NEAR, None
    try:
        found = near.result()
    except EmbeddingError as error:
        _log.warning("the question was not embedded: %s", error)
        return _NOTHING_NEAR, VectorGap.EMBEDDER_AWAY
    except VectorGapError as error:
        return _NOTHING_NEAR, error.gap
    if found.hits:
        return found, None
    # Every vector is near to some degree: where there are none, nothing was embedded.
    return _NOTHING_NEAR, VectorGap.NOT_EMBEDDED if found_words else None


def _by_chunk(hits: Sequence[Hit]) -> Mapping[int, Hit]:
    return {hit.chunk: hit for hit in hits}
