"""A database with all tables of runs, copied from one that was prepared once."""

import re
from collections.abc import Iterator

import psycopg
import pytest
from psycopg.sql import SQL, Identifier
from sqlalchemy import insert

from tests.sample import trustee
from veridical.runs.dbos_setup import prepare_engine
from veridical.runs.port import Runs, open_runs
from veridical.runs.settings import RunsSettings
from veridical.sample.postgres import LocalPostgres
from veridical.store.connection import Store
from veridical.store.migrate import upgrade
from veridical.store.tables import TENANTS

__all__ = ["trustee"]

TENANT, OTHER = "acme", "globex"
_PREPARED = "runs_prepared"


@pytest.fixture(scope="session")
def prepared(postgres_server: LocalPostgres) -> LocalPostgres:
    """The server with a database to copy."""
    url = postgres_server.create_database(_PREPARED)
    upgrade(url)
    prepare_engine(RunsSettings(database_url=url))
    store = Store(url)
    with store.operator() as connection:
        for tenant in (TENANT, OTHER):
            connection.execute(insert(TENANTS).values(id=tenant, name=tenant, scope={}))
    store.close()
    return postgres_server


@pytest.fixture
def runs_url(prepared: LocalPostgres, request: pytest.FixtureRequest) -> Iterator[str]:
    """A database of this test's own."""
    name = re.sub(r"[^a-z0-9]+", "_", request.node.nodeid.lower())[-60:]
    with psycopg.connect(prepared.url, autocommit=True) as connection:
        copy, original = Identifier(name), Identifier(_PREPARED)
        connection.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(copy))
        connection.execute(SQL("CREATE DATABASE {} TEMPLATE {}").format(copy, original))
        yield prepared.url_of(name)
        connection.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(copy))


@pytest.fixture
def settings(runs_url: str, request: pytest.FixtureRequest) -> RunsSettings:
    """With a short lease; a test in which nobody else may miss it asks for a longer one."""
    lease: float = getattr(request, "param", 2)
    return RunsSettings(
        database_url=runs_url, lease_seconds=lease, poll_seconds=0.05, stop_seconds=5
    )


@pytest.fixture
def store(runs_url: str) -> Iterator[Store]:
    store = Store(runs_url)
    yield store
    store.close()


@pytest.fixture
def runs(settings: RunsSettings, store: Store) -> Iterator[Runs]:
    with open_runs(settings, store) as opened:
        yield opened
