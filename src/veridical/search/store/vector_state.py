"""The vectors of a model in a collection: which chunks have one, and their weight."""

from dataclasses import dataclass

from sqlalchemy import Connection

from veridical.search.store.driver import rows
from veridical.search.store.vectors import extension_schema

_WITHOUT = """
FROM veridical.search_chunks c
WHERE c.collection = %(collection)s AND c.id > %(after)s AND NOT EXISTS (
    SELECT FROM veridical.search_vectors v WHERE v.chunk = c.id AND v.model = %(model)s
)
"""
_PAGE = f"SELECT c.id, c.text {_WITHOUT} ORDER BY c.id LIMIT %(limit)s"
_COUNT = f"SELECT count(*) {_WITHOUT}"
_CHUNKS = "SELECT count(*) FROM veridical.search_chunks WHERE collection = %(collection)s"
_MODELS = """
SELECT DISTINCT v.model FROM veridical.search_vectors v WHERE v.collection = %(collection)s
"""
_SIZE = """
SELECT {schema}.vector_dims(v.embedding) FROM veridical.search_vectors v
WHERE v.collection = %(collection)s AND v.model = %(model)s LIMIT 1
"""
_FORGET = "DELETE FROM veridical.search_vectors v WHERE v.collection = %(collection)s"
_FORGET_WEIGHTS = "DELETE FROM veridical.search_weights w WHERE w.collection = %(collection)s"


@dataclass(frozen=True, slots=True)
class VectorState:
    """The state of a collection's vectors for a model."""

    chunks: int
    missing: int
    """Chunks without a vector of the model."""
    size: int | None
    """The length of the model's vectors; none where there are none."""
    others: tuple[str, ...]
    """Other models with vectors here, which no search uses."""


def vector_state(connection: Connection, collection: int, model: str) -> VectorState:
    """The state of a collection. Raises ``NoVectorsError``."""
    schema = extension_schema(connection)
    parameters = {"collection": collection, "model": model, "after": 0}
    size = rows(connection, _SIZE.format(schema=schema), parameters)
    models = {row[0] for row in rows(connection, _MODELS, parameters)}
    return VectorState(
        chunks=rows(connection, _CHUNKS, parameters)[0][0],
        missing=rows(connection, _COUNT, parameters)[0][0],
        size=size[0][0] if size else None,
        others=tuple(sorted(models - {model})),
    )


def chunks_without_vectors(
    connection: Connection, collection: int, model: str, after: int, limit: int
) -> list[tuple[int, str]]:
    """The next chunks behind this number that have no vector of the model, with their texts.

    Raises ``NoVectorsError``.
    """
    extension_schema(connection)
    parameters = {"collection": collection, "model": model, "after": after, "limit": limit}
    return [(row[0], row[1]) for row in rows(connection, _PAGE, parameters)]


def forget_vectors(connection: Connection, collection: int) -> None:
    """Drop the vectors of all models in a collection, and what they weighed.

    Raises ``NoVectorsError``.
    """
    extension_schema(connection)
    rows(connection, _FORGET, {"collection": collection})
    forget_weights(connection, collection)


def forget_weights(connection: Connection, collection: int) -> None:
    """Drop what the vectors of a collection weighed."""
    rows(connection, _FORGET_WEIGHTS, {"collection": collection})


OPENING = 1_000
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
    parameters = {"collection": collection, "model": model, "length": OPENING, "limit": limit}
    return [row[0] for row in rows(connection, _OPENINGS, parameters)]
