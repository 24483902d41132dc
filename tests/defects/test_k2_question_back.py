"""What is offered as a reply goes on with the conversation, wherever it is offered."""

import re

import pytest
from playwright.sync_api import expect

from tests.console.chromium import sign_in
from tests.defects.console_server import Demo, Windows, asked, browser, demo, trustee, windows
from veridical.server.identity import Role

__all__ = ["browser", "demo", "trustee", "windows"]

pytestmark = pytest.mark.postgres

WHOLE = "What was the balance of account 1020 at the end of 2024?"
HALF = "What is the revenue?"
"""It is asked back for the year."""
with_and_without = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])


@with_and_without
def test_k2_a_choice_replies_within_the_conversation(
    demo: Demo, windows: Windows, scripts: bool
) -> None:
    page = windows(scripts=scripts)
    sign_in(page, demo[0], Role.ANALYST)
    asked(page, WHOLE, HALF)
    choice = page.locator(".choices button").first
    year = choice.inner_text()
    assert re.fullmatch(r"20\d\d", year)
    choice.click()
    turns = page.locator("article.turn")
    expect(turns).to_have_count(3)
    expect(turns.nth(0)).to_contain_text(WHOLE)
    expect(turns.nth(2).locator("h2")).to_have_text(year)
    expect(turns.nth(2).locator(".answer")).to_contain_text(f"Revenue in {year}")
    expect(page).to_have_url(re.compile("/console/c/"))


@with_and_without
def test_k2_a_known_question_goes_on_with_the_conversation(
    demo: Demo, windows: Windows, scripts: bool
) -> None:
    """What is asked after it still knows what was said before."""
    page = windows(scripts=scripts)
    sign_in(page, demo[0], Role.ANALYST)
    asked(page, WHOLE)
    page.locator(".known button").first.click()
    expect(page.locator("article.turn")).to_have_count(2)
    expect(page).to_have_url(re.compile("/console/c/"))
    page.goto(page.url)
    expect(page.locator("article.turn")).to_have_count(2)


def test_k2_a_choice_on_the_page_of_a_run_is_a_reply_too(demo: Demo, windows: Windows) -> None:
    page = windows()
    sign_in(page, demo[0], Role.ANALYST)
    asked(page, HALF)
    page.click("text=Run details")
    choice = page.locator("main .choices a").first
    year = choice.inner_text()
    choice.click()
    expect(page.locator("article.turn h2")).to_have_text([HALF])
    expect(page.locator("#question")).to_have_value(year)
    page.keyboard.press("Enter")
    expect(page.locator("article.turn .answer").nth(1)).to_contain_text(f"Revenue in {year}")
