"""Words and vectors in Qdrant, as a server or, to try it, in a folder of this process.

The words are a sparse vector: each term's part of BM25 is computed when a chunk is written, and
Qdrant multiplies it with how rare the term is now.
"""

import atexit
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from typing import Any

from veridical.contracts.extras import named_when_missing
from veridical.search.embeddings.embedder import Vector
from veridical.search.outside.place import Place
from veridical.search.outside.tables import Documents, Scored, VectorRow, WordRow
from veridical.search.store.postings import K1, B
from veridical.search.store.vectors import OtherSizeError

with named_when_missing():
    from qdrant_client import QdrantClient, models
    from qdrant_client.http.exceptions import ApiException

_WORDS, _DOCUMENT, _MODEL = "words", "document", "model"
_PAGE = 1_000


class QdrantTables:
    """The Qdrant collections of one collection."""

    index = "qdrant"
    errors = (ApiException, OSError, ValueError, RuntimeError)

    def __init__(self, client: QdrantClient, place: Place) -> None:
        self._client = client
        self._place = place

    def add_words(self, rows: Sequence[WordRow]) -> None:
        """Add chunks that are not there."""
        name = self._place.words
        if not self._client.collection_exists(name):
            sparse = models.SparseVectorParams(modifier=models.Modifier.IDF)
            self._client.create_collection(
                name, vectors_config={}, sparse_vectors_config={_WORDS: sparse}
            )
            self._index_documents(name)
        self._upsert(name, [(each.id, each.document, {_WORDS: _weights(each)}) for each in rows])

    def add_vectors(self, model: str, rows: Sequence[VectorRow]) -> None:
        """Add vectors, all of one length, of chunks that have none of the model."""
        name = self._place.vectors(model)
        if not self._client.collection_exists(name):
            size = len(rows[0].vector)
            vectors = models.VectorParams(size=size, distance=models.Distance.COSINE)
            self._client.create_collection(name, vectors_config=vectors, metadata={_MODEL: model})
            self._index_documents(name)
        self._upsert(name, [(each.id, each.document, list(each.vector)) for each in rows])

    def held(self, documents: Collection[int], model: str | None = None) -> set[int]:
        """The chunks of these documents that have words here, or a vector of the model."""
        name = self._place.words if model is None else self._place.vectors(model)
        found: set[int] = set()
        after: Any = None
        while self._client.collection_exists(name):
            page, after = self._client.scroll(
                name, _of(documents), limit=_PAGE, offset=after, with_payload=False
            )
            found |= {int(each.id) for each in page}
            if after is None:
                break
        return found

    def remove(self, ids: Collection[int]) -> None:
        """Drop words and vectors of these chunks."""
        for name in self._names():
            self._client.delete(name, models.PointIdsList(points=list(ids)), wait=True)

    def clear_words(self) -> None:
        """Drop the words of all chunks."""
        self._client.delete_collection(self._place.words)

    def clear_vectors(self) -> None:
        """Drop the vectors of all models."""
        for name in self._names():
            if name != self._place.words:
                self._client.delete_collection(name)

    def settle(self) -> None:
        """Nothing: Qdrant does it by itself."""

    def matching(self, terms: Mapping[str, int], k: int, documents: Documents) -> Scored:
        """The chunks with the highest BM25."""
        numbered = {_term_number(term): float(count) for term, count in terms.items()}
        query = models.SparseVector(indices=list(numbered), values=list(numbered.values()))
        return self._found(self._place.words, query, k, documents, _WORDS)

    def near(self, model: str, vector: Vector, k: int, documents: Documents) -> Scored:
        """The chunks with the nearest vectors, with their cosines. Raises ``OtherSizeError``."""
        known = self.sizes().get(model)
        if known is not None and known[1] != len(vector):
            raise OtherSizeError
        return self._found(self._place.vectors(model), list(vector), k, documents)

    def sizes(self) -> Mapping[str, tuple[int, int]]:
        """By model: how many vectors there are, and their length."""
        found: dict[str, tuple[int, int]] = {}
        for name in self._names():
            if name != self._place.words:
                config: Any = self._client.get_collection(name).config
                size = config.params.vectors.size
                found[config.metadata[_MODEL]] = self._client.count(name).count, size
        return found

    def _names(self) -> list[str]:
        """All Qdrant collections of this collection that are there."""
        there = self._client.get_collections().collections
        return [each.name for each in there if each.name.startswith(self._place.prefix)]

    def _index_documents(self, name: str) -> None:
        """On a server: the local mode reads everything."""
        if self._client.init_options.get("url"):
            kind = models.PayloadSchemaType.INTEGER
            self._client.create_payload_index(name, _DOCUMENT, kind)

    def _upsert(self, name: str, rows: Sequence[tuple[int, int, Any]]) -> None:
        for start in range(0, len(rows), _PAGE):
            points = [
                models.PointStruct(id=id, vector=vector, payload={_DOCUMENT: document})
                for id, document, vector in rows[start : start + _PAGE]
            ]
            self._client.upsert(name, points, wait=True)

    def _found(
        self, name: str, query: Any, k: int, documents: Documents, using: str | None = None
    ) -> Scored:
        if not self._client.collection_exists(name):
            return ()
        passing = None if documents is None else _of(documents)
        found = self._client.query_points(
            name, query=query, using=using, limit=k, query_filter=passing, with_payload=False
        )
        return [(int(each.id), float(each.score)) for each in found.points]


@cache
def opened_client(address: str, key: str) -> QdrantClient:
    """The client of a server, or of a folder that one process at a time may use."""
    if "://" in address:
        return QdrantClient(url=address, api_key=key or None)
    local = QdrantClient(path=address)
    atexit.register(local.close)
    return local


def _of(documents: Collection[int]) -> models.Filter:
    among = models.MatchAny(any=list(documents))
    return models.Filter(must=[models.FieldCondition(key=_DOCUMENT, match=among)])


def _weights(row: WordRow) -> models.SparseVector:
    norm = K1 * (1 - B + B * row.length / row.pivot)
    weights = {
        _term_number(term): (K1 + 1) * count / (count + norm) for term, count in row.terms.items()
    }
    return models.SparseVector(indices=list(weights), values=list(weights.values()))


def _term_number(term: str) -> int:
    """Qdrant's sparse vectors have 32 bits for a dimension."""
    encoded = term.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(encoded, digest_size=4).digest())
