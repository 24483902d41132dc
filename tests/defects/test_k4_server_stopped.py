"""A server that has stopped: the page says so, keeps what was typed, and can try again."""

from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.console.chromium import sign_in
from tests.defects.console_server import Windows, asked, browser, is_seen, trustee, windows
from tests.runs.asked import asked as run_of
from tests.server.standing import ACME, Standing, prepare, standing
from veridical.answering.feature import Feature
from veridical.console.mount import add_console
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.server.identity import Role

__all__ = ["browser", "trustee", "windows"]

pytestmark = pytest.mark.postgres

FIRST = "What was the balance of account 1020 at the end of 2024?"
SECOND = "And the year before?"
Keys = dict[tuple[str, Role], str]


class Switch:
    """A server that is stopped and started again at the same address."""

    def __init__(self, url: str, trustee: Feature, keys: Keys) -> None:
        self._url, self._trustee, self._keys = url, trustee, keys
        self._running = ExitStack()
        self._port = 0

    def start(self) -> Standing:
        server = self._running.enter_context(
            standing(
                self._url,
                self._trustee,
                self._keys,
                furnish=add_console,
                port=self._port,
                session_secret="0123456789abcdef0123456789abcdef",
            )
        )
        self._port = urlsplit(server.address).port or 0
        return server

    def stop(self) -> None:
        self._running.close()


@pytest.fixture(scope="module")
def keys(postgres_url: str) -> Keys:
    return prepare(postgres_url)


@pytest.fixture
def switch(postgres_url: str, trustee: Feature, keys: Keys) -> Iterator[Switch]:
    made = Switch(postgres_url, trustee, keys)
    yield made
    made.stop()


@pytest.mark.parametrize("language", tuple(Language))
def test_k4_it_is_said_and_what_was_typed_is_kept_and_sent_again(
    switch: Switch, windows: Windows, language: Language
) -> None:
    page = windows(language=language.value, viewport={"width": 390, "height": 700})
    sign_in(page, switch.start(), Role.ANALYST)
    asked(page, FIRST)
    switch.stop()
    page.fill("#question", SECOND)
    page.click("#ask button.primary")
    notice = page.locator("#live .notice")
    expect(notice).to_contain_text(message("console.connection_lost", language))
    page.wait_for_timeout(500)  # the page may still be scrolling
    assert is_seen(notice)
    expect(page.locator("#question")).to_have_value(SECOND)
    expect(page.locator("article.turn")).to_have_count(1)
    notice.locator("button").click()  # still not there
    expect(notice).to_have_count(1)
    expect(page.locator("#ask button.primary")).to_be_enabled()
    switch.start()
    notice.locator("button").click()
    expect(page.locator("article.turn h2")).to_have_text([FIRST, SECOND])
    expect(notice).to_have_count(0)
    expect(page.locator("#question")).to_have_value("")


def test_k4_a_choice_is_sent_again(switch: Switch, windows: Windows) -> None:
    page = windows()
    sign_in(page, switch.start(), Role.ANALYST)
    asked(page, "What is the revenue?")
    choice = page.locator(".choices button").first
    year = choice.inner_text()
    switch.stop()
    choice.click()
    notice = page.locator("#live .notice")
    expect(notice).to_be_visible()
    switch.start()
    notice.locator("button").click()
    expect(page.locator("article.turn").nth(1)).to_contain_text(f"Revenue in {year}")


def test_k4_an_answer_that_breaks_off_is_said(switch: Switch, windows: Windows) -> None:
    """Not one byte of the answer came, or only its first steps."""
    page = windows()
    sign_in(page, switch.start(), Role.ANALYST)
    for body in ("", 'data: <p class="step">…</p>\n\n'):
        _breaks_off(page, body)
        page.fill("#question", FIRST)
        page.click("#ask button.primary")
        notice = page.locator("#live .notice")
        expect(notice).to_be_visible()
        expect(page.locator("#question")).to_have_value(FIRST)
        page.unroute("**/console/ask")
        notice.locator("button").click()
        expect(notice).to_have_count(0)
        expect(page.locator("#question")).to_have_value("")
    expect(page.locator("article.turn")).to_have_count(2)


def _breaks_off(page: Page, body: str) -> None:
    page.route(
        "**/console/ask",
        lambda route: route.fulfill(status=200, content_type="text/event-stream", body=body),
    )


def test_k4_a_refused_request_is_a_notice_and_no_page_within_the_page(
    switch: Switch, windows: Windows
) -> None:
    page = windows()
    sign_in(page, switch.start(), Role.ANALYST)
    page.evaluate("document.querySelector('#thread').innerHTML += '<input name=t value=gone>'")
    page.fill("#question", FIRST)
    page.click("#ask button.primary")
    expect(page.locator("#live .notice")).to_be_visible()
    expect(page.locator("header")).to_have_count(1)
    expect(page.locator("#question")).to_have_value(FIRST)


def test_k4_a_page_that_follows_a_run_says_it_and_comes_back(
    switch: Switch, windows: Windows
) -> None:
    page = windows()
    server = switch.start()
    run = server.services.runs.start(run_of(), ACME, "somebody").run_id
    sign_in(page, server, Role.ANALYST, where="runs")
    with page.expect_request("**/events?*"):
        page.goto(f"{server.address}/console/runs/{run}")
    switch.stop()
    notice = page.locator("main > .notice.lost")
    expect(notice).to_be_visible()
    switch.start()
    expect(notice).to_have_count(0)
