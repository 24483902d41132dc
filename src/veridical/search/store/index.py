"""The index of one collection in PostgreSQL."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from sqlalchemy import Connection

from veridical.contracts.language import Language
from veridical.search.chunk import Chunk, ChunkedDocument, Hit, StoredChunk, WeighedHits
from veridical.search.embeddings.embedder import Vector
from veridical.search.filter import NO_FILTER, Filter
from veridical.search.store import vectors as vector_leg
from veridical.search.store.collections import (
    collection_number,
    ensure_collection,
    find_collection,
)
from veridical.search.store.documents import content_hashes
from veridical.search.store.lexical import lexical_search
from veridical.search.store.merging import merge_segments
from veridical.search.store.outside_rows import count_chunks
from veridical.search.store.passages import stored_chunks
from veridical.search.store.rebuilding import rebuild_postings
from veridical.search.store.vector_index import has_index
from veridical.search.store.vector_state import (
    VectorState,
    VectorWeight,
    chunks_without_vectors,
    forget_vectors,
    forget_weights,
    keep_weight,
    openings,
    vector_state,
    vector_weight,
)
from veridical.search.store.writing import write_documents


@dataclass(frozen=True)
class PostgresIndex:
    """A collection of a tenant; every call is one transaction that sees this tenant's rows only."""

    transaction: Callable[[str], AbstractContextManager[Connection]]
    """Opens a transaction for a tenant, such as ``Store.tenant``."""
    tenant: str
    collection: str

    def write(self, documents: Sequence[ChunkedDocument]) -> Sequence[tuple[int, Chunk]]:
        """Store documents, each once by its content; the new chunks with their numbers."""
        with self.transaction(self.tenant) as connection:
            number = ensure_collection(connection, self.tenant, self.collection)
            find_collection(connection, self.tenant, self.collection)
            written = write_documents(connection, self.tenant, number, documents).chunks
        for language in sorted({chunk.language for _, chunk in written}):
            self._merge(number, language)
        return written

    def _merge(self, number: int, language: Language) -> bool:
        """In a transaction of its own: what was written does not wait for it."""
        with self.transaction(self.tenant) as connection:
            return merge_segments(connection, self.tenant, number, language)

    def rebuild(self, done: Callable[[int, int], object] = lambda _, __: None) -> int:
        """Make the postings anew from the texts, in one transaction; how many chunks there are."""
        with self.transaction(self.tenant) as connection:
            number = ensure_collection(connection, self.tenant, self.collection)
            languages = rebuild_postings(connection, self.tenant, number, done)
            count = count_chunks(connection, number)
        for language in sorted(languages):
            while self._merge(number, language):
                pass
        return count

    def write_vectors(self, model: str, vectors: Iterable[tuple[int, Vector]]) -> None:
        """Store the vectors of chunks. Raises ``VectorGapError``."""
        with self.transaction(self.tenant) as connection:
            vector_leg.write_vectors(connection, model, vectors)

    def vector_state(self, model: str) -> VectorState:
        """Which chunks have vectors. Raises ``NoVectorsError``."""
        with self.transaction(self.tenant) as connection:
            return vector_state(connection, self.number(connection), model)

    def without_vectors(self, model: str, after: int, limit: int) -> Sequence[tuple[int, str]]:
        """The next chunks without a vector of the model. Raises ``NoVectorsError``."""
        with self.transaction(self.tenant) as connection:
            return chunks_without_vectors(connection, self.number(connection), model, after, limit)

    def forget_vectors(self) -> None:
        """Drop the vectors of all models with their weights. Raises ``NoVectorsError``."""
        with self.transaction(self.tenant) as connection:
            forget_vectors(connection, self.number(connection))

    def vector_weight(self, model: str) -> VectorWeight | None:
        """The weight of the model's vectors, where it was measured."""
        with self.transaction(self.tenant) as connection:
            return vector_weight(connection, self.number(connection), model)

    def keep_weight(self, model: str, measured: VectorWeight) -> None:
        """Store what the model's vectors weigh from now on."""
        with self.transaction(self.tenant) as connection:
            keep_weight(connection, self.number(connection), model, measured)

    def openings(self, model: str, limit: int) -> Sequence[str]:
        """How chunks with a vector of the model begin. Raises ``NoVectorsError``."""
        with self.transaction(self.tenant) as connection:
            return openings(connection, self.number(connection), model, limit)

    def forget_weights(self) -> None:
        """Drop what the vectors weighed."""
        with self.transaction(self.tenant) as connection:
            forget_weights(connection, self.number(connection))

    def lacks_graph(self, model: str, size: int) -> bool:
        """Whether ``build_index`` has yet to be run for vectors of this model and length."""
        with self.transaction(self.tenant) as connection:
            return not has_index(connection, model, size)

    def number(self, connection: Connection) -> int:
        """The collection's number, or one that no collection has where there is none."""
        return collection_number(connection, self.tenant, self.collection) or 0

    def lexical(self, question: str, k: int, where: Filter = NO_FILTER) -> Sequence[Hit]:
        """The chunks with the highest BM25; none where there is no such collection."""
        with self.transaction(self.tenant) as connection:
            return lexical_search(connection, self.tenant, self.collection, question, k, where)

    def nearest(
        self, model: str, vector: Vector, k: int, where: Filter = NO_FILTER
    ) -> Sequence[Hit]:
        """The chunks with the nearest vectors. Raises ``VectorGapError``."""
        return self.weighed_nearest(model, vector, k, where).hits

    def weighed_nearest(
        self, model: str, vector: Vector, k: int, where: Filter = NO_FILTER
    ) -> WeighedHits:
        """The same, with what the model's vectors weigh, where it was measured."""
        with self.transaction(self.tenant) as connection:
            found = find_collection(connection, self.tenant, self.collection)
            if found is None:
                return WeighedHits(())
            hits = vector_leg.nearest(connection, found, model, vector, k, where).hits
            measured = vector_weight(connection, found.id, model)
        return WeighedHits(hits, measured.weight if measured else None)

    def content_hashes(self, sources: Sequence[str]) -> dict[str, str]:
        """The content hash of each of these documents that is there with its passages."""
        with self.transaction(self.tenant) as connection:
            return content_hashes(connection, self.tenant, self.collection, sources)

    def chunks(self, ids: Sequence[int]) -> Sequence[StoredChunk]:
        """The chunks of these numbers, those that are there."""
        with self.transaction(self.tenant) as connection:
            return stored_chunks(connection, ids)
