"""Chunks among evidence of any shape."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from veridical.contracts.chunk import Chunk, chunks_in
from veridical.evidence.exhibit import Exhibit

_MOST_RESULTS = 1_000
"""So many values are rows, none of which is a list of chunks."""


def parted(evidence: Any) -> tuple[tuple[Chunk, ...], Any]:
    """The chunks of evidence, and the rest of it: values, and ``{"chunks": [...]}`` as JSON.

    Raises ``ValueError`` for a chunk whose text does not match its hash.
    """
    if isinstance(evidence, Chunk):
        return (evidence,), ()
    if isinstance(evidence, Mapping):
        found = chunks_in(cast("Any", evidence))
        return (found, ()) if found else ((), cast("Any", evidence))
    if isinstance(evidence, tuple | list):
        several = cast("Sequence[Any]", evidence)
        if Chunk not in set(map(type, several)) and len(several) > _MOST_RESULTS:
            return (), several
        chunks: list[Chunk] = []
        rest: list[Any] = []
        for each in several:
            found, left = parted(each) if isinstance(each, Chunk | Mapping) else ((), each)
            chunks += found
            if not found:
                rest.append(left)
        if chunks:
            return tuple(chunks), rest[0] if _is_one(rest) else tuple(rest)
    return (), evidence


def is_nothing(evidence: Any) -> bool:
    """True if nothing beside the chunks could support a claim."""
    several: Sequence[Any] = evidence if isinstance(evidence, tuple) else (evidence,)
    return all(
        isinstance(each, Exhibit)
        and not (each.columns or each.rows or each.text)
        and each.record is None
        and each.calculation is None
        for each in several
    )


def _is_one(rest: Sequence[Any]) -> bool:
    return len(rest) == 1 and not isinstance(rest[0], Exhibit)
