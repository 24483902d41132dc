"""One server with the console for all its tests, and a real browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.console.chromium import chromium, window
from tests.console.stored import proposals, write_evals
from tests.sample import PACK, trustee
from tests.server.standing import ACME, Standing, prepare, standing
from tests.server.working import working
from veridical.answering.feature import Feature
from veridical.console.mount import add_console
from veridical.onboarding.record import write_proposals
from veridical.ontology.ontology_file import ontology_text
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
    (folder / "ontology.yaml").write_text(ontology_text(PACK.ontology, ".yaml"), "utf-8")
    with standing(
        url,
        trustee,
        prepare(url),
        ontologies={"trustee": folder / "ontology.yaml"},
        furnish=add_console,
        home=folder,
        maintainers=(ACME,),
        model_hosts=("127.0.0.1",),
        evals=folder / "evals",
        signing_key=folder / "signing-key.pem",
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


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page in the language of the test, which complains about whatever the browser does."""
    language = getattr(request, "param", "en")
    context = window(browser, locale=language)
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on(
        "console", lambda said: complaints.append(said.text) if said.type == "error" else None
    )
    yield opened
    context.close()
    assert complaints == []
