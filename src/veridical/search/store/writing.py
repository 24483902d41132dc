"""Writes a batch of documents: rows, chunks and postings in one transaction, each document once."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from veridical.contracts.language import Language
from veridical.search.analysis.analyser import ANALYSERS
from veridical.search.chunk import Chunk, ChunkedDocument, kept_positions
from veridical.search.store.collections import check_version
from veridical.search.store.driver import number_array, rows, text_array
from veridical.search.store.postings import MAP_LEVEL, IndexedChunk, maps_of, postings_of

_LOCK = """
SELECT pg_advisory_xact_lock(%(key)s, hashtext(source))
FROM unnest(%(sources)s::text[]) AS s(source)
"""
_KNOWN = """
SELECT source, content_hash, id FROM veridical.search_documents
WHERE collection = %(collection)s AND source = ANY(%(sources)s::text[])
"""
_STANDING = """
SELECT id, document, position, text, language, section FROM veridical.search_chunks
WHERE document = ANY(%(documents)s::bigint[])
"""
_FORGET = "DELETE FROM veridical.search_chunks WHERE id = ANY(%(ids)s::bigint[])"
_DOCUMENTS = """
INSERT INTO veridical.search_documents (tenant, collection, source, content_hash, title, host,
    domain_type, detected_date, version, policy_tags)
SELECT %(tenant)s, %(collection)s, d.source, d.content_hash, d.title, d.host, d.domain_type,
    d.detected_date, d.version, d.policy_tags::text[]
FROM unnest(%(sources)s::text[], %(hashes)s::text[], %(titles)s::text[], %(hosts)s::text[],
    %(domain_types)s::text[], %(dates)s::timestamptz[], %(versions)s::text[], %(tags)s::text[])
    AS d(source, content_hash, title, host, domain_type, detected_date, version, policy_tags)
ON CONFLICT (collection, source) DO UPDATE SET (content_hash, title, host, domain_type,
    detected_date, version, policy_tags, ingested_at) = (excluded.content_hash, excluded.title,
    excluded.host, excluded.domain_type, excluded.detected_date, excluded.version,
    excluded.policy_tags, now())
RETURNING source, id
"""
_NUMBERS = "SELECT nextval('veridical.search_{}_id_seq') FROM generate_series(1, %(n)s)"
_CHUNKS = """
INSERT INTO veridical.search_chunks (id, tenant, collection, document, position, language, section,
    text, length, terms)
SELECT c.id, %(tenant)s, %(collection)s, c.document, c.position, c.language, c.section, c.text,
    c.length, c.terms
FROM unnest(%(ids)s::bigint[], %(documents)s::bigint[], %(positions)s::integer[],
    %(languages)s::text[], %(sections)s::text[], %(texts)s::text[], %(lengths)s::integer[],
    %(terms)s::bytea[]) AS c(id, document, position, language, section, text, length, terms)
"""
_INDEX = """
INSERT INTO veridical.search_indexes (collection, language, tenant, analyser, pivot)
VALUES (%(collection)s, %(language)s, %(tenant)s, %(analyser)s, %(pivot)s)
ON CONFLICT DO NOTHING
"""
_PIVOT = """
SELECT pivot, analyser FROM veridical.search_indexes
WHERE collection = %(collection)s AND language = %(language)s
"""
_SEGMENT = """
INSERT INTO veridical.search_segments (tenant, collection, language, chunks, length)
VALUES (%(tenant)s, %(collection)s, %(language)s, %(chunks)s, %(length)s) RETURNING id
"""
_POSTINGS = """
INSERT INTO veridical.search_postings (tenant, collection, language, term, level, segment, n,
    entries)
SELECT %(tenant)s, %(collection)s, %(language)s, p.term, p.level, %(segment)s, p.n,
    p.entries::bigint[]
FROM unnest(%(terms)s::text[], %(levels)s::smallint[], %(counts)s::integer[], %(entries)s::text[])
    AS p(term, level, n, entries)
