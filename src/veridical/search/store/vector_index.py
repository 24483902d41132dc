"""The HNSW index of a model's vectors: one for each model and length, over all collections."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from hashlib import blake2b
from time import sleep
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier, Literal
from sqlalchemy import Connection

from veridical.search.store.driver import rows
from veridical.search.store.vectors import EXTENSION, NoVectorsError, OtherSizeError

Done = Callable[[int, int], object]
"""Called with how many blocks of how many were read."""
_LOOK_SECONDS = 0.5
_IS_VALID = """
SELECT i.indisvalid FROM pg_catalog.pg_index i
WHERE i.indexrelid = to_regclass(%(name)s)
"""
_PROGRESS = """
SELECT blocks_done, blocks_total FROM pg_catalog.pg_stat_progress_create_index
WHERE relid = 'veridical.search_vectors'::regclass AND blocks_total > 0
"""


def index_name(model: str, size: int) -> str:
    """The name of the index, within the schema."""
    return "search_vectors_" + blake2b(f"{model}/{size}".encode(), digest_size=6).hexdigest()


def has_index(connection: Connection, model: str, size: int) -> bool:
    """Whether the index is there and complete."""
    found = rows(connection, _IS_VALID, {"name": f"veridical.{index_name(model, size)}"})
    return bool(found) and bool(found[0][0])


def build_index(url: str, model: str, size: int, done: Done = lambda _, __: None) -> str:
    """Make the HNSW index of a model's vectors unless it is there; its name.

    To be run by the owner of the database; others go on writing meanwhile. What a build that was
    interrupted left behind is made anew. Raises ``NoVectorsError``, and ``OtherSizeError`` where
    the model has vectors of another length.
    """
    name = index_name(model, size)
    with (
        psycopg.connect(url, autocommit=True) as connection,
        psycopg.connect(url, autocommit=True) as watching,
        ThreadPoolExecutor(1) as thread,
    ):
        found = connection.execute(EXTENSION.encode()).fetchone()
        if found is None:
            raise NoVectorsError
        while not _is_ours(watching, name):  # never in one statement: the build waits for it
            sleep(_LOOK_SECONDS)
        _drop_unfinished(connection, name)
        create = SQL(
            "CREATE INDEX CONCURRENTLY IF NOT EXISTS {} ON veridical.search_vectors"
            " USING hnsw ((embedding::{}.halfvec({})) {}.halfvec_cosine_ops) WHERE model = {}"
        ).format(Identifier(name), SQL(found[0]), Literal(size), SQL(found[0]), Literal(model))
        building = thread.submit(connection.execute, create)
        while not building.done():
            _look(watching, done)
            wait([building], _LOOK_SECONDS)
        try:
            building.result()
        except psycopg.errors.DataException as error:
            _drop_unfinished(connection, name)
            raise OtherSizeError from error
    return name


def _is_ours(watching: psycopg.Connection[Any], name: str) -> bool:
    """Whether no other connection builds it; until this one is closed, none will."""
    row = watching.execute("SELECT pg_try_advisory_lock(hashtext(%s))", (name,)).fetchone()
    return row is not None and bool(row[0])


def _drop_unfinished(connection: psycopg.Connection[Any], name: str) -> None:
    """An index whose build was interrupted stays behind, is kept up to date, and is never used."""
    found = connection.execute(_IS_VALID.encode(), {"name": f"veridical.{name}"}).fetchone()
    if found is not None and not found[0]:
        connection.execute(
            SQL("DROP INDEX CONCURRENTLY IF EXISTS veridical.{}").format(Identifier(name))
        )


def _look(watching: psycopg.Connection[Any], done: Done) -> None:
    found = watching.execute(_PROGRESS.encode()).fetchone()
    if found is not None:
        done(int(found[0]), int(found[1]))
