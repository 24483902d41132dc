"""What vectors weigh: measured by the collection's own sentences, when due, never in the way."""

from collections.abc import Sequence

import pytest

from tests.search.passages import passages
from veridical.search import embed
from veridical.search.embed import (
    LEAST_CHUNKS,
    embed_missing,
    first_sentence,
    is_due,
    renewed_weight,
)
from veridical.search.embeddings.embedder import EmbeddingError, RefusedTextError, Vector
from veridical.search.retrieve import Retriever
from veridical.search.store.index import PostgresIndex
from veridical.search.store.vector_state import VectorWeight
from veridical.store.connection import Store

_TOPICS = ("lease", "invoice", "holiday", "laptop", "kitchen", "parking", "salary", "training")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("The lease ends in May. Then it is renewed.", "The lease ends in May."),
        ("Ja. Die Miete beträgt 3.5 Prozent. Mehr nicht.", "Die Miete beträgt 3.5 Prozent."),
        ("租约的通知期为三个月。此后可以续约。", "租约的通知期为三个月。"),
        ("A line\nthat goes on. Another.", "A line\nthat goes on."),
        ("A heading here\n\nThen a text. More.", "A heading here"),
        ("no end at all", "no end at all"),
        ("Ja.", "Ja."),
        ("", ""),
        ("long " * 100, "long " * 60),
    ],
)
def test_the_first_sentence_that_says_something(text: str, sentence: str) -> None:
    assert first_sentence(text) == sentence


@pytest.mark.parametrize(
    ("measured_at", "chunks", "due"),
    [(None, 99, False), (None, 100, True), (100, 199, False), (100, 200, True), (500, 100, False)],
)
def test_it_is_measured_once_and_when_the_collection_has_doubled(
    measured_at: int | None, chunks: int, due: bool
) -> None:
    known = None if measured_at is None else VectorWeight(0.4, measured_at)
    assert is_due(known, chunks) is due


class Topics:
    """Knows what a text is about; or, told to, nothing."""

    model = "topics"

    def __init__(self, *, knows: bool = True) -> None:
        self.knows = knows
        self.is_away = False
        self.refuses = False
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [self._vector(text) for text in texts]

    def embed_query(self, text: str) -> Vector:
        self.asked.append(text)
        if self.refuses:
            raise RefusedTextError(text)
        if self.is_away:
            raise EmbeddingError("away")
        return self._vector(text)

    def _vector(self, text: str) -> Vector:
        if not self.knows:
            return [1.0] * len(_TOPICS)
        return [0.1 + (topic in text) for topic in _TOPICS]


def filled(
    store: Store, name: str, count: int = LEAST_CHUNKS, tenant: str = "acme"
) -> PostgresIndex:
    index = PostgresIndex(store.tenant, tenant, name)
    added(index, range(count))
    return index


def added(index: PostgresIndex, numbers: range) -> None:
    texts = (f"The {_TOPICS[n % len(_TOPICS)]} has a rule. Its number is {n}." for n in numbers)
    index.write(passages({f"d{n}": text for n, text in zip(numbers, texts, strict=True)}))


@pytest.fixture(autouse=True)
def few_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embed, "SENTENCES", 24)


@pytest.mark.postgres
class TestMeasured:
    def test_a_model_that_knows_the_texts_weighs_more(self, store: Store) -> None:
        index, knowing = filled(store, "known"), Topics()
        report = embed_missing(index, knowing)
        assert report.weight is not None
        assert report.summary["vectorWeight"] == report.weight
        assert set(knowing.asked) <= {f"The {topic} has a rule." for topic in _TOPICS}
        ignorant = Topics(knows=False)
        ignorant.model = "ignorant"
        unknown = embed_missing(index, ignorant)
        assert unknown.weight is not None
        assert report.weight > 2 * unknown.weight
        assert index.vector_weight("topics") == VectorWeight(report.weight, LEAST_CHUNKS)
        assert Retriever(index, knowing).retrieve("a lease").vector_weight == report.weight

    def test_the_same_documents_weigh_the_same(self, store: Store) -> None:
        first, second = Topics(), Topics()
        weights = {
            embed_missing(filled(store, "one"), first).weight,
            embed_missing(filled(store, "two"), second).weight,
        }
        assert len(weights) == 1
        assert first.asked == second.asked, "the same sentences, whatever numbers the chunks have"
        assert len(first.asked) == 24

    def test_it_is_measured_again_only_when_due(self, store: Store) -> None:
        index, embedder = filled(store, "growing", LEAST_CHUNKS - 1), Topics()
        assert embed_missing(index, embedder).weight is None
        assert Retriever(index, embedder).retrieve("a lease").vector_weight is None
        embedder.asked.clear()
        added(index, range(LEAST_CHUNKS - 1, LEAST_CHUNKS))
        weight = embed_missing(index, embedder).weight
        assert weight is not None
        assert len(embedder.asked) == 24
        assert embed_missing(index, embedder).weight == weight
        added(index, range(LEAST_CHUNKS, 2 * LEAST_CHUNKS - 1))
        embed_missing(index, embedder)
        assert len(embedder.asked) == 24
        added(index, range(2 * LEAST_CHUNKS - 1, 2 * LEAST_CHUNKS))
        embed_missing(index, embedder)
        assert len(embedder.asked) == 48
        known = index.vector_weight("topics")
        assert known
        assert known.chunks == 2 * LEAST_CHUNKS
        index.forget_vectors()
        assert index.vector_weight("topics") is None

    def test_nothing_that_is_in_the_way_is_raised(self, store: Store) -> None:
        index, embedder = filled(store, "hindered"), Topics()
        embedder.is_away = True
        away = embed_missing(index, embedder)
        assert (away.embedded, away.missing, away.gap) == (LEAST_CHUNKS, 0, None)
        assert away.weight is None
        assert len(embedder.asked) == 1, "an embedder that is away is not asked on"
        embedder.is_away, embedder.refuses = False, True
        assert embed_missing(index, embedder).weight is None
        embedder.refuses = False
        assert renewed_weight(index, embedder, LEAST_CHUNKS, seconds=-1) is None
        assert index.vector_weight("topics") is None
        assert embed_missing(index, embedder).weight is not None
        gone = PostgresIndex(store.tenant, "acme", "never there")
        assert renewed_weight(gone, embedder, LEAST_CHUNKS) is None

    def test_a_weight_is_the_tenant_s_own(self, store: Store) -> None:
        mine, theirs = filled(store, "both"), filled(store, "both", tenant="globex")
        embed_missing(mine, Topics())
        assert mine.vector_weight("topics")
        assert theirs.vector_weight("topics") is None
        with store.tenant("globex") as connection:
            seen = connection.exec_driver_sql("SELECT tenant FROM veridical.search_weights")
            assert seen.fetchall() == []
            changed = connection.exec_driver_sql("UPDATE veridical.search_weights SET weight = 1")
            assert changed.rowcount == 0
