"""Hybrid retrieval: both legs, each with its rank and score; one may fail."""

from collections.abc import Sequence

import pytest

from tests.search.passages import passages
from veridical.search.embeddings.embedder import EmbeddingError, Vector
from veridical.search.retrieve import FUSE_K, Retriever
from veridical.search.store.index import PostgresIndex
from veridical.search.store.vector_state import VectorWeight
from veridical.search.vector_gap import VectorGap
from veridical.store.connection import Store

_MEANINGS = {
    "a car drives": [1.0, 0.1],
    "an automobile on the road": [0.9, 0.2],
    "a cat sleeps": [0.0, 1.0],
    "vehicle": [1.0, 0.0],
    "cat": [0.0, 1.0],
    "a cat drives a car": [0.0, 1.0],
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
    assert found[0].standard is None

    without = retriever.retrieve("sleeps unheard", 3)
    assert without.gap is VectorGap.EMBEDDER_AWAY
    assert [each.stored.origin.source for each in without.candidates] == ["a cat sleeps"]


@pytest.mark.postgres
def test_a_measured_weight_changes_the_order_and_is_told(store: Store) -> None:
    index = PostgresIndex(store.tenant, "acme", "weighed")
    texts = list(_MEANINGS)[:3]
    written = index.write(passages({text: text for text in texts}))
    model = KnownMeanings()
    index.write_vectors(model.model, [(n, _MEANINGS[chunk.text]) for n, chunk in written])
    retriever = Retriever(index, model)
    asked = "a cat drives a car"  # of the words more say car, the meaning says cat
    assert retriever.retrieve(asked, 3).vector_weight is None
    for weight, first in ((0.9, "a cat sleeps"), (0.1, "a car drives")):
        index.keep_weight(model.model, VectorWeight(weight, 3))
        found = retriever.retrieve(asked, 3)
        best = found.candidates[0]
        assert (found.vector_weight, best.stored.origin.source) == (weight, first)
        assert best.standard
        assert best.standard.vector_weight == weight
        assert best.order == best.standard.order
    index.keep_weight("another", VectorWeight(0.9, 3))
    assert index.weighed_nearest("another", [1.0, 0.0], 3).weight == 0.9
    other = PostgresIndex(store.tenant, "acme", "unweighed")
    assert other.vector_weight(model.model) is None
