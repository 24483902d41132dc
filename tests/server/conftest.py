"""One server for all tests that only ask it."""

from collections.abc import Iterator

import pytest

from tests.sample import trustee
from tests.server.standing import Standing, prepare, standing
from tests.server.working import working
from veridical.answering.feature import Feature
from veridical.sample.postgres import LocalPostgres
from veridical.server.identity import Role

__all__ = ["trustee"]

Keys = dict[tuple[str, Role], str]


@pytest.fixture(scope="session")
def own_database(postgres_server: LocalPostgres) -> tuple[str, Keys]:
    """Veridical's own tables with two tenants, and their keys."""
    url = postgres_server.create_database("server_own")
    return url, prepare(url)


@pytest.fixture(scope="session")
def server(own_database: tuple[str, Keys], trustee: Feature) -> Iterator[Standing]:
    url, keys = own_database
    with standing(url, trustee, keys) as running:
        yield running


@pytest.fixture(scope="module")
def worked(server: Standing, trustee: Feature) -> Iterator[Standing]:
    """The server with a worker beside it, gone with the module: a process has one engine."""
    with working(server.services.runs.settings, trustee):
        yield server
