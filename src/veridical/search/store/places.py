"""Passages by the places of their documents, as they are now."""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection

from veridical.search.store.driver import rows

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
