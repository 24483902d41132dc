"""A sentence on the vectors of an ingest; showing it needs no index and no embedder."""

from veridical.contracts.language import Language
from veridical.contracts.search_ingest import VectorOutcome
from veridical.messages import message
from veridical.search.vector_gap import VectorGap


def vector_line(vectors: VectorOutcome, language: Language) -> str:
    """The progress of the vectors, and what failed."""
    counts = {"count": vectors.vector_count, "missing": vectors.missing_count}
    counted = message("ingest.vectors", language, model=vectors.model, **counts)
    if vectors.gap is None:
        return counted
    gap = message(VectorGap[vectors.gap.upper()], language, model=vectors.model)
    reason = message("embed.reason", language, reason=vectors.reason) if vectors.reason else ""
    return " ".join(filter(None, (counted, gap, reason)))
