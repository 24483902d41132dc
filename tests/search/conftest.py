"""A migrated database with two tenants."""

from collections.abc import Iterator

import psycopg
import pytest

from veridical.store.connection import Store
from veridical.store.migrate import upgrade

TENANTS = ("acme", "globex")


@pytest.fixture(scope="module")
def search_url(postgres_url: str) -> str:
    upgrade(postgres_url)
    with psycopg.connect(postgres_url) as connection:
        for tenant in TENANTS:
            connection.execute(
                "INSERT INTO veridical.tenants (id, name, scope) VALUES (%s, %s, '{}')",
                (tenant, tenant),
            )
    return postgres_url


@pytest.fixture(scope="module")
def store(search_url: str) -> Iterator[Store]:
    store = Store(search_url)
    yield store
    store.close()
