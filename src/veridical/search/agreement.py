"""The weight of vectors beside words: the agreement of both legs about a collection's sentences.

A model that knows the language of the texts finds much of what the words find, one that does not
finds something else. No judgement is needed for that, and it is measured where it counts: with this
model, over these texts.
"""

import logging
import re
from statistics import fmean
from time import monotonic

import psycopg
from sqlalchemy.exc import SQLAlchemyError

from veridical.reading.punctuation import wide_marks
from veridical.search.embeddings.embedder import Embedder, EmbeddingError, RefusedTextError
from veridical.search.store.collections import OutdatedIndexError
from veridical.search.store.index import PostgresIndex
from veridical.search.store.weights import VectorWeight
from veridical.search.vector_gap import VectorGapError
from veridical.store.connection import UnreachableError

LEAST_CHUNKS = 100
"""In a smaller collection the first ten of both legs meet by chance."""
GROWTH = 2
"""It is measured again when the collection is so many times as large."""
SENTENCES = 200
"""The most sentences that are measured with."""
LEAST_SENTENCES = 20
"""Fewer are not representative of a collection."""
PLACES = 10
SECONDS = 30.0
"""For all of it: the sentences measured by then are enough, or there is no weight."""
_LONGEST, _SHORTEST = 300, 8
"""Characters of a sentence."""
_END = re.compile(rf"\n\s*\n|[.!?][^\w\s]*\s+|[{wide_marks('.!?')}]")
_HINDRANCES = (
    EmbeddingError,
    VectorGapError,
    OutdatedIndexError,
    SQLAlchemyError,
    psycopg.Error,
    UnreachableError,
)
_log = logging.getLogger(__name__)


def renewed_weight(
    index: PostgresIndex, embedder: Embedder, chunks: int, seconds: float = SECONDS
) -> float | None:
    """The weight of the model's vectors in a collection with so many of them, measured if due.

    Nothing is raised: an ingest does not fail for it. Where it can't be measured, the
    weight stays as it was until the next time.
    """
    known: VectorWeight | None = None
    try:
        known = index.vector_weight(embedder.model)
        if not is_due(known, chunks):
            return known.weight if known else None
        agreed = agreement(index, embedder, seconds)
        if agreed is not None:
            known = VectorWeight(agreed, chunks)
            index.keep_weight(embedder.model, known)
    except _HINDRANCES as error:
        _log.warning("the weight of the vectors was not measured: %s", error)
    return known.weight if known else None


def is_due(known: VectorWeight | None, chunks: int) -> bool:
    """Whether it was never measured, or the collection has grown much since."""
    if known is None:
        return chunks >= LEAST_CHUNKS
    return chunks >= GROWTH * known.chunks


def agreement(index: PostgresIndex, embedder: Embedder, seconds: float = SECONDS) -> float | None:
    """The mean share of the first ten that both legs have in common; none with too few sentences.

    Raises ``EmbeddingError`` and ``VectorGapError``.
    """
    end = monotonic() + seconds
    shares: list[float] = []
    for opening in index.openings(embedder.model, SENTENCES):
        if monotonic() > end:
            break
        sentence = first_sentence(opening)
        try:
            vector = embedder.embed_query(sentence)
        except RefusedTextError:
            continue
        near = {hit.chunk for hit in index.nearest(embedder.model, vector, PLACES)}
        words = {hit.chunk for hit in index.lexical(sentence, PLACES)}
        shares.append(len(near & words) / PLACES)
    return fmean(shares) if len(shares) >= LEAST_SENTENCES else None


def first_sentence(text: str) -> str:
    """The first sentence that is long enough, cut if it is very long."""
    start = 0
    for end in _END.finditer(text):
        sentence = text[start : end.end()].strip()
        if len(sentence) >= _SHORTEST:
            return sentence[:_LONGEST]
        start = end.end()
    return (text[start:].strip() or text.strip())[:_LONGEST]
