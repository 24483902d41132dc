"""The documents of a collection by their sources, and the content that they were stored with."""

from collections.abc import Sequence

from sqlalchemy import Connection

from veridical.search.store.driver import rows

_HASHES = """
SELECT d.source, d.content_hash FROM veridical.search_documents d
JOIN veridical.search_collections c ON c.id = d.collection
WHERE c.tenant = %(tenant)s AND c.name = %(name)s AND d.source = ANY(%(sources)s::text[])
AND EXISTS (SELECT 1 FROM veridical.search_chunks k WHERE k.document = d.id)
"""


def content_hashes(
    connection: Connection, tenant: str, collection: str, sources: Sequence[str]
) -> dict[str, str]:
    """The content hash of each of these documents that is there with its passages."""
    given = {"tenant": tenant, "name": collection, "sources": list(sources)}
    return {row[0]: row[1] for row in rows(connection, _HASHES, given)}
