"""A collection whose passages an index beside PostgreSQL finds.

PostgreSQL has the documents, the texts and what was approved; the index has terms and vectors,
each under the number of its chunk. What it finds is read from PostgreSQL before it is returned: it
can miss a passage, and never show one that was deleted, changed or belongs to another tenant.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from sqlalchemy import Connection

from veridical.search.analysis.analyser import ANALYSERS, question_words
from veridical.search.chunk import Chunk, ChunkedDocument, Hit, StoredChunk, WeighedHits
from veridical.search.embeddings.embedder import Vector
from veridical.search.filter import NO_FILTER, Filter
from veridical.search.outside.synchronised import synchronise
from veridical.search.outside.tables import (
    CollectionTables,
    Documents,
    Scored,
    VectorRow,
    reached,
)
from veridical.search.store import outside_rows
from veridical.search.store.collections import (
    ensure_collection,
    find_collection,
    mark_all,
)
from veridical.search.store.index import PostgresIndex
from veridical.search.store.passages import stored_chunks
from veridical.search.store.rebuilding import drop_postings
from veridical.search.store.vector_state import OPENING, VectorState, VectorWeight
from veridical.search.store.vectors import OtherSizeError
from veridical.search.store.writing import write_documents

_PAGE = 500
"""Documents that are compared at once."""


@dataclass(frozen=True)
class OutsideIndex:
    """A collection of a tenant."""

    postgres: PostgresIndex
    tables: CollectionTables

    def write(self, documents: Sequence[ChunkedDocument]) -> Sequence[tuple[int, Chunk]]:
        """Store documents, each once by its content; the new chunks with their numbers.

        A writer that was killed in between leaves documents that the index does not have: the
        same documents written again, or a rebuild, adds them.
        """
        tenant = self.postgres.tenant
        with self._transaction() as connection:
            number = ensure_collection(connection, tenant, self.postgres.collection)
            self._check(connection)
            written = write_documents(connection, tenant, number, documents, in_postgres=False)
        with self._transaction() as connection, reached(self.tables):
            outside_rows.take_turn(connection, number)
            sources = [each.origin.source for each in documents]
            known = outside_rows.documents_of(connection, number, sources)
            synchronise(connection, tenant, number, self.tables, known)
            self.tables.settle()
        return written.chunks

    def rebuild(self, done: Callable[[int, int], object] = lambda _, __: None) -> int:
        """Fill the index anew with all chunks, whatever it had; how many there are. Vectors of
        chunks that are still there stay.

        Until it is complete, the collection can't be searched.
        """
        tenant = self.postgres.tenant
        with self._transaction() as connection, reached(self.tables):
            number = ensure_collection(connection, tenant, self.postgres.collection)
            outside_rows.take_turn(connection, number)
            mark_all(connection, number, self.tables.index, is_complete=False)
            drop_postings(connection, number)
            self.tables.clear_words()
            documents = sorted(outside_rows.documents_of(connection, number))
        for start in range(0, len(documents), _PAGE):
            with self._transaction() as connection, reached(self.tables):
                outside_rows.take_turn(connection, number)
                part = documents[start : start + _PAGE]
                synchronise(connection, tenant, number, self.tables, part)
                self.tables.settle()
            done(min(start + _PAGE, len(documents)), len(documents))
        with self._transaction() as connection:
            mark_all(connection, number, self.tables.index, is_complete=True)
            return outside_rows.count_chunks(connection, number)

    def write_vectors(self, model: str, vectors: Iterable[tuple[int, Vector]]) -> None:
        """Store the vectors of chunks: what is there already stays, what is gone is left out.

        Raises ``OtherSizeError``.
        """
        given = dict(vectors)
        with self._transaction() as connection, reached(self.tables):
            number = self._number(connection)
            outside_rows.take_turn(connection, number)
            places = outside_rows.places_of(connection, number, given)
            held = self.tables.held(set(places.values()), model)
            new = [
                VectorRow(id, document, given[id])
                for id, document in places.items()
                if id not in held
            ]
            lengths = {len(each.vector) for each in new}
            known = self.tables.sizes().get(model)
            if len(lengths | ({known[1]} if known else set())) > 1:
                raise OtherSizeError
            if new:
                self.tables.add_vectors(model, new)
                self.tables.settle()

    def lexical(self, question: str, k: int, where: Filter = NO_FILTER) -> Sequence[Hit]:
        """The chunks with the highest BM25."""
        words = question_words(question)
        terms = {
            f"{language.value}:{term}": count
            for language, analyser in ANALYSERS.items()
            for term, count in analyser.analyse(words).frequencies.items()
        }
        if not terms:
            return ()
        return self._hits(lambda documents: self.tables.matching(terms, k, documents), k, where)

    def nearest(
        self, model: str, vector: Vector, k: int, where: Filter = NO_FILTER
    ) -> Sequence[Hit]:
        """The chunks with the nearest vectors. Raises ``OtherSizeError``."""
        return self._hits(lambda documents: self.tables.near(model, vector, k, documents), k, where)

    def weighed_nearest(
        self, model: str, vector: Vector, k: int, where: Filter = NO_FILTER
    ) -> WeighedHits:
        """The same, with what the model's vectors weigh, where it was measured."""
        hits = self.nearest(model, vector, k, where)
        measured = self.vector_weight(model)
        return WeighedHits(hits, measured.weight if measured else None)

    def chunks(self, ids: Sequence[int]) -> Sequence[StoredChunk]:
        """The chunks of these numbers, those that are there."""
        return self.postgres.chunks(ids)

    def content_hashes(self, sources: Sequence[str]) -> dict[str, str]:
        """The content hash of each of these documents that the index has with all passages."""
        hashes = self.postgres.content_hashes(sources)
        with self._transaction() as connection:
            number = self._number(connection)
            of_source = {
                source: outside_rows.standing_chunks(
                    connection, outside_rows.documents_of(connection, number, [source])
                )
                for source in hashes
            }
        with reached(self.tables):
            documents = {each for chunks in of_source.values() for each in chunks.values()}
            held = self.tables.held(documents)
        return {each: hashes[each] for each, chunks in of_source.items() if chunks.keys() <= held}

    def vector_state(self, model: str) -> VectorState:
        """Which chunks have vectors."""
        with self._transaction() as connection:
            chunks = outside_rows.count_chunks(connection, self._number(connection))
        with reached(self.tables):
            sizes = self.tables.sizes()
        count, size = sizes.get(model, (0, None))
        others = tuple(sorted(sizes.keys() - {model}))
        return VectorState(chunks, max(chunks - count, 0), size, others)

    def without_vectors(self, model: str, after: int, limit: int) -> Sequence[tuple[int, str]]:
        """The next chunks without a vector of the model."""
        found: list[tuple[int, str]] = []
        while len(found) < limit:
            with self._transaction() as connection:
                page = outside_rows.page_of_chunks(
                    connection, self._number(connection), after, limit
                )
            if not page:
                break
            with reached(self.tables):
                held = self.tables.held({document for _, document, _ in page}, model)
            found += [(id, text) for id, _, text in page if id not in held]
            after = page[-1][0]
        return found[:limit]

    def forget_vectors(self) -> None:
        """Drop the vectors of all models with their weights."""
        with self._transaction() as connection, reached(self.tables):
            number = self._number(connection)
            outside_rows.take_turn(connection, number)
            self.tables.clear_vectors()
        self.postgres.forget_weights()

    def vector_weight(self, model: str) -> VectorWeight | None:
        """The weight of the model's vectors, where it was measured."""
        return self.postgres.vector_weight(model)

    def keep_weight(self, model: str, measured: VectorWeight) -> None:
        """Store what the model's vectors weigh from now on."""
        self.postgres.keep_weight(model, measured)

    def openings(self, model: str, limit: int) -> Sequence[str]:
        """How chunks with a vector of the model begin."""
        with self._transaction() as connection:
            number = self._number(connection)
            found = outside_rows.all_openings(connection, number, limit, OPENING)
        with reached(self.tables):
            held = self.tables.held({document for _, document, _ in found}, model)
        return [text for id, _, text in found if id in held]

    def lacks_graph(self, model: str, size: int) -> bool:
        """Never: the index builds its own."""
        return False

    def _transaction(self) -> AbstractContextManager[Connection]:
        return self.postgres.transaction(self.postgres.tenant)

    def _number(self, connection: Connection) -> int:
        return self.postgres.number(connection)

    def _check(self, connection: Connection) -> int | None:
        """The number of the collection, if there is one. Raises ``OutdatedIndexError``."""
        place = self.postgres.tenant, self.postgres.collection
        found = find_collection(connection, *place, self.tables.index)
        return found.id if found else None

    def _hits(self, search: Callable[[Documents], Scored], k: int, where: Filter) -> Sequence[Hit]:
        """What is found, with the texts that PostgreSQL has of it now."""
        documents: Documents = None
        if where:
            with self._transaction() as connection:
                number = self._number(connection)
                documents = outside_rows.passing_documents(connection, number, where)
            if not documents:
                return ()
        with reached(self.tables):
            scores = dict(search(documents))
        with self._transaction() as connection:
            if self._check(connection) is None:
                return ()
            stored = stored_chunks(connection, list(scores))
        best = sorted(stored, key=lambda each: (-scores[each.id], each.id))[:k]
        return tuple(Hit(each.id, scores[each.id], rank, each) for rank, each in enumerate(best, 1))
