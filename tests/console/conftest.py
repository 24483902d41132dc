"""One server with the console for all its tests, and a real browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.console.chromium import chromium
from tests.console.stored import proposals, write_evals
from tests.sample import trustee
from tests.server.standing import ACME, Standing, prepare, standing
from tests.server.working import working
from veridical.answering.feature import Feature
from veridical.console.mount import add_console
from veridical.onboarding.record import write_proposals
from veridical.sample.postgres import LocalPostgres

__all__ = ["trustee"]


@pytest.fixture(scope="session")
def console(
    postgres_server: LocalPostgres, trustee: Feature, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Standing]:
    url = postgres_server.create_database("console_own")
    folder = tmp_path_factory.mktemp("console")
    write_evals(folder / "evals")
    write_proposals(folder, proposals())
    with standing(
        url,
        trustee,
        prepare(url),
        ontologies={"trustee": folder / "ontology.yaml"},
        furnish=add_console,
        maintainers=(ACME,),
        model_hosts=("127.0.0.1",),
        evals=folder / "evals",
    ) as running:
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
