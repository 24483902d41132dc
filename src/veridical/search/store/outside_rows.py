"""What an index beside PostgreSQL needs of it: which chunks there are, and who writes now."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from veridical.contracts.language import Language
from veridical.search.chunk import Chunk
from veridical.search.filter import Filter
from veridical.search.store.collections import version_of
from veridical.search.store.conditions import conditions, values
from veridical.search.store.driver import rows

_PATIENCE = """
SELECT set_config('statement_timeout', '1h', true), set_config('lock_timeout', '1h', true),
    set_config('idle_in_transaction_session_timeout', '1h', true)
"""
"""The index may be at work for minutes while others wait for their turn."""
_TURN = "SELECT pg_advisory_xact_lock(hashtextextended('veridical.search.outside', %(collection)s))"
_SOURCES = """
SELECT id FROM veridical.search_documents
WHERE collection = %(collection)s AND source = ANY(%(sources)s::text[])
"""
_DOCUMENTS = "SELECT id FROM veridical.search_documents WHERE collection = %(collection)s"
_PASSING = "SELECT d.id FROM veridical.search_documents d WHERE d.collection = %(collection)s AND "
_STANDING = """
SELECT id, document FROM veridical.search_chunks WHERE document = ANY(%(documents)s::bigint[])
"""
_PLACES = """
SELECT id, document FROM veridical.search_chunks
WHERE collection = %(collection)s AND id = ANY(%(ids)s::bigint[])
"""
_TEXTS = """
SELECT id, document, text, language, section FROM veridical.search_chunks
WHERE id = ANY(%(ids)s::bigint[])
"""
_COUNT = "SELECT count(*) FROM veridical.search_chunks WHERE collection = %(collection)s"
_PAGE = """
SELECT id, document, text FROM veridical.search_chunks
WHERE collection = %(collection)s AND id > %(after)s ORDER BY id LIMIT %(limit)s
"""
_OPENINGS = """
SELECT c.id, c.document, left(c.text, %(length)s)
FROM veridical.search_chunks c JOIN veridical.search_documents d ON d.id = c.document
WHERE c.collection = %(collection)s
ORDER BY sha256(convert_to(d.source || '#' || c.position, 'UTF8')), c.id LIMIT %(limit)s
"""
_NOTE = """
INSERT INTO veridical.search_indexes (collection, language, tenant, analyser, pivot)
VALUES (%(collection)s, %(language)s, %(tenant)s, %(analyser)s, %(pivot)s) ON CONFLICT DO NOTHING
"""
_PIVOT = """
SELECT pivot FROM veridical.search_indexes
WHERE collection = %(collection)s AND language = %(language)s
"""


@dataclass(frozen=True, slots=True)
class ChunkText:
    """A chunk with its document."""

    id: int
    document: int
    chunk: Chunk


def take_turn(connection: Connection, collection: int) -> None:
    """Wait until no other transaction writes to the index of this collection."""
    rows(connection, _PATIENCE, {})
    rows(connection, _TURN, {"collection": collection})


def documents_of(
    connection: Connection, collection: int, sources: Sequence[str] | None = None
) -> list[int]:
    """The documents of these sources, or all of the collection."""
    if sources is None:
        return [row[0] for row in rows(connection, _DOCUMENTS, {"collection": collection})]
    given = {"collection": collection, "sources": list(sources)}
    return [row[0] for row in rows(connection, _SOURCES, given)]


def passing_documents(connection: Connection, collection: int, where: Filter) -> list[int]:
    """The documents that pass a filter."""
    given = {**values(where), "collection": collection}
    return [row[0] for row in rows(connection, _PASSING + conditions(where), given)]


def standing_chunks(connection: Connection, documents: Iterable[int]) -> dict[int, int]:
    """The documents of all chunks of these documents, by chunk."""
    return dict(rows(connection, _STANDING, {"documents": list(documents)}))


def places_of(connection: Connection, collection: int, ids: Iterable[int]) -> dict[int, int]:
    """The documents of these chunks of a collection, by chunk; without those that are gone."""
    return dict(rows(connection, _PLACES, {"collection": collection, "ids": list(ids)}))


def chunk_texts(connection: Connection, ids: Collection[int]) -> list[ChunkText]:
    """These chunks."""
    return [
        ChunkText(row[0], row[1], Chunk(row[2], Language(row[3]), row[4]))
        for row in rows(connection, _TEXTS, {"ids": list(ids)})
    ]


def count_chunks(connection: Connection, collection: int) -> int:
    """The number of chunks in a collection."""
    return rows(connection, _COUNT, {"collection": collection})[0][0]


def page_of_chunks(
    connection: Connection, collection: int, after: int, limit: int
) -> list[tuple[int, int, str]]:
    """The next chunks behind this number: number, document and text."""
    given = {"collection": collection, "after": after, "limit": limit}
    return [tuple(row) for row in rows(connection, _PAGE, given)]


def all_openings(
    connection: Connection, collection: int, limit: int, length: int
) -> list[tuple[int, int, str]]:
    """How chunks begin, spread over all documents: number, document and text."""
    given = {"collection": collection, "limit": limit, "length": length}
    return [tuple(row) for row in rows(connection, _OPENINGS, given)]


def noted_pivot(
    connection: Connection,
    tenant: str,
    collection: int,
    index: str,
    language: Language,
    pivot: float,
) -> float:
    """The length that the chunks of a language are compared with, in an index: this one where
    there is none yet."""
    about = {"collection": collection, "language": language.value, "tenant": tenant}
    rows(connection, _NOTE, {**about, "analyser": version_of(language, index), "pivot": pivot})
    return float(rows(connection, _PIVOT, about)[0][0])
