"""Questions are embedded once, and an embedder that is away is not asked again at once."""

from collections.abc import Sequence

import pytest

from veridical.search.embeddings.embedder import EmbeddingError, Vector
from veridical.search.embeddings.remembered import RememberingEmbedder


class Counting:
    """Counts what it is asked."""

    model = "counting"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.is_away = False

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> Vector:
        self.asked.append(text)
        if self.is_away:
            raise EmbeddingError("away")
        return [float(len(text))]


def test_a_question_is_embedded_once() -> None:
    behind = Counting()
    embedder = RememberingEmbedder(behind)
    assert embedder.embed_query("car") == embedder.embed_query("car") == [3.0]
    assert behind.asked == ["car"]
    for number in range(1000):
        embedder.embed_query(f"q{number}")
    embedder.embed_query("car")
    assert behind.asked.count("car") == 2  # it does not remember for ever
    assert embedder.embed(["a", "bb"]) == [[1.0], [2.0]]
    assert embedder.model == "counting"


def test_an_embedder_that_is_away_is_left_alone_for_a_while() -> None:
    behind, now = Counting(), [0.0]
    embedder = RememberingEmbedder(behind, lambda: now[0])
    embedder.embed_query("known")
    behind.is_away = True
    for _ in range(5):
        with pytest.raises(EmbeddingError):
            embedder.embed_query("car")
    assert behind.asked == ["known", "car"]
    assert embedder.embed_query("known") == [5.0]
    behind.is_away = False
    now[0] = 60.0
    assert embedder.embed_query("car") == [3.0]
