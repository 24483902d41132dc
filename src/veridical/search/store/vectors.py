"""The vector leg: pgvector, by HNSW or, where few rows come into question, by an exact scan."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import psycopg
from psycopg.sql import Literal
from sqlalchemy import Connection

from veridical.search.chunk import Hit
from veridical.search.embeddings.embedder import Vector
from veridical.search.filter import NO_FILTER, Filter
from veridical.search.store.collections import CollectionIndex
from veridical.search.store.conditions import conditions, values
from veridical.search.store.driver import rows
from veridical.search.store.passages import COLUMNS, TABLES, hits_of
from veridical.search.vector_gap import VectorGap, VectorGapError

EXACT_BELOW = 10_000
"""Rows. Under a selective filter HNSW walks past most of what it finds; that many are scanned
faster than a graph is walked, and none is missed."""
SCAN = {
    "hnsw.iterative_scan": "strict_order",
    "hnsw.ef_search": "200",
    "hnsw.max_scan_tuples": "40000",
    "plan_cache_mode": "force_custom_plan",
}
"""Settings of a scan: under a filter it goes on until enough rows pass. Planned for any limit, it
would sort all rows instead of walking the graph."""
_LOADED, _SCHEMA = "veridical_vector_loaded", "veridical_vector_schema"
"""Marks of a pooled connection."""
EXTENSION = """
SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
WHERE e.extname = 'vector' AND to_regclass('veridical.search_vectors') IS NOT NULL
"""
_WRITE = """
INSERT INTO veridical.search_vectors (chunk, model, tenant, collection, document, embedding)
SELECT c.id, %(model)s, c.tenant, c.collection, c.document, v.embedding::{schema}.halfvec
FROM unnest(%(chunks)s::bigint[], %(vectors)s::text[]) AS v(chunk, embedding)
JOIN veridical.search_chunks c ON c.id = v.chunk
FOR KEY SHARE OF c
ON CONFLICT DO NOTHING
"""
_ELIGIBLE = """
SELECT count(*) FROM (
    SELECT FROM veridical.search_documents d
    JOIN veridical.search_vectors v ON v.document = d.id AND v.model = %(model)s
    WHERE d.collection = %(collection)s AND {conditions} LIMIT %(limit)s
) AS eligible
"""
_EXACT = """
WITH eligible AS MATERIALIZED (
    SELECT v.chunk, v.embedding OPERATOR({schema}.<=>) %(vector)s::{schema}.halfvec AS distance
    FROM veridical.search_documents d
    JOIN veridical.search_vectors v ON v.document = d.id AND v.model = %(model)s
    WHERE d.collection = %(collection)s AND {conditions}
)
SELECT {columns}, 1 - distance
FROM (SELECT * FROM eligible ORDER BY distance, chunk LIMIT %(k)s) AS best
JOIN ({tables}) ON c.id = best.chunk ORDER BY distance, chunk
"""
_APPROXIMATE = """
WITH best AS MATERIALIZED (
    SELECT v.chunk, v.embedding::{schema}.halfvec({size}) OPERATOR({schema}.<=>)
        %(vector)s::{schema}.halfvec({size}) AS distance
    FROM veridical.search_vectors v
    WHERE v.model = {model} AND v.collection = %(collection)s AND {conditions}
    ORDER BY v.embedding::{schema}.halfvec({size}) OPERATOR({schema}.<=>)
        %(vector)s::{schema}.halfvec({size}) LIMIT %(k)s
)
SELECT {columns}, 1 - distance FROM best JOIN ({tables}) ON c.id = best.chunk
ORDER BY distance, chunk
"""
_PASSES = "EXISTS (SELECT FROM veridical.search_documents d WHERE d.id = v.document AND {})"


class NoVectorsError(VectorGapError):
    """The database has no extension ``vector``, or was not prepared for it."""

    gap = VectorGap.NO_EXTENSION


class ScanSettingError(VectorGapError):
    """The server did not take a setting of the scan, which would silently lose results."""

    gap = VectorGap.OLD_EXTENSION


class OtherSizeError(VectorGapError):
    """Vectors of another length are stored under the model's name."""

    gap = VectorGap.OTHER_SIZE


