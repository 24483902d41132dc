"""Whoever asks sees where the answer begins: on a screen, on a phone, with and without scripts."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.console.chromium import sign_in
from tests.defects.console_server import (
    Demo,
    Windows,
    asked,
    browser,
    demo,
    is_seen,
    trustee,
    windows,
)
from veridical.server.identity import Role

__all__ = ["browser", "demo", "trustee", "windows"]

pytestmark = pytest.mark.postgres

SCREENS: tuple[ViewportSize, ...] = (
    {"width": 1280, "height": 720},
    {"width": 390, "height": 700},
)
QUESTIONS = (
    "What was the balance of account 1020 at the end of 2024?",
    "Show the profit and loss statement for 2024",
    "What was the balance of account 1020 at the end of 2023?",
)
on_each_screen = pytest.mark.parametrize("screen", SCREENS, ids=["screen", "phone"])
with_and_without = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])


def _begins_in_view(page: Page, turn: int) -> None:
    """The question and the first line of the answer are seen."""
    article = page.locator("article.turn").nth(turn)
    expect(article.locator("h2")).to_be_in_viewport(ratio=1)
    first = article.locator(".answer")
    expect(first).to_be_in_viewport()
    page.wait_for_timeout(500)  # the page may still be scrolling
    assert is_seen(first)


@on_each_screen
@with_and_without
def test_k1_the_tour_leads_to_the_answer(
    demo: Demo, windows: Windows, screen: ViewportSize, scripts: bool
) -> None:
    server, link = demo
    page = windows(scripts=scripts, viewport=screen)
    page.goto(server.address + link.path())
    for place in range(2):
        page.locator(".tour li").nth(place).locator("button").click()
        expect(page.locator("article.turn")).to_have_count(place + 1)
        _begins_in_view(page, place)


@on_each_screen
@with_and_without
def test_k1_every_answer_is_seen_from_its_beginning(
    demo: Demo, windows: Windows, screen: ViewportSize, scripts: bool
) -> None:
    page = windows(scripts=scripts, viewport=screen)
    sign_in(page, demo[0], Role.ANALYST)
    for place, question in enumerate(QUESTIONS):
        asked(page, question)
        _begins_in_view(page, place)
    page.locator(".known button").first.click()
    expect(page.locator("article.turn")).to_have_count(len(QUESTIONS) + 1)
    _begins_in_view(page, len(QUESTIONS))
