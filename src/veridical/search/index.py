"""The port to an index: ingest, retrieval, verification and maintenance go through it.

Two implementations ship: PostgreSQL alone, and PostgreSQL with the words and vectors in an index
beside it, which is LanceDB or Qdrant. ``opened_index`` opens the one of the settings.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from sqlalchemy import Connection

from veridical.contracts.extras import require
from veridical.search.chunk import Chunk, ChunkedDocument, Hit, StoredChunk, WeighedHits
from veridical.search.embeddings.embedder import Vector
from veridical.search.filter import NO_FILTER, Filter
from veridical.search.score.settings import Index, ScoreSettings
from veridical.search.store.index import PostgresIndex
from veridical.search.store.vector_state import VectorState, VectorWeight


class SearchIndex(Protocol):
    """One collection of one tenant."""

    def write(self, documents: Sequence[ChunkedDocument]) -> Sequence[tuple[int, Chunk]]:
        """Store documents, each once by its content; the new chunks with their numbers.

        Raises ``OutdatedIndexError``.
        """
        ...

    def rebuild(self, done: Callable[[int, int], object] = ...) -> int:
        """Fill the index anew with the chunks that are stored; how many there are."""
        ...

    def content_hashes(self, sources: Sequence[str]) -> dict[str, str]:
        """The content hash of each of these documents that is there with its passages."""
        ...

    def chunks(self, ids: Sequence[int]) -> Sequence[StoredChunk]:
        """The chunks of these numbers, those that are there."""
        ...

    def lexical(self, question: str, k: int, where: Filter = NO_FILTER) -> Sequence[Hit]:
        """The chunks with the highest BM25. Raises ``OutdatedIndexError``."""
        ...

    def nearest(
        self, model: str, vector: Vector, k: int, where: Filter = NO_FILTER
    ) -> Sequence[Hit]:
        """The chunks with the nearest vectors. Raises ``VectorGapError``."""
        ...

    def weighed_nearest(
        self, model: str, vector: Vector, k: int, where: Filter = NO_FILTER
    ) -> WeighedHits:
        """The same, with what the model's vectors weigh in this collection, where it is known."""
        ...

    def write_vectors(self, model: str, vectors: Iterable[tuple[int, Vector]]) -> None:
        """Store the vectors of chunks. Raises ``VectorGapError``."""
        ...

    def vector_state(self, model: str) -> VectorState:
        """Which chunks have vectors. Raises ``VectorGapError``."""
        ...

    def without_vectors(self, model: str, after: int, limit: int) -> Sequence[tuple[int, str]]:
        """The next chunks without a vector of the model. Raises ``VectorGapError``."""
        ...

    def forget_vectors(self) -> None:
        """Drop the vectors of all models with their weights. Raises ``VectorGapError``."""
        ...

    def lacks_graph(self, model: str, size: int) -> bool:
        """Whether ``build_index`` has yet to be run for vectors of this model and length."""
        ...

    def vector_weight(self, model: str) -> VectorWeight | None:
        """The weight of the model's vectors, where it was measured."""
        ...

    def keep_weight(self, model: str, measured: VectorWeight) -> None:
        """Store what the model's vectors weigh from now on."""
        ...

    def openings(self, model: str, limit: int) -> Sequence[str]:
        """How chunks with a vector of the model begin. Raises ``VectorGapError``."""
        ...


def opened_index(
    settings: ScoreSettings,
    transaction: Callable[[str], AbstractContextManager[Connection]],
    tenant: str,
    collection: str,
) -> SearchIndex:
    """The index of the settings, for a collection. Raises ``MissingExtraError``."""
    postgres = PostgresIndex(transaction, tenant, collection)
    if settings.index is Index.POSTGRES:
        return postgres
    require(settings.index.value)
    from veridical.search.outside.index import OutsideIndex
    from veridical.search.outside.place import Place

    place = Place(tenant, collection)
    if settings.index is Index.LANCEDB:
        from veridical.search.outside.lance import LanceTables

        return OutsideIndex(postgres, LanceTables(settings.index_address, place))
    from veridical.search.outside.qdrant import QdrantTables, opened_client

    key = settings.index_key.get_secret_value() if settings.index_key else ""
    return OutsideIndex(postgres, QdrantTables(opened_client(settings.index_address, key), place))
