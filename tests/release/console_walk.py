"""Walks through the console in a browser, from page to page by their links."""

import re
from collections import Counter
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, expect

from tests.console.chromium import window
from tests.release.demo import Demo, pages

QUESTION = "What was the balance of account 1020 at the end of 2024?"
_EACH = 2
"""How many pages of one kind are opened, such as those of single runs."""
_FILES = ("/export", "/case", "/events", "/enter")
_NUMBER = re.compile(r"/[^/]*\d[^/]*")
_LEFT = "net::ERR_ABORTED"
"""A stream that ends because its page was left."""


def walk(browser: Browser, demo: Demo) -> tuple[set[str], list[str]]:
    """The paths that were opened, and what the browser complained about."""
    context = window(browser, locale="en")
    page = context.new_page()
    complaints = _listened(page)
    page.goto(demo.link)
    page.fill("#question", QUESTION)
    page.click("#ask button.primary")
    expect(page.locator("article.turn .mark.good").first).to_be_visible(timeout=60_000)
    waiting, opened, kinds = list(pages()), set[str](), Counter[str]()
    while waiting:
        path = waiting.pop(0)
        kind = _NUMBER.sub("/{}", path)
        if path in opened or kinds[kind] >= _EACH:
            continue
        opened.add(path)
        kinds[kind] += 1
        page.goto(demo.address + path)
        if not page.locator("main h1").first.inner_text().strip():
            complaints.append(f"{path}: no heading")
        waiting += _links(page, demo)
    context.close()
    return opened, complaints


def _links(page: Page, demo: Demo) -> list[str]:
    found: list[str] = page.eval_on_selector_all(
        "a[href]:not([download])", "all => all.map(each => each.href)"
    )
    paths = [urlsplit(each).path for each in found if each.startswith(f"{demo.address}/console/")]
    return [path for path in paths if not path.endswith(_FILES)]


def _listened(page: Page) -> list[str]:
    """What goes wrong on the page from now on."""
    heard: list[str] = []
    page.on("pageerror", lambda error: heard.append(f"{page.url}: {error}"))
    page.on(
        "console",
        lambda said: heard.append(f"{page.url}: {said.text}") if said.type == "error" else None,
    )
    page.on(
        "response",
        lambda got: heard.append(f"{got.status} {got.url}") if got.status >= 400 else None,
    )
    page.on(
        "requestfailed",
        lambda lost: heard.append(f"{lost.failure} {lost.url}") if lost.failure != _LEFT else None,
    )
    return heard
