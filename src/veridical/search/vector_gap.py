"""Why a search that has an embedder went by words alone."""

from enum import StrEnum

from veridical.contracts.language import Language
from veridical.contracts.search_ingest import VectorOutcome
from veridical.messages import message


class VectorGap(StrEnum):
    """A reason for missing vectors, by message key; the message says what to do."""

    EMBEDDER_AWAY = "search.gap_embedder_away"
    NO_EXTENSION = "search.gap_no_extension"
    OLD_EXTENSION = "search.gap_old_extension"
    OTHER_SIZE = "search.gap_other_size"
    NOT_EMBEDDED = "search.gap_not_embedded"


class VectorGapError(Exception):
    """The vectors of a collection can't be compared or stored; words can be searched all the
    same."""

    gap: VectorGap


def vector_line(vectors: VectorOutcome, language: Language) -> str:
    """The progress of the vectors, and what failed."""
    counts = {"count": vectors.vector_count, "missing": vectors.missing_count}
    counted = message("ingest.vectors", language, model=vectors.model, **counts)
    if vectors.gap is None:
        return counted
    gap = message(VectorGap[vectors.gap.upper()], language, model=vectors.model)
    reason = message("embed.reason", language, reason=vectors.reason) if vectors.reason else ""
    return " ".join(filter(None, (counted, gap, reason)))
