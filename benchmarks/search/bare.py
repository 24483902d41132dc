"""Where search is measured, and its two statements without the product: the least it can cost."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Any, Self

import psycopg

from benchmarks.search.drawn import SIZE
from veridical.sample.postgres import local_postgres
from veridical.search.embeddings.embedder import Vector
from veridical.search.filter import NO_FILTER
from veridical.search.index import SearchIndex, opened_index
from veridical.search.score.settings import Index, ScoreSettings
from veridical.search.store import vectors
from veridical.search.store.collections import find_collection
from veridical.search.store.lexical import first_limits, query_terms
from veridical.search.store.lexical_statement import lexical_statement
from veridical.store.connection import Store
from veridical.store.migrate import upgrade

TENANT = "bench"


@dataclass(frozen=True)
class Ground:
    """Where the figures are measured."""

    url: str
    store: Store
    settings: ScoreSettings

    def index(self, collection: str) -> SearchIndex:
        """A collection of the one tenant."""
        return opened_index(self.settings, self.store.tenant, TENANT, collection)


@contextmanager
def ground(index: Index = Index.POSTGRES) -> Generator[Ground]:
    """The database and the files of an index beside it, gone when left. Qdrant is its client's
    local mode: what it costs says nothing about a server."""
    with local_postgres() as server, TemporaryDirectory() as folder:
        url = server.create_database("search")
        upgrade(url)
        with psycopg.connect(url) as connection:
            connection.execute(
                "INSERT INTO veridical.tenants (id, name, scope) VALUES (%s, %s, '{}')",
                (TENANT, TENANT),
            )
        store = Store(url, statement_seconds=600)
        try:
            yield Ground(url, store, ScoreSettings(index=index, index_address=folder))
        finally:
            store.close()


_PLANNED_ONCE = {"plan_cache_mode": "force_generic_plan"}


@dataclass(frozen=True)
class BareStatements:
    """The same statements as the product's, by the owner of the database: no role, no row
    policies, no transaction of their own, one round; prepared and planned once, as there."""

    words: psycopg.Connection[Any]
    graph: psycopg.Connection[Any]
    name: str
    number: int
    k: int
    lexical: bytes
    near: bytes

    @classmethod
    def open(cls, place: Ground, name: str, model: str, k: int) -> Self:
        """On connections of their own, with all settings made."""
        with place.store.tenant(TENANT) as opened:
            collection = find_collection(opened, TENANT, name)
            schema = vectors.extension_schema(opened)
        if collection is None:
            raise LookupError(name)
        loading = f"SELECT '[1]'::{schema}.halfvec"
        words, graph = (_connection(place, loading, each) for each in (_PLANNED_ONCE, vectors.SCAN))
        near = vectors.approximate_statement(schema, model, SIZE, NO_FILTER)
        lexical = lexical_statement(NO_FILTER)
        return cls(words, graph, name, collection.id, k, lexical.encode(), near.encode())

    def both(self, question: str, vector: Vector) -> None:
        """One after the other."""
        given = {**query_terms(question), **first_limits(self.k)}
        given |= {"tenant": TENANT, "collection": self.name, "k": self.k}
        self.words.execute(self.lexical, given, prepare=True).fetchall()
        near = {"collection": self.number, "vector": vectors.literal(vector), "k": self.k}
        self.graph.execute(self.near, near, prepare=True).fetchall()

    def close(self) -> None:
        """Both connections."""
        self.words.close()
        self.graph.close()


def _connection(
    place: Ground, loading: str, settings: Mapping[str, str]
) -> psycopg.Connection[Any]:
    connection = psycopg.connect(place.url, autocommit=True)
    connection.execute(loading.encode())
    for setting, value in settings.items():
        connection.execute("SELECT set_config(%s, %s, false)", (setting, value))
    return connection
