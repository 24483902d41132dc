"""Hybrid retrieval: both legs in parallel, fused into one order.

Where it was measured what the vectors of a collection weigh, scores are added up, each in
deviations from the mean of its leg's hits; where it was not, reciprocal ranks are. A rank says that
a hit is its leg's best and not how good it is: a leg that knows nothing would be half of the sum.
"""

import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from math import fsum, isfinite, sqrt

from veridical.search.chunk import Hit, StoredChunk, WeighedHits
from veridical.search.embeddings.embedder import Embedder, EmbeddingError
from veridical.search.filter import NO_FILTER, Filter
from veridical.search.index import SearchIndex
from veridical.search.vector_gap import VectorGap, VectorGapError

FUSE_K = 60
"""How slowly the worth of a rank falls."""


Leg = Mapping[int, Hit]
"""The hits of a leg by their chunks."""


@dataclass(frozen=True, slots=True)
class StandardScores:
    """The scores of a chunk in each leg, in deviations from the mean of the leg's hits."""

    vector_weight: float
    lexical: float
    vector: float

    @property
    def order(self) -> float:
        """The weighted sum."""
        return (1 - self.vector_weight) * self.lexical + self.vector_weight * self.vector


@dataclass(frozen=True, slots=True)
class FusedHit:
    """A chunk that at least one leg found."""

    chunk: int
    order: float
    """The sort key: higher is better."""
    standard: StandardScores | None = None
    """The parts of the sort key; none where it is reciprocal ranks."""


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


def fused(lexical: Leg, vector: Leg, vector_weight: float | None = None) -> list[FusedHit]:
    """The chunks of both legs, best first; without a weight by reciprocal ranks alone.

    What is equal goes by reciprocal ranks, then by number, so the order is total.
    """
    ranks = _reciprocal_ranks(lexical, vector)
    if vector_weight is None:
        found = [FusedHit(chunk, worth) for chunk, worth in ranks.items()]
    else:
        words, no_words = _standardised(lexical)
        near, not_near = _standardised(vector)
        scores = {
            chunk: StandardScores(
                vector_weight, words.get(chunk, no_words), near.get(chunk, not_near)
            )
            for chunk in ranks
        }
        found = [FusedHit(chunk, each.order, each) for chunk, each in scores.items()]
    return sorted(found, key=lambda each: (-each.order, -ranks[each.chunk], each.chunk))


def _reciprocal_ranks(*legs: Leg) -> dict[int, float]:
    worth: dict[int, float] = {}
    for leg in legs:
        for chunk, hit in leg.items():
            worth[chunk] = worth.get(chunk, 0.0) + 1 / (FUSE_K + hit.rank)
    return worth


def _standardised(leg: Leg) -> tuple[dict[int, float], float]:
    """Each hit's score, and that of a chunk that is not among the hits: their lowest.

    Hits that are all equal say found or not found and nothing else: 1 or -1, the standard scores of
    two values that are equally many. A vector without a direction is near to nothing: its score is
    no number, and it counts as not found.
    """
    scores = {chunk: hit.score for chunk, hit in leg.items() if isfinite(hit.score)}
    if not scores:
        return {}, 0.0
    mean = fsum(scores.values()) / len(scores)
    deviation = sqrt(fsum((each - mean) ** 2 for each in scores.values()) / len(scores))
    if min(scores.values()) == max(scores.values()) or not deviation:
        return dict.fromkeys(scores, 1.0), -1.0
    standard = {chunk: (each - mean) / deviation for chunk, each in scores.items()}
    return standard, min(standard.values())
