"""The second index behind the same port: Qdrant, as a server or in this process.

The lexical leg is a sparse vector: each term's part of BM25 is computed when a chunk is written,
and Qdrant multiplies it with how rare the term is now. The length that chunks are compared with is
that of the first batch. Qdrant has no transactions: a document is written with its last chunk.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from functools import cached_property
from hashlib import blake2b
from typing import Any

from veridical.contracts.extras import named_when_missing
from veridical.contracts.language import Language
from veridical.search.analysis.analyser import ANALYSERS
from veridical.search.chunk import (
    Chunk,
    ChunkedDocument,
    Hit,
    Origin,
    StoredChunk,
    WeighedHits,
    kept_positions,
)
from veridical.search.embeddings.embedder import Vector
from veridical.search.filter import NO_FILTER, Filter
from veridical.search.store.postings import K1, B

with named_when_missing():
    from qdrant_client import QdrantClient, models

_LEXICAL = "lexical"
_PAGE = 1_000


class QdrantIndex:
    """A collection of a tenant; every tenant has Qdrant collections of its own."""

    def __init__(self, client: QdrantClient, tenant: str, collection: str) -> None:
        self._client = client
        self._place = tenant, collection

    def write(self, documents: Sequence[ChunkedDocument]) -> Sequence[tuple[int, Chunk]]:
        """Store documents, each once by its content; the new chunks with their numbers."""
        written: list[tuple[int, Chunk]] = []
        new = [each for each in documents if not self._is_stored(each)]
        if not new:
            return written
        self._ensure(new)
        for document in new:
            standing = self._standing(document.origin.source)
            points = self._points(document, standing)
            self._client.upsert(self._name, points, wait=True)
            self._keep(document.origin.source, points)
            numbered = zip((int(point.id) for point in points), document.chunks, strict=True)
            written += [(number, chunk) for number, chunk in numbered if number not in standing]
        return written

    def write_vectors(self, model: str, vectors: Iterable[tuple[int, Vector]]) -> None:
        """Store the vectors of chunks, in a Qdrant collection of the model's own."""
        given = dict(vectors)
        if not given:
            return
        name = self._vectors_name(model)
        if not self._client.collection_exists(name):
            size = len(next(iter(given.values())))
            distance = models.Distance.COSINE
            self._client.create_collection(
                name, vectors_config=models.VectorParams(size=size, distance=distance)
            )
        payloads = {
            int(each.id): each.payload or {}
            for each in self._client.retrieve(self._name, list(given), with_payload=True)
        }
        points = [
            models.PointStruct(id=number, vector=list(vector), payload=payloads[number])
            for number, vector in given.items()
            if number in payloads
        ]
        self._client.upsert(name, points, wait=True)

    def lexical(self, question: str, k: int, where: Filter = NO_FILTER) -> Sequence[Hit]:
        """The chunks with the highest BM25."""
        if not self._client.collection_exists(self._name):
            return ()
        counts: dict[int, float] = {}
        for language in Language:
            for term, count in ANALYSERS[language].analyse(question).frequencies.items():
                counts[_term_number(language, term)] = float(count)
        if not counts:
            return ()
        query = models.SparseVector(indices=list(counts), values=list(counts.values()))
        return self._hits(self._name, query, k, where, using=_LEXICAL)

    def nearest(
        self, model: str, vector: Vector, k: int, where: Filter = NO_FILTER
    ) -> Sequence[Hit]:
        """The chunks with the nearest vectors."""
        name = self._vectors_name(model)
        if not self._client.collection_exists(name):
            return ()
        return self._hits(name, list(vector), k, where)

    def weighed_nearest(
        self, model: str, vector: Vector, k: int, where: Filter = NO_FILTER
    ) -> WeighedHits:
        """The same, never with a weight: it is measured and kept in PostgreSQL."""
        return WeighedHits(self.nearest(model, vector, k, where))

    def chunks(self, ids: Sequence[int]) -> Sequence[StoredChunk]:
        """The chunks of these numbers, those that are there."""
        if not self._client.collection_exists(self._name):
            return []
        found = self._client.retrieve(self._name, list(ids), with_payload=True)
        return [_stored(int(each.id), each.payload or {}) for each in found]

    @cached_property
    def _name(self) -> str:
        return "veridical-" + blake2b("\0".join(self._place).encode(), digest_size=12).hexdigest()

    def _vectors_name(self, model: str) -> str:
        return f"{self._name}-{blake2b(model.encode(), digest_size=6).hexdigest()}"

    def _hits(
        self, name: str, query: Any, k: int, where: Filter, using: str | None = None
    ) -> Sequence[Hit]:
        found = self._client.query_points(
            name, query=query, using=using, limit=k, query_filter=_filter(where)
        )
        in_order = sorted(found.points, key=lambda each: (-each.score, int(each.id)))
        return tuple(
            Hit(int(each.id), float(each.score), rank) for rank, each in enumerate(in_order, 1)
        )

    def _ensure(self, documents: Sequence[ChunkedDocument]) -> None:
        if self._client.collection_exists(self._name):
            return
        lengths = [
            ANALYSERS[chunk.language].analyse(chunk.text).length
            for document in documents
            for chunk in document.chunks
        ]
        sparse = models.SparseVectorParams(modifier=models.Modifier.IDF)
        self._client.create_collection(
            self._name,
            vectors_config={},
            sparse_vectors_config={_LEXICAL: sparse},
            metadata={"average": sum(lengths) / max(len(lengths), 1)},
        )

    @cached_property
    def _average(self) -> float:
        about = self._client.get_collection(self._name).config.metadata or {}
        return float(about["average"])

    def _is_stored(self, document: ChunkedDocument) -> bool:
        if not self._client.collection_exists(self._name):
            return False
        source, content = document.origin.source, document.content_hash
        same = models.Filter(must=[_equal("source", source), _equal("content_hash", content)])
        found = self._client.count(self._name, count_filter=same)
        return found.count == len(document.chunks)

    def _standing(self, source: str) -> dict[int, StoredChunk]:
        """The chunks of a source as they are, by number."""
        of_source = models.Filter(must=[_equal("source", source)])
        found: dict[int, StoredChunk] = {}
        after: Any = None
        while True:
            page, after = self._client.scroll(
                self._name, of_source, limit=_PAGE, offset=after, with_payload=True
            )
            found |= {int(each.id): _stored(int(each.id), each.payload or {}) for each in page}
            if after is None:
                return found

    def _keep(self, source: str, points: Sequence[models.PointStruct]) -> None:
        """Drop what else the source had, and let the vectors that stay know its new facts."""
        ids: list[Any] = [point.id for point in points]
        others = models.Filter(
            must=[_equal("source", source)], must_not=[models.HasIdCondition(has_id=ids)]
        )
        for each in self._client.get_collections().collections:
            if not each.name.startswith(self._name):
                continue
            self._client.delete(each.name, models.FilterSelector(filter=others), wait=True)
            if each.name != self._name:
                there = {found.id for found in self._client.retrieve(each.name, ids)}
                for point in points:
                    if point.id in there:
                        self._client.set_payload(each.name, point.payload or {}, [point.id])

    def _points(
        self, document: ChunkedDocument, standing: Mapping[int, StoredChunk]
    ) -> list[models.PointStruct]:
        places = {each.position: each.chunk for each in standing.values()}
        positions = kept_positions(places, document.chunks)
        return [
            self._point(document, chunk, position)
            for chunk, position in zip(document.chunks, positions, strict=True)
        ]

    def _point(self, document: ChunkedDocument, chunk: Chunk, position: int) -> models.PointStruct:
        origin = document.origin
        analysed = ANALYSERS[chunk.language].analyse(f"{chunk.section}\n{chunk.text}")
        norm = K1 * (1 - B + B * analysed.length / self._average)
        weights = {
            _term_number(chunk.language, term): (K1 + 1) * count / (count + norm)
            for term, count in analysed.frequencies.items()
        }
        date = origin.detected_date
        payload = {
            **asdict(origin),
            "policy_tags": list(origin.policy_tags),
            "detected_date": date.isoformat() if date else None,
            "beginnings": _beginnings(origin.source),
            "content_hash": document.content_hash,
            "position": position,
            "text": chunk.text,
            "language": chunk.language.value,
            "section": chunk.section,
        }
        sparse = models.SparseVector(indices=list(weights), values=list(weights.values()))
        content = f"{chunk.language}\0{chunk.section}\0{chunk.text}"
        number = _number(f"{origin.source}\0{content}\0{position}", 7)
        return models.PointStruct(id=number, vector={_LEXICAL: sparse}, payload=payload)


