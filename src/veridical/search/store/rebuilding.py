"""Makes the postings of a collection anew from the texts of its chunks."""

from collections.abc import Callable

from sqlalchemy import Connection

from veridical.contracts.language import Language
from veridical.search.chunk import Chunk
from veridical.search.store.driver import number_array, rows, text_array
from veridical.search.store.outside_rows import count_chunks
from veridical.search.store.writing import Place, indexed, insert_segments

_ALONE = "SELECT FROM veridical.search_collections WHERE id = %(collection)s FOR UPDATE"
_DROP = (
    "DELETE FROM veridical.search_postings WHERE collection = %(collection)s",
    "DELETE FROM veridical.search_segments WHERE collection = %(collection)s",
)
_FORGET = "DELETE FROM veridical.search_indexes WHERE collection = %(collection)s"
_PAGE = """
SELECT id, text, language, section FROM veridical.search_chunks
WHERE collection = %(collection)s AND id > %(after)s ORDER BY id LIMIT %(limit)s
"""
_TERMS = """
UPDATE veridical.search_chunks c SET length = t.length, terms = t.terms
FROM unnest(%(ids)s::bigint[], %(lengths)s::integer[], %(terms)s::bytea[]) AS t(id, length, terms)
WHERE c.id = t.id
"""
_AT_ONCE = 2_000


def drop_postings(connection: Connection, collection: int) -> None:
    """Drop the postings of a collection."""
    for statement in _DROP:
        rows(connection, statement, {"collection": collection})


def rebuild_postings(
    connection: Connection, tenant: str, collection: int, done: Callable[[int, int], object]
) -> set[Language]:
    """Make the postings of a collection anew; the languages that it has.

    Writers wait until the transaction ends, readers have the postings of before.
    """
    rows(connection, _ALONE, {"collection": collection})
    drop_postings(connection, collection)
    rows(connection, _FORGET, {"collection": collection})
    total, count, after = count_chunks(connection, collection), 0, 0
    languages: set[Language] = set()
    while True:
        given = {"collection": collection, "after": after, "limit": _AT_ONCE}
        page = [
            (row[0], Chunk(row[1], Language(row[2]), row[3]))
            for row in rows(connection, _PAGE, given)
        ]
        if not page:
            return languages
        analysed = indexed(page)
        values = {
            "ids": number_array(each.id for each in analysed),
            "lengths": number_array(each.analysed.length for each in analysed),
            "terms": text_array(f"\\x{each.coded_terms.hex()}" for each in analysed),
        }
        rows(connection, _TERMS, values)
        chunks = [chunk for _, chunk in page]
        insert_segments(connection, Place(tenant, collection), analysed, chunks)
        languages |= {chunk.language for chunk in chunks}
        count, after = count + len(page), page[-1][0]
        done(count, total)
