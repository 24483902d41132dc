"""The passages of stored documents, by their numbers and by their places."""

from collections.abc import Iterable, Sequence
from typing import Any, LiteralString

from sqlalchemy import Connection

from veridical.contracts.language import Language
from veridical.search.chunk import Chunk, Hit, Origin, StoredChunk
from veridical.search.store.driver import rows

COLUMNS: LiteralString = """c.id, c.document, c.position, c.text, c.language, c.section, d.source,
    d.title, d.host, d.domain_type, d.detected_date, d.version, d.policy_tags"""
TABLES: LiteralString = (
    "veridical.search_chunks c JOIN veridical.search_documents d ON d.id = c.document"
)
_CHUNKS = "SELECT {columns} FROM {tables} WHERE c.id = ANY(%(ids)s::bigint[]) ORDER BY c.id"
_WIDTH = 13


def stored_chunks(connection: Connection, ids: Sequence[int]) -> list[StoredChunk]:
    """The chunks of these numbers, those that are there."""
    statement = _CHUNKS.format(columns=COLUMNS, tables=TABLES)
    return [stored_chunk(row) for row in rows(connection, statement, {"ids": list(ids)})]


def hits_of(found: Sequence[Sequence[Any]]) -> tuple[Hit, ...]:
    """Rows that begin with the columns of a chunk, then have its score: the best first."""
    return tuple(
        Hit(row[0], float(row[_WIDTH]), rank, stored_chunk(row))
        for rank, row in enumerate(found, 1)
    )


def stored_chunk(row: Sequence[Any]) -> StoredChunk:
    """A row that begins with these columns."""
    return StoredChunk(
        row[0],
        row[1],
        row[2],
        Chunk(row[3], Language(row[4]), row[5]),
        Origin(row[6], row[7], row[8], row[9], row[10], row[11], tuple(row[12])),
    )


PassagePlace = tuple[int, int]
"""The number of a document, and the position of a chunk in it."""

_PASSAGES = """
SELECT c.document, c.position, c.text, d.source, d.title
FROM unnest(%(documents)s::bigint[], %(positions)s::integer[]) AS p(document, position)
JOIN veridical.search_chunks c ON c.document = p.document AND c.position = p.position
JOIN veridical.search_documents d ON d.id = c.document
"""


def passages_at(
    connection: Connection, places: Sequence[PassagePlace]
) -> Iterable[tuple[PassagePlace, str, str, str]]:
    """Of each place that is there: its text, and the source and title of its document."""
    given = {"documents": [each[0] for each in places], "positions": [each[1] for each in places]}
    for row in rows(connection, _PASSAGES, given):
        yield (row[0], row[1]), row[2], row[3], row[4]
