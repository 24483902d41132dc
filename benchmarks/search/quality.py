"""Quality of each leg on public sets, beside plain engines in the same run; what is held out."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from statistics import quantiles
from time import perf_counter
from typing import Any

from benchmarks.search.embedded import KeptEmbedder
from benchmarks.search.ndcg import mean_ndcg
from benchmarks.search.plain import bm25s_rankings, ts_rank_rankings
from benchmarks.search.sets import RetrievalSet
from veridical.search.chunk import Chunk, ChunkedDocument, Origin
from veridical.search.embed import renewed_weight
from veridical.search.embeddings.embedder import Vector
from veridical.search.filter import NO_FILTER
from veridical.search.index import SearchIndex
from veridical.search.retrieve import Retriever


def is_held_out(question: str) -> bool:
    """About every second one, by the checksum of its key: ways were compared on the others."""
    return sha256(f"q:{question}".encode()).digest()[0] % 2 == 1


_PLACES = 10
_BATCH = 500
_WEIGHING_SECONDS = 600.0
"""On a busy machine too all sentences are asked, so that a run can be repeated."""


class _KnownQuestions:
    """The embedder of a run: every question was embedded before."""

    def __init__(self, model: str, questions: Mapping[str, Vector]) -> None:
        self.model = model
        self._questions = questions

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [self._questions[text] for text in texts]

    def embed_query(self, text: str) -> Vector:
        return self._questions[text]


def quality(
    index: SearchIndex, given: RetrievalSet, url: str, model: KeptEmbedder | None
) -> dict[str, Any]:
    """The figures of one set; those with vectors only where an embedder is given."""
    keys = fill(index, given)
    name = given.name
    found, milliseconds = _lexical(index, given, keys)
    figures: dict[str, Any] = {
        f"{name}_questions": len(given.questions),
        f"{name}_questions_held_out": sum(map(is_held_out, given.questions)),
        f"{name}_bm25_p50_ms": round(quantiles(milliseconds, n=20)[9], 1),
        f"{name}_bm25_p95_ms": round(quantiles(milliseconds, n=20)[18], 1),
        **_ndcg("bm25", found, given),
        **_ndcg("ts_rank", ts_rank_rankings(url, given), given),
        **_ndcg("bm25s", bm25s_rankings(given), given),
    }
    if model is not None:
        figures |= _with_vectors(index, given, keys, model)
    return figures


def fill(index: SearchIndex, given: RetrievalSet) -> Mapping[int, str]:
    """Store the set's documents, one chunk each; the documents by their chunks' numbers."""
    documents = [
        ChunkedDocument(Origin(key), key, (Chunk(text, given.language),))
        for key, text in given.documents.items()
    ]
    keys: dict[int, str] = {}
    for start in range(0, len(documents), _BATCH):
        batch = documents[start : start + _BATCH]
        written = index.write(batch)
        for (number, _), document in zip(written, batch, strict=True):
            keys[number] = document.origin.source
    return keys


def _lexical(
    index: SearchIndex, given: RetrievalSet, keys: Mapping[int, str]
) -> tuple[Mapping[str, Sequence[str]], list[float]]:
    rankings: dict[str, Sequence[str]] = {}
    milliseconds: list[float] = []
    for question, text in given.questions.items():
        began = perf_counter()
        hits = index.lexical(text, _PLACES, NO_FILTER)
        milliseconds.append(1000 * (perf_counter() - began))
        rankings[question] = [keys[hit.chunk] for hit in hits]
    return rankings, milliseconds


def _with_vectors(
    index: SearchIndex, given: RetrievalSet, keys: Mapping[int, str], model: KeptEmbedder
) -> dict[str, Any]:
    name = model.embedder.model
    stored = model.vectors(list(given.documents.values()))
    by_key = dict(zip(given.documents, stored.tolist(), strict=True))
    pairs = [(number, by_key[key]) for number, key in keys.items()]
    for start in range(0, len(pairs), _BATCH):
        index.write_vectors(name, pairs[start : start + _BATCH])
    weight = renewed_weight(index, model.embedder, len(pairs), _WEIGHING_SECONDS)
    texts = list(given.questions.values())
    known = dict(zip(texts, model.vectors(texts).tolist(), strict=True))
    near = {
        question: [keys[hit.chunk] for hit in index.nearest(name, known[text], _PLACES, NO_FILTER)]
        for question, text in given.questions.items()
    }
    retriever = Retriever(index, _KnownQuestions(name, known))
    hybrid = {
        question: [keys[each.stored.id] for each in retriever.retrieve(text, _PLACES).candidates]
        for question, text in given.questions.items()
    }
    return {
        f"{given.name}_vector_weight": weight if weight is None else round(weight, 4),
        **_ndcg("vector", near, given),
        **_ndcg("hybrid", hybrid, given),
    }


def _ndcg(way: str, rankings: Mapping[str, Sequence[str]], given: RetrievalSet) -> dict[str, float]:
    """Of all questions, and of those that had no part in how the legs are fused."""
    held_out = {key: ranking for key, ranking in rankings.items() if is_held_out(key)}
    figure = f"{given.name}_ndcg10_{way}"
    return {
        figure: round(mean_ndcg(rankings, given.relevant), 4),
        f"{figure}_held_out": round(mean_ndcg(held_out, given.relevant), 4),
    }
