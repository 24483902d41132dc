"""Embeds the chunks of a collection that have no vector of a model yet.

Page by page, each stored before the next: an interrupted run continues where it stopped, and two
at once do the same work twice and store it once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import repeat

from veridical.search.agreement import renewed_weight
from veridical.search.embeddings.embedder import (
    Embedder,
    EmbeddingError,
    RefusedTextError,
    Vector,
)
from veridical.search.store.index import PostgresIndex
from veridical.search.store.vectors import OtherSizeError
from veridical.search.vector_gap import VectorGap, VectorGapError

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
    index: PostgresIndex,
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
    index: PostgresIndex, model: str, embedded: int, gap: VectorGap | None, reason: str
) -> EmbedReport:
    try:
        state = index.vector_state(model)
    except VectorGapError as error:
        return EmbedReport(embedded, gap=error.gap)
    return EmbedReport(embedded, state.missing, gap, reason, state.others, state.size, state.chunks)
