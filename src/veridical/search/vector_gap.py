"""Why a search that has an embedder went by words alone."""

from enum import StrEnum


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
