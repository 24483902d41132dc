"""Hybrid retrieval: both legs in parallel, every candidate with its rank and score in each."""

import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from veridical.search.chunk import Hit, StoredChunk
from veridical.search.embeddings.embedder import Embedder, EmbeddingError
from veridical.search.filter import NO_FILTER, Filter
from veridical.search.index import SearchIndex
from veridical.search.vector_gap import VectorGap, VectorGapError

_log = logging.getLogger(__name__)
FUSE_K = 60
"""How slowly the worth of a rank falls, in the order of the candidates."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that at least one leg found."""

    stored: StoredChunk
    lexical: Hit | None
    vector: Hit | None

    @property
    def order(self) -> float:
        """Reciprocal ranks of both legs added up: higher is better."""
        return sum(1 / (FUSE_K + hit.rank) for hit in (self.lexical, self.vector) if hit)


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The candidates for a question, best first, and why the vector leg is missing."""

    candidates: tuple[Candidate, ...]
    gap: VectorGap | None = None
    """Why the candidates are those of the lexical leg alone, although there is an embedder."""


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
        near: Future[Sequence[Hit]] | None = None
        if self.embedder is not None:
            near = self.threads.submit(self._near, self.embedder, question, depth, where)
        lexical = by_chunk(self.index.lexical(question, depth, where))
        vector, gap = _outcome(near, found_words=bool(lexical))
        return Retrieved(self._joined(lexical, vector, k), gap)

    def _near(self, embedder: Embedder, question: str, depth: int, where: Filter) -> Sequence[Hit]:
        return self.index.nearest(embedder.model, embedder.embed_query(question), depth, where)

    def _joined(
        self, lexical: Mapping[int, Hit], vector: Mapping[int, Hit], k: int
    ) -> tuple[Candidate, ...]:
        order = fused(lexical, vector)[:k]
        hits = (*lexical.values(), *vector.values())
        stored = {hit.chunk: hit.stored for hit in hits if hit.stored is not None}
        missing = [chunk for chunk in order if chunk not in stored]
        if missing:
            stored |= {each.id: each for each in self.index.chunks(missing)}
        return tuple(
            Candidate(stored[chunk], lexical.get(chunk), vector.get(chunk))
            for chunk in order
            if chunk in stored
        )


def _outcome(
    near: Future[Sequence[Hit]] | None, *, found_words: bool
) -> tuple[Mapping[int, Hit], VectorGap | None]:
    """What the vector leg found, or why it found nothing."""
    if near is None:
        return {}, None
    try:
        hits = near.result()
    except EmbeddingError as error:
        _log.warning("the question was not embedded: %s", error)
        return {}, VectorGap.EMBEDDER_AWAY
    except VectorGapError as error:
        return {}, error.gap
    # Every vector is near to some degree: where there are none, nothing was embedded.
    return by_chunk(hits), None if hits or not found_words else VectorGap.NOT_EMBEDDED


def by_chunk(hits: Sequence[Hit]) -> Mapping[int, Hit]:
    """The hits of a leg by their chunks."""
    return {hit.chunk: hit for hit in hits}


def fused(*legs: Mapping[int, Hit]) -> list[int]:
    """The chunks of all legs by their reciprocal ranks; ties by number, so the order is total."""
    worth: dict[int, float] = {}
    for leg in legs:
        for chunk, hit in leg.items():
            worth[chunk] = worth.get(chunk, 0.0) + 1 / (FUSE_K + hit.rank)
    return sorted(worth, key=lambda chunk: (-worth[chunk], chunk))
