"""The indexes that the tests hold to the same cases, each opened by what a setting opens.

Qdrant is *contract only*: its client's local mode answers here, and no server.
"""

import warnings
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from qdrant_client import QdrantClient

from veridical.search.index import SearchIndex
from veridical.search.outside.index import OutsideIndex
from veridical.search.outside.lance import LanceTables
from veridical.search.outside.place import Place
from veridical.search.outside.qdrant import QdrantTables
from veridical.search.outside.tables import CollectionTables
from veridical.search.store.index import PostgresIndex
from veridical.store.connection import Store

OUTSIDE = ("lancedb", "qdrant")
INDEXES = ("postgres", *OUTSIDE)
Opened = Callable[[str, str], SearchIndex]
"""The index of a tenant's collection."""
Tables = Mapping[str, Callable[[Place], CollectionTables]]
"""By the name of an index beside PostgreSQL."""


@contextmanager
def opened_tables(folder: Path) -> Generator[Tables]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the local mode is not meant for large collections
        client = QdrantClient(":memory:")
    yield {
        "lancedb": lambda place: LanceTables(str(folder), place),
        "qdrant": lambda place: QdrantTables(client, place),
    }
    client.close()


def opener(name: str, store: Store, tables: Tables) -> Opened:
    def opened(tenant: str, collection: str) -> SearchIndex:
        postgres = PostgresIndex(store.tenant, tenant, collection)
        if name == "postgres":
            return postgres
        return OutsideIndex(postgres, tables[name](Place(tenant, collection)))

    return opened