"""


@dataclass(frozen=True, slots=True)
class Written:
    """The changes of a batch."""

    documents: int
    """Those that are new or have changed; what was there as it is counts nowhere."""
    chunks: tuple[tuple[int, Chunk], ...]
    """The new chunks with their numbers, for the vectors."""


@dataclass(frozen=True, slots=True)
class Place:
    """A collection of a tenant, by its number."""

    tenant: str
    collection: int

    @property
    def values(self) -> dict[str, object]:
        """As statements take it."""
        return {"tenant": self.tenant, "collection": self.collection}


def write_documents(
    connection: Connection,
    tenant: str,
    collection: int,
    documents: Sequence[ChunkedDocument],
    *,
    in_postgres: bool = True,
) -> Written:
    """Store these documents; one that is there with the same content is left as it is. Of one with
    another content, the chunks that are not in it any more are replaced; the others keep their
    numbers, places and vectors. Another writer of the same document waits. Where another index
    finds them, they have no postings.

    Raises ``OutdatedIndexError``.
    """
    place = Place(tenant, collection)
    changed, known = _changed(connection, place, documents)
    if not changed:
        return Written(0, ())
    documented = _insert_documents(connection, place, changed)
    standing = _standing(connection, known)
    new: list[tuple[int, int, Chunk]] = []
    for document in changed:
        number = documented[document.origin.source]
        there = standing.get(number, {})
        positions = kept_positions({at: chunk for at, (_, chunk) in there.items()}, document.chunks)
        for position, chunk in zip(positions, document.chunks, strict=True):
            if there.pop(position, None) is None:
                new.append((number, position, chunk))
    gone = [id for there in standing.values() for id, _ in there.values()]
    if gone:
        rows(connection, _FORGET, {"ids": gone})
    ids = _numbers(connection, "chunks", len(new))
    numbered = [(id, *each) for id, each in zip(ids, new, strict=True)]
    if numbered:
        _insert_chunks(connection, place, numbered, in_postgres=in_postgres)
    return Written(len(changed), tuple((each[0], each[3]) for each in numbered))


def _changed(
    connection: Connection, place: Place, documents: Sequence[ChunkedDocument]
) -> tuple[list[ChunkedDocument], list[int]]:
    """The documents to be written, and the numbers of those of them that are there."""
    by_source = {each.origin.source: each for each in documents}
    in_order = sorted(by_source)  # so that no two wait for each other
    rows(connection, _LOCK, {"key": place.collection % 2**31, "sources": in_order})
    parameters = {**place.values, "sources": list(by_source)}
    outdated: list[int] = []
    for source, content_hash, number in rows(connection, _KNOWN, parameters):
        if by_source[source].content_hash == content_hash:
            del by_source[source]
        else:
            outdated.append(number)
    return list(by_source.values()), outdated


def _standing(
    connection: Connection, documents: Sequence[int]
) -> dict[int, dict[int, tuple[int, Chunk]]]:
    """The chunks of these documents with their numbers, by document and position."""
    found: dict[int, dict[int, tuple[int, Chunk]]] = {number: {} for number in documents}
    if documents:
        for row in rows(connection, _STANDING, {"documents": documents}):
            id, document, position, text, language, section = row
            found[document][position] = id, Chunk(text, Language(language), section)
    return found


def _insert_documents(
    connection: Connection, place: Place, documents: Sequence[ChunkedDocument]
) -> dict[str, int]:
    """The numbers of the documents, by source."""
    origins = [each.origin for each in documents]
    values = {
        **place.values,
        "sources": [each.source for each in origins],
        "hashes": [each.content_hash for each in documents],
        "titles": [each.title for each in origins],
        "hosts": [each.host for each in origins],
        "domain_types": [each.domain_type for each in origins],
        "dates": [each.detected_date for each in origins],
        "versions": [each.version for each in origins],
        "tags": [text_array(each.policy_tags) for each in origins],
    }
    return dict(rows(connection, _DOCUMENTS, values))


def _numbers(connection: Connection, table: str, count: int) -> list[int]:
    return [row[0] for row in rows(connection, _NUMBERS.format(table), {"n": count})]


def _insert_chunks(
    connection: Connection,
    place: Place,
    numbered: Sequence[tuple[int, int, int, Chunk]],
    *,
    in_postgres: bool,
) -> None:
    analysed = indexed([(each[0], each[3]) for each in numbered]) if in_postgres else []
    lengths = [each.analysed.length for each in analysed] or [0] * len(numbered)
    terms = [each.coded_terms for each in analysed] or [b""] * len(numbered)
    values = {
        **place.values,
        "ids": number_array(each[0] for each in numbered),
        "documents": number_array(each[1] for each in numbered),
        "positions": number_array(each[2] for each in numbered),
        "languages": text_array(each[3].language.value for each in numbered),
        "sections": text_array(each[3].section for each in numbered),
        "texts": text_array(each[3].text for each in numbered),
        "lengths": number_array(lengths),
        "terms": text_array(f"\\x{each.hex()}" for each in terms),
    }
    rows(connection, _CHUNKS, values)
    if in_postgres:
        insert_segments(connection, place, analysed, [each[3] for each in numbered])


def indexed(chunks: Sequence[tuple[int, Chunk]]) -> list[IndexedChunk]:
    """The chunks with their terms, by their numbers."""
    return [
        IndexedChunk(id, ANALYSERS[chunk.language].analyse(f"{chunk.section}\n{chunk.text}"))
        for id, chunk in chunks
    ]


def insert_segments(
    connection: Connection,
    place: Place,
    analysed: Sequence[IndexedChunk],
    chunks: Sequence[Chunk],
) -> None:
    """Write the postings of these chunks, a segment for each language."""
    by_language: dict[Language, list[IndexedChunk]] = defaultdict(list)
    for each, chunk in zip(analysed, chunks, strict=True):
        by_language[chunk.language].append(each)
    for language, of_language in by_language.items():
        _insert_segment(connection, place, language, of_language)


def _insert_segment(
    connection: Connection, place: Place, language: Language, chunks: Sequence[IndexedChunk]
) -> None:
    length = sum(each.analysed.length for each in chunks)
    about = {**place.values, "language": language.value}
    made = {"analyser": ANALYSERS[language].version, "pivot": length / len(chunks)}
    rows(connection, _INDEX, {**about, **made})
    pivot, analyser = rows(connection, _PIVOT, about)[0]
    check_version(language, analyser)
    segment = rows(connection, _SEGMENT, {**about, "chunks": len(chunks), "length": length})
    postings = postings_of(chunks, pivot)
    maps = maps_of(postings)
    values = {
        **about,
        "segment": segment[0][0],
        "terms": text_array([*(term for term, _ in postings), *maps]),
        "levels": number_array([*(level for _, level in postings), *(MAP_LEVEL for _ in maps)]),
        "counts": number_array([*map(len, postings.values()), *(0 for _ in maps)]),
        "entries": text_array(map(number_array, (*postings.values(), *maps.values()))),
    }
    rows(connection, _POSTINGS, values)