@dataclass(frozen=True, slots=True)
class VectorResult:
    """The result of the vector leg."""

    hits: tuple[Hit, ...]
    is_exact: bool


def write_vectors(
    connection: Connection, model: str, vectors: Iterable[tuple[int, Vector]]
) -> None:
    """Store the vectors of chunks; what is there already stays, and what is gone is left out.

    Raises ``NoVectorsError`` and ``OtherSizeError``.
    """
    given = list(vectors)
    values = {
        "model": model,
        "chunks": [chunk for chunk, _ in given],
        "vectors": [literal(vector) for _, vector in given],
    }
    _compared(connection, _WRITE.format(schema=extension_schema(connection)), values)


def nearest(
    connection: Connection,
    collection: CollectionIndex,
    model: str,
    vector: Vector,
    k: int,
    where: Filter = NO_FILTER,
    exact_below: int = EXACT_BELOW,
) -> VectorResult:
    """The chunks whose vectors are nearest. Raises ``VectorGapError``."""
    schema = extension_schema(connection)
    given = {
        **values(where),
        "collection": collection.id,
        "model": model,
        "vector": literal(vector),
        "k": k,
    }
    eligible = collection.size
    if where and eligible > exact_below:
        counting = _ELIGIBLE.format(conditions=conditions(where))
        eligible = rows(connection, counting, {**given, "limit": exact_below + 1})[0][0]
    is_exact = eligible <= exact_below
    if is_exact:
        statement = _EXACT.format(
            schema=schema, conditions=conditions(where), columns=COLUMNS, tables=TABLES
        )
    else:
        _set_scan(connection, schema)
        statement = approximate_statement(schema, model, len(vector), where)
    found = _compared(connection, statement, given, prepare=True)
    return VectorResult(hits_of(found), is_exact)


def approximate_statement(schema: str, model: str, size: int, where: Filter) -> str:
    """The statement that walks the graph of a model's vectors of this size."""
    passes = _PASSES.format(conditions(where)) if where else "true"
    return _APPROXIMATE.format(
        schema=schema,
        size=size,
        model=_quoted(model),
        conditions=passes,
        columns=COLUMNS,
        tables=TABLES,
    )


def extension_schema(connection: Connection) -> str:
    """The schema of the extension, quoted. Raises ``NoVectorsError``."""
    known: str | None = connection.info.get(_SCHEMA)
    if known is None:
        found = rows(connection, EXTENSION, {})
        if not found:
            raise NoVectorsError
        known = connection.info[_SCHEMA] = str(found[0][0])
    return known


def _compared(
    connection: Connection,
    statement: str,
    values: Mapping[str, Any],
    *,
    prepare: bool | None = None,
) -> list[Any]:
    try:
        return rows(connection, statement, values, prepare=prepare)
    except psycopg.errors.DataException as error:
        raise OtherSizeError from error


def _set_scan(connection: Connection, schema: str) -> None:
    """Before the extension is loaded, the server takes any value and forgets it on loading."""
    if not connection.info.get(_LOADED):
        rows(connection, f"SELECT '[1]'::{schema}.halfvec", {})
        connection.info[_LOADED] = True
    settings = ", ".join(f"set_config('{name}', '{value}', true)" for name, value in SCAN.items())
    if tuple(rows(connection, f"SELECT {settings}", {})[0]) != tuple(SCAN.values()):
        raise ScanSettingError


@cache
def _quoted(model: str) -> str:
    """As a literal, which the planner compares with the condition of the partial index."""
    return Literal(model).as_string(None).replace("%", "%%")


def literal(vector: Sequence[float]) -> str:
    """A vector as the server takes it."""
    return "[" + ",".join(f"{value:.6g}" for value in vector) + "]"
