"""Stored documents with their origin, and their chunks.

Approvals and citations name a passage by its document and its number there, so a passage that stays
as it is keeps its number while others change.
"""

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from veridical.contracts.language import Language


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a document comes from, and what is known about it: what a search may filter by."""

    source: str
    """Its address: a path or a URL; a collection has one document of it."""
    title: str = ""
    host: str = ""
    domain_type: str = ""
    detected_date: datetime | None = None
    """With a time zone."""
    version: str = ""
    policy_tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of a document, as long as what a model is shown."""

    text: str
    language: Language
    section: str = ""
    """The headings above it."""


@dataclass(frozen=True, slots=True)
class ChunkedDocument:
    """A document ready to be stored."""

    origin: Origin
    content_hash: str
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk as it is stored, with its document's origin."""

    id: int
    document: int
    position: int
    chunk: Chunk
    origin: Origin


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that a leg of the search found."""

    chunk: int
    score: float
    rank: int
    """From 1, within its leg."""
    stored: StoredChunk | None = None
    """The chunk itself, where the leg brings it along."""


@dataclass(frozen=True, slots=True)
class WeighedHits:
    """The hits of the vector leg, and its weight beside the words."""

    hits: Sequence[Hit]
    weight: float | None = None
    """From 0 to 1; none where it was not measured."""


def kept_positions(stored: Mapping[int, Chunk], chunks: Sequence[Chunk]) -> list[int]:
    """The position of each chunk: the one that the same chunk is stored at, else one behind all
    that are taken."""
    known: dict[Chunk, deque[int]] = defaultdict(deque)
    for position, chunk in sorted(stored.items(), key=lambda each: each[0]):
        known[chunk].append(position)
    free = max(stored, default=-1) + 1
    positions: list[int] = []
    for chunk in chunks:
        if known[chunk]:
            positions.append(known[chunk].popleft())
        else:
            positions.append(free)
            free += 1
    return positions
