"""While an answer is awaited: a card with the time and a way to stop, a server that is killed, a
session that ends, and another language."""

import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.agent.local_server import LocalServer, answer_with, serving
from tests.balance_asked import QUESTION
from tests.console.chromium import sign_in, window
from tests.console.server_process import ServerProcess
from tests.console.test_model import asked_call
from tests.server.standing import ACME, Standing, prepare
from veridical.answering.feature import Feature
from veridical.contracts.language import Language
from veridical.engines import Postgres
from veridical.messages import message
from veridical.sample.postgres import LocalPostgres
from veridical.server.identity import Role

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

KNOWN = "What was the balance of account 1020 at the end of 2024?"
TOML = """
model = "openai-compatible:small"
base_url = "{url}"
api_key = "none"
answer_form = "rows"

[[features]]
name = "trustee"
database = "BOOKS"

[server]
session_secret = "0123456789abcdef0123456789abcdef"
"""


@dataclass
class SlowModel:
    """A model that answers once it may."""

    may_answer: threading.Event = field(default_factory=threading.Event)

    def behave(self, handler: BaseHTTPRequestHandler, server: LocalServer) -> None:
        while not self.may_answer.wait(0.05):
            if server.released.is_set():
                return
        with suppress(BrokenPipeError):  # nobody waits any more
            answer_with(handler, asked_call())


@dataclass
class Installation:
    """A server process whose model is slow, and a key to it."""

    process: ServerProcess
    model: SlowModel
    standing: Standing


@pytest.fixture(scope="module")
def installation(
    postgres_server: LocalPostgres, trustee: Feature, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installation]:
    folder: Path = tmp_path_factory.mktemp("installation")
    url = postgres_server.create_database("console_waiting")
    keys = prepare(url)
    database = trustee.engine.database
    assert isinstance(database, Postgres)
    books = database._pool.url.set(drivername="postgresql")  # pyright: ignore[reportPrivateUsage]
    own = {
        "BOOKS": books.render_as_string(hide_password=False),
        "VERIDICAL_RUNS_DATABASE_URL": url,
    }
    model = SlowModel()
    with serving(model.behave) as endpoint:
        (folder / "veridical.toml").write_text(TOML.format(url=endpoint.url))
        process = ServerProcess(folder, own)
        process.start()
        # of a standing server only the address and the keys are used here
        yield Installation(process, model, Standing(process.address, None, keys))  # pyright: ignore[reportArgumentType]
        process.kill()


@pytest.fixture
def asking(browser: Browser, installation: Installation) -> Iterator[Page]:
    """Signed in, with one answered question, and another that the model thinks about."""
    installation.model.may_answer.clear()
    context = window(browser, locale="en", viewport={"width": 390, "height": 800})
    page = context.new_page()
    sign_in(page, installation.standing, Role.ANALYST)
    for question in (KNOWN, QUESTION):
        page.fill("#question", question)
        page.keyboard.press("Enter")
        if question == KNOWN:
            expect(page.locator("article.turn")).to_have_count(1)
    expect(page.locator(".asking h2")).to_have_text(QUESTION)
    yield page
    installation.model.may_answer.set()
    context.close()


def test_the_card_shows_what_happens_and_for_how_long(
    asking: Page, installation: Installation
) -> None:
    card = asking.locator(".asking")
    expect(card).to_be_in_viewport()
    expect(asking.locator("#question")).to_have_value("")
    expect(card.locator("#now")).to_have_text(message("console.progress_asking", Language.EN))
    expect(card.locator(".elapsed")).to_have_text("0:02")
    installation.model.may_answer.set()
    expect(asking.locator("article.turn")).to_have_count(2)
    expect(card).to_have_count(0)


def test_stop_ends_the_wait_and_keeps_the_question(asking: Page) -> None:
    asking.locator(".asking .stop").click()
    expect(asking.locator(".asking")).to_have_count(0)
    expect(asking.locator("#live")).to_contain_text(message("console.stopped", Language.EN))
    expect(asking.locator("#question")).to_have_value(QUESTION)
    expect(asking.locator("#question")).to_be_focused()
    asking.fill("#question", "And the year before?")
    asking.keyboard.press("Enter")
    expect(asking.locator("article.turn")).to_have_count(2)


def test_a_server_that_is_killed_in_the_middle_answers_when_it_is_back(
    asking: Page, installation: Installation
) -> None:
    asking.fill("#question", "And the year before?")  # typed meanwhile
    installation.process.kill()
    card = asking.locator(".asking")
    expect(card.locator(".notice")).to_contain_text(message("console.connection_lost", Language.EN))
    expect(card.locator("h2")).to_have_text(QUESTION)
    card.locator(".retry").click()  # still gone
    expect(card.locator(".retry")).to_be_visible()
    installation.process.start()
    installation.model.may_answer.set()
    card.locator(".retry").click()
    expect(asking.locator("article.turn h2")).to_have_text([KNOWN, QUESTION])
    expect(asking.locator("#question")).to_have_value("And the year before?")
    asking.reload()
    expect(asking.locator("article.turn h2")).to_have_text([KNOWN, QUESTION])


def test_two_languages_in_the_middle_lose_nothing(asking: Page, installation: Installation) -> None:
    for language in ("de", "zh"):
        asking.click(f".languages [value={language}]")
        expect(asking.locator("html")).to_have_attribute("lang", language)
        expect(asking.locator("#question")).to_have_value(QUESTION)
        expect(asking.locator("article.turn h2")).to_have_text([KNOWN])
        asking.click("#ask button.primary")
        expect(asking.locator(".asking h2")).to_have_text(QUESTION)
    installation.model.may_answer.set()
    expect(asking.locator("article.turn h2")).to_have_text([KNOWN, QUESTION])
    expect(asking.locator("html")).to_have_attribute("lang", "zh")


def test_a_page_that_is_left_in_the_middle_has_the_question_again(
    asking: Page, installation: Installation
) -> None:
    asking.goto(f"{installation.process.address}/console/inbox")
    asking.goto(f"{installation.process.address}/console/ask")
    expect(asking.locator("#question")).to_have_value(QUESTION)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_session_that_ends_keeps_what_was_typed(
    browser: Browser, console: Standing, scripts: bool
) -> None:
    context = window(browser, locale="en", java_script_enabled=scripts)
    page = context.new_page()
    for where, place, button in (
        ("ask", "#question", "#ask button.primary"),
        ("requirements", "#text", ".paste button.primary"),
    ):
        sign_in(page, console, Role.ANALYST, where=where)
        page.fill(place, "The system shall be fast.")
        context.clear_cookies(name="veridical_session")
        page.click(button)
        expect(page.locator("main .notice")).to_have_text(
            message("console.session_ended", Language.EN)
        )
        page.fill("#key", "vk_wrong")
        page.click("main button")
        expect(page.locator(".notice.bad")).to_be_visible()
        page.fill("#key", console.keys[ACME, Role.ANALYST])
        page.click("main button")
        expect(page).to_have_url(f"{console.address}/console/{where}")
        expect(page.locator(place)).to_have_value("The system shall be fast.")
        context.clear_cookies()
    context.close()
