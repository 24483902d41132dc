"""The port to an index: two implementations ship, PostgreSQL and Qdrant."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from veridical.search.chunk import Chunk, ChunkedDocument, Hit, StoredChunk, WeighedHits
from veridical.search.embeddings.embedder import Vector
from veridical.search.filter import Filter


class SearchIndex(Protocol):
    """One collection of one tenant."""

    def write(self, documents: Sequence[ChunkedDocument]) -> Sequence[tuple[int, Chunk]]:
        """Store documents, each once by its content; the new chunks with their numbers."""
        ...

    def write_vectors(self, model: str, vectors: Iterable[tuple[int, Vector]]) -> None:
        """Store the vectors of chunks."""
        ...

    def lexical(self, question: str, k: int, where: Filter) -> Sequence[Hit]:
        """The chunks with the highest BM25."""
        ...

    def nearest(self, model: str, vector: Vector, k: int, where: Filter) -> Sequence[Hit]:
        """The chunks with the nearest vectors."""
        ...

    def weighed_nearest(self, model: str, vector: Vector, k: int, where: Filter) -> WeighedHits:
        """The same, with what the model's vectors weigh in this collection, where it is known."""
        ...

    def chunks(self, ids: Sequence[int]) -> Sequence[StoredChunk]:
        """The chunks of these numbers, those that are there."""
        ...
