"""Embeds the chunks of a collection that have no vector of a model yet, and measures their weight.

Page by page, each stored before the next: an interrupted run continues where it stopped, and two
at once do the same work twice and store it once. The weight of vectors beside words is the
agreement of both legs about the collection's sentences: a model that knows the language of the
texts finds much of what the words find, one that does not finds something else.
"""

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from statistics import fmean
from time import monotonic

import psycopg
from sqlalchemy.exc import SQLAlchemyError

from veridical.reading.punctuation import wide_marks
from veridical.search.embeddings.embedder import Embedder, EmbeddingError, RefusedTextError, Vector
from veridical.search.index import SearchIndex
from veridical.search.store.collections import OutdatedIndexError
from veridical.search.store.vector_state import VectorWeight
from veridical.search.store.vectors import OtherSizeError
from veridical.search.vector_gap import VectorGap, VectorGapError
from veridical.store.connection import UnreachableError

PAGE = 128
"""Chunks that are embedded and stored at once."""
_HARMLESS = "1"
"""A text that every model takes."""


@dataclass(frozen=True, slots=True)
class EmbedReport:
    """The number of vectors, and what failed."""

    embedded: int = 0
    missing: int = 0
    """Chunks that are still without a vector."""
    gap: VectorGap | None = None
    reason: str = ""
    """Of the gap, in the embedder's own words."""
    others: tuple[str, ...] = ()
    """Other models with vectors in the collection, which no search uses."""
    size: int | None = None
    """The length of the model's vectors; none where there are none."""
    chunks: int = 0
    weight: float | None = None
    """Of the model's vectors beside the words; none where it was not measured."""
    next_after: int | None = None
    """The chunk that the next part begins after; none where no further part is needed."""

    @property
    def summary(self) -> dict[str, float | str | list[str] | None]:
        """As it is reported to programs."""
        return {
            "embeddedCount": self.embedded,
            "missingCount": self.missing,
            "gap": self.gap.name.lower() if self.gap else None,
            "otherModels": list(self.others),
            "vectorWeight": self.weight,
        }


def embed_missing(
    index: SearchIndex,
    embedder: Embedder,
    progress: Callable[[int, int], object] = lambda _, __: None,
    *,
    after: int = 0,
    pages: int | None = None,
) -> EmbedReport:
    """Embed what has no vector; ``progress`` gets how many of how many are done.

    With a number of ``pages`` it is one part of the work, and the report says what the next part
    begins ``after``. With the last part, it is measured what the vectors weigh, where that is due.
    Neither an embedder that is away nor a database without vectors is raised: both are reported.
    """
    embedded, gap, reason = 0, None, ""
    left = repeat(True) if pages is None else repeat(True, pages)
    next_after: int | None = None
    try:
        state = index.vector_state(embedder.model)
        total = state.missing
        progress(0, total)
        while page := index.without_vectors(embedder.model, after, PAGE):
            if not next(left, False):
                next_after = after
                break
            vectors = _vectors(embedder, page)
            if state.size is not None and any(len(each) != state.size for _, each in vectors):
                raise OtherSizeError
            index.write_vectors(embedder.model, vectors)
            embedded, after = embedded + len(vectors), page[-1][0]
            progress(embedded, total)
    except EmbeddingError as error:
        gap, reason = VectorGap.EMBEDDER_AWAY, str(error)
    except VectorGapError as error:
        gap = error.gap
    report = replace(_report(index, embedder.model, embedded, gap, reason), next_after=next_after)
    if report.gap is not None or next_after is not None:
        return report
    weight = renewed_weight(index, embedder, report.chunks - report.missing)
    return replace(report, weight=weight)


def _vectors(embedder: Embedder, page: Sequence[tuple[int, str]]) -> list[tuple[int, Vector]]:
    """The vectors of a page, without the texts that the model refuses. Raises
    ``EmbeddingError``."""
    try:
        vectors = embedder.embed([text for _, text in page])
    except RefusedTextError:
        if len(page) == 1:
            embedder.embed([_HARMLESS])  # refused as well, it is not the text
            return []
        middle = len(page) // 2
        return [*_vectors(embedder, page[:middle]), *_vectors(embedder, page[middle:])]
    return [(number, vector) for (number, _), vector in zip(page, vectors, strict=True)]


def _report(
    index: SearchIndex, model: str, embedded: int, gap: VectorGap | None, reason: str
) -> EmbedReport:
    try:
        state = index.vector_state(model)
    except VectorGapError as error:
        return EmbedReport(embedded, gap=error.gap)
    return EmbedReport(embedded, state.missing, gap, reason, state.others, state.size, state.chunks)


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
    index: SearchIndex, embedder: Embedder, chunks: int, seconds: float = SECONDS
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


def agreement(index: SearchIndex, embedder: Embedder, seconds: float = SECONDS) -> float | None:
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