def _number(text: str, size: int) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).digest())


def _term_number(language: Language, term: str) -> int:
    """Qdrant's sparse vectors have 32 bits for a dimension."""
    return _number(f"{language}\0{term}", 4)


def _stored(number: int, payload: Mapping[str, Any]) -> StoredChunk:
    date = payload["detected_date"]
    origin = Origin(
        payload["source"],
        payload["title"],
        payload["host"],
        payload["domain_type"],
        datetime.fromisoformat(date) if date else None,
        payload["version"],
        tuple(payload["policy_tags"]),
    )
    chunk = Chunk(payload["text"], Language(payload["language"]), payload["section"])
    return StoredChunk(number, _number(origin.source, 7), payload["position"], chunk, origin)


def _filter(where: Filter) -> models.Filter | None:
    if not where:
        return None
    must: list[Any] = []
    if where.sources is not None:
        must.append(_begins(where.sources))
    for name, given in (
        ("host", where.hosts),
        ("domain_type", where.domain_types),
        ("version", where.versions),
    ):
        if given is not None:
            must.append(_any(name, given))
    must += [_equal("policy_tags", tag) for tag in where.policy_tags or ()]
    if where.since is not None or where.until is not None:
        dates = models.DatetimeRange(gte=where.since, lte=where.until)
        must.append(models.FieldCondition(key="detected_date", range=dates))
    must_not: list[Any] = []
    if where.not_hosts is not None:
        must_not.append(_any("host", where.not_hosts))
    if where.not_sources is not None:
        must_not.append(_begins(where.not_sources))
    return models.Filter(must=must, must_not=must_not)


def _beginnings(source: str) -> list[int]:
    """All of them, because Qdrant compares a text whole or by its words; as numbers, so that they
    do not take more room than the chunk."""
    return [_number(source[:length], 7) for length in range(len(source) + 1)]


def _begins(beginnings: Sequence[str]) -> models.FieldCondition:
    numbers = [_number(each, 7) for each in beginnings]
    return models.FieldCondition(key="beginnings", match=models.MatchAny(any=numbers))


def _any(name: str, values: Sequence[str]) -> models.FieldCondition:
    return models.FieldCondition(key=name, match=models.MatchAny(any=list(values)))


def _equal(name: str, value: str) -> models.FieldCondition:
    return models.FieldCondition(key=name, match=models.MatchValue(value=value))
