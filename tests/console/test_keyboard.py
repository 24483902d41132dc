"""The console without a mouse: from the question to the exact sentences, and to an approval."""

import pytest
from playwright.sync_api import Page, expect

from tests.console.chromium import sign_in
from tests.server.rights import belongings
from tests.server.standing import Standing
from veridical.console.known_questions import SHOWN_FIRST
from veridical.server.identity import Role

pytestmark = pytest.mark.postgres

QUESTION = "What was the balance of account 1020 at the end of 2024?"
MOST_TABS = 60


def _tab_to(page: Page, selector: str) -> None:
    """Presses Tab until this has the focus."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} can't be reached")


def test_from_the_question_to_the_approval(page: Page, console: Standing) -> None:
    item = belongings(console).item
    sign_in(page, console, Role.APPROVER)
    page.keyboard.press("/")
    expect(page.locator("#question")).to_be_focused()
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    expect(page.locator("article.turn .answer")).to_have_count(1)
    page.evaluate("document.activeElement.blur()")
    while not page.evaluate("document.activeElement.matches('article.turn')"):
        page.keyboard.press("j")
    _tab_to(page, "details.exact > summary")
    page.keyboard.press("Enter")
    expect(page.locator("details.exact li").first).to_be_visible()
    page.reload()
    _tab_to(page, "nav a[href='/console/inbox']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/console/inbox")
    for _ in range(MOST_TABS):
        page.keyboard.press("j")
        if (page.evaluate("document.activeElement.href") or "").endswith(item):
            break
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/inbox/{item}")
    page.keyboard.press("a")  # decides nothing
    expect(page.locator("[data-key=a]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".notice.good")).to_contain_text("approver of acme")


def test_the_list_of_keys_opens_and_closes(page: Page, console: Standing) -> None:
    sign_in(page, console, Role.VIEWER, where="runs")
    page.keyboard.press("?")
    expect(page.locator("dialog.keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.keys")).to_be_hidden()


def test_eight_questions_are_offered_in_groups_each_one_button(
    page: Page, console: Standing
) -> None:
    sign_in(page, console, Role.ANALYST)
    offered = page.locator(".groups button")
    expect(offered).to_have_count(SHOWN_FIRST)
    assert page.locator(".groups h3").count() > 1
    expect(page.locator(".offers details button").first).to_be_hidden()
    question = offered.first.inner_text()
    offered.first.click()
    expect(page.locator("article.turn h2")).to_have_text(question)
