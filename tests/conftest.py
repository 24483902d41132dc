"""One PostgreSQL server for the whole run, one database for each module that asks."""

import re
from collections.abc import Iterator

import pytest

from veridical.testing.postgres import LocalPostgres, local_postgres


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[LocalPostgres]:
    with local_postgres() as server:
        yield server


@pytest.fixture(scope="module")
def postgres_url(postgres_server: LocalPostgres, request: pytest.FixtureRequest) -> str:
    name = re.sub(r"[^a-z0-9]+", "_", request.node.nodeid.lower())
    return postgres_server.create_database(name[-60:])
