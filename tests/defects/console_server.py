"""A server with the console and the tour, and windows of a real browser on it."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.console.chromium import window
from tests.console.conftest import browser
from tests.sample import trustee
from tests.server.standing import ACME, Standing, prepare, standing
from veridical.answering.feature import Feature
from veridical.console.mount import add_console
from veridical.console.one_time_link import OneTimeLink
from veridical.server.identity import Role

__all__ = ["Demo", "Windows", "asked", "browser", "demo", "is_seen", "trustee", "windows"]

Demo = tuple[Standing, OneTimeLink]
Windows = Callable[..., Page]
"""Opens a window: what it is given are the options of a browser's context."""


@pytest.fixture(scope="module")
def demo(postgres_url: str, trustee: Feature) -> Iterator[Demo]:
    keys = prepare(postgres_url)
    link = OneTimeLink(keys[ACME, Role.ADMIN], with_tour=True)
    with standing(postgres_url, trustee, keys, furnish=partial(add_console, link=link)) as running:
        yield running, link


@pytest.fixture
def windows(browser: Browser) -> Iterator[Windows]:
    opened: list[BrowserContext] = []

    def opened_page(*, scripts: bool = True, language: str = "en", **options: object) -> Page:
        given = {"locale": language, "java_script_enabled": scripts, **options}
        context = window(browser, **given)
        opened.append(context)
        return context.new_page()

    yield opened_page
    for each in opened:
        each.close()


def asked(page: Page, *questions: str) -> None:
    """Asks these, one after the other, and waits for each answer."""
    turns = page.locator("article.turn")
    before = turns.count()
    for place, question in enumerate(questions, before + 1):
        page.fill("#question", question)
        page.click("#ask button.primary")
        expect(turns).to_have_count(place)
        expect(turns.nth(place - 1).locator(".answer")).to_be_visible()


_ON_TOP = """element => {
  const box = element.getBoundingClientRect();
  const there = document.elementFromPoint(box.left + 4, box.top + 8);
  return there !== null && (element === there || element.contains(there));
}"""


def is_seen(part: Locator) -> bool:
    """Whether its beginning is on the screen and nothing lies over it."""
    return bool(part.evaluate(_ON_TOP))
