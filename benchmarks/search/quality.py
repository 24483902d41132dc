"""Quality of each leg on public sets, beside plain engines in the same run."""

from collections.abc import Mapping, Sequence
from statistics import quantiles
from time import perf_counter
from typing import Any

from benchmarks.search.embedded import KeptEmbedder
from benchmarks.search.ndcg import mean_ndcg
from benchmarks.search.plain import bm25s_rankings, ts_rank_rankings
from benchmarks.search.sets import RetrievalSet
from veridical.search.chunk import Chunk, ChunkedDocument, Origin
from veridical.search.embeddings.embedder import Vector
from veridical.search.filter import NO_FILTER
from veridical.search.index import SearchIndex
from veridical.search.retrieve import Retriever

_PLACES, _DEPTH = 10, 100
_BATCH = 500


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
        f"{name}_ndcg10_bm25": _rounded(found, given),
        f"{name}_bm25_p50_ms": round(quantiles(milliseconds, n=20)[9], 1),
        f"{name}_bm25_p95_ms": round(quantiles(milliseconds, n=20)[18], 1),
        f"{name}_ndcg10_ts_rank": _rounded(ts_rank_rankings(url, given), given),
        f"{name}_ndcg10_bm25s": _rounded(bm25s_rankings(given), given),
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
    texts = list(given.questions.values())
    known = dict(zip(texts, model.vectors(texts).tolist(), strict=True))
    near = {
        question: [keys[hit.chunk] for hit in index.nearest(name, known[text], _PLACES, NO_FILTER)]
        for question, text in given.questions.items()
    }
    retriever = Retriever(index, _KnownQuestions(name, known))
    hybrid = {
        question: [
            keys[each.stored.id]
            for each in retriever.retrieve(text, _PLACES, depth=_DEPTH).candidates
        ]
        for question, text in given.questions.items()
    }
    return {
        f"{given.name}_ndcg10_vector": _rounded(near, given),
        f"{given.name}_ndcg10_hybrid": _rounded(hybrid, given),
    }


def _rounded(rankings: Mapping[str, Sequence[str]], given: RetrievalSet) -> float:
    return round(mean_ndcg(rankings, given.relevant), 4)
