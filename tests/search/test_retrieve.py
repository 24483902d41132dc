"""Hybrid retrieval: both legs, each with its rank and score; one may fail."""

from collections.abc import Sequence

import pytest

from tests.search.passages import passages
from veridical.search.chunk import Hit
from veridical.search.embeddings.embedder import EmbeddingError, Vector
from veridical.search.retrieve import FUSE_K, Retriever, fused
from veridical.search.store.index import PostgresIndex
from veridical.search.vector_gap import VectorGap
from veridical.store.connection import Store

_MEANINGS = {
    "a car drives": [1.0, 0.1],
    "an automobile on the road": [0.9, 0.2],
    "a cat sleeps": [0.0, 1.0],
    "vehicle": [1.0, 0.0],
    "cat": [0.0, 1.0],
}


class KnownMeanings:
    """An embedder for these few texts."""

    model = "known"

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> Vector:
        if text not in _MEANINGS:
            raise EmbeddingError(text)
        return _MEANINGS[text]


@pytest.mark.postgres
def test_every_candidate_has_the_ranks_and_scores_of_its_legs(store: Store) -> None:
    index = PostgresIndex(store.tenant, "acme", "meanings")
    documents = passages({text: text for text in list(_MEANINGS)[:3]})
    written = index.write(documents)
    model = KnownMeanings()
    index.write_vectors(model.model, [(n, _MEANINGS[chunk.text]) for n, chunk in written])
    retriever = Retriever(index, model)

    found = retriever.retrieve("vehicle", 2).candidates
    assert [each.stored.chunk.text for each in found] == [
        "a car drives",
        "an automobile on the road",
    ]
    assert all(each.lexical is None and each.vector for each in found)

    found = retriever.retrieve("cat", 3).candidates
    assert found[0].stored.origin.source == "a cat sleeps"
    assert found[0].lexical
    assert found[0].lexical.rank == 1
    assert found[0].vector
    assert found[0].vector.score == pytest.approx(1.0, abs=0.001)
    assert found[0].order == 2 / (FUSE_K + 1)

    without = retriever.retrieve("sleeps unheard", 3)
    assert without.gap is VectorGap.EMBEDDER_AWAY
    assert [each.stored.origin.source for each in without.candidates] == ["a cat sleeps"]


def test_the_order_of_both_legs_is_total() -> None:
    one = {number: Hit(number, 1.0, number) for number in (1, 2, 3)}
    other = {4 - number: Hit(4 - number, 1.0, number) for number in (1, 2, 3)}
    assert fused(one, other) == [1, 3, 2]
    assert fused(other, one) == [1, 3, 2]
    assert fused({}, {}) == []
