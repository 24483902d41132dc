"""One server with the console for all its tests, and a real browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.console.chromium import chromium
from tests.sample import trustee
from tests.server.standing import Standing, prepare, standing
from tests.server.working import working
from veridical.answering.feature import Feature
from veridical.console.mount import add_console
from veridical.testing.postgres import LocalPostgres

__all__ = ["trustee"]


@pytest.fixture(scope="session")
def console(postgres_server: LocalPostgres, trustee: Feature) -> Iterator[Standing]:
    url = postgres_server.create_database("console_own")
    with standing(url, trustee, prepare(url), furnish=add_console) as running:
        yield running


@pytest.fixture(scope="module")
def worked(console: Standing, trustee: Feature) -> Iterator[Standing]:
    """The server with a worker beside it, gone with the module: a process has one engine."""
    with working(console.services.runs.settings, trustee):
        yield console


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Gone with the module: as long as it is there, its event loop runs in this thread, and
    nobody else can run one."""
    with chromium() as opened:
        yield opened
