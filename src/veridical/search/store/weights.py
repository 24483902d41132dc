"""The weight of a model's vectors in a collection, and the chunks that it is measured with."""

from dataclasses import dataclass

from sqlalchemy import Connection

from veridical.search.store.driver import rows
from veridical.search.store.vectors import extension_schema

_OPENING = 1_000
"""Characters: a first sentence is shorter."""
_READ = """
SELECT w.weight, w.chunks FROM veridical.search_weights w
WHERE w.collection = %(collection)s AND w.model = %(model)s
"""
_KEEP = """
INSERT INTO veridical.search_weights (collection, model, tenant, weight, chunks)
SELECT c.id, %(model)s, c.tenant, %(weight)s, %(chunks)s
FROM veridical.search_collections c WHERE c.id = %(collection)s
ON CONFLICT (collection, model) DO UPDATE
SET weight = excluded.weight, chunks = excluded.chunks, measured_at = now()
"""
# By a checksum of where they stand: spread over all documents, and the same ones whenever the same
# documents are ingested, independent of the numbers of their chunks.
_OPENINGS = """
SELECT left(c.text, %(length)s)
FROM veridical.search_chunks c JOIN veridical.search_documents d ON d.id = c.document
WHERE c.collection = %(collection)s AND EXISTS (
    SELECT FROM veridical.search_vectors v WHERE v.chunk = c.id AND v.model = %(model)s
)
ORDER BY sha256(convert_to(d.source || '#' || c.position, 'UTF8')), c.id LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True)
class VectorWeight:
    """The measured weight, and the collection's size at that time."""

    weight: float
    """From 0 to 1; the words have the rest."""
    chunks: int
    """With vectors."""


def vector_weight(connection: Connection, collection: int, model: str) -> VectorWeight | None:
    """The last measured weight; none without one."""
    parameters = {"collection": collection, "model": model}
    found = rows(connection, _READ, parameters, prepare=True)
    return VectorWeight(*found[0]) if found else None


def keep_weight(connection: Connection, collection: int, model: str, given: VectorWeight) -> None:
    """Stores the weight in place of an earlier one."""
    parameters = {"collection": collection, "model": model}
    rows(connection, _KEEP, {**parameters, "weight": given.weight, "chunks": given.chunks})


def openings(connection: Connection, collection: int, model: str, limit: int) -> list[str]:
    """How chunks begin that have a vector of the model. Raises ``NoVectorsError``."""
    extension_schema(connection)
    parameters = {"collection": collection, "model": model, "length": _OPENING, "limit": limit}
    return [row[0] for row in rows(connection, _OPENINGS, parameters)]
