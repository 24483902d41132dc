"""A PostgreSQL of its own with the tables of search and one tenant."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg

from veridical.sample.postgres import local_postgres
from veridical.search.store.index import PostgresIndex
from veridical.store.connection import Store
from veridical.store.migrate import upgrade

TENANT = "bench"


@dataclass(frozen=True)
class Ground:
    """Where the figures are measured."""

    url: str
    store: Store

    def index(self, collection: str) -> PostgresIndex:
        """A collection of the one tenant."""
        return PostgresIndex(self.store.tenant, TENANT, collection)


@contextmanager
def ground() -> Generator[Ground]:
    """The database, gone when left."""
    with local_postgres() as server:
        url = server.create_database("search")
        upgrade(url)
        with psycopg.connect(url) as connection:
            connection.execute(
                "INSERT INTO veridical.tenants (id, name, scope) VALUES (%s, %s, '{}')",
                (TENANT, TENANT),
            )
        store = Store(url, statement_seconds=600)
        try:
            yield Ground(url, store)
        finally:
            store.close()
