"""Whoever looks at another page comes back to the conversation that they were in."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.console.chromium import sign_in
from tests.defects.console_server import Demo, Windows, asked, browser, demo, trustee, windows
from tests.server.standing import ACME, GLOBEX
from veridical.server.identity import Role

__all__ = ["browser", "demo", "trustee", "windows"]

pytestmark = pytest.mark.postgres

FIRST = "What was the balance of account 1020 at the end of 2024?"
SECOND = "And the year before?"
with_and_without = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])


def _to(page: Page, section: str) -> None:
    link = page.locator(f".bar nav a[href='/console/{section}']")
    link.click()
    expect(link).to_have_attribute("aria-current", "page")


@with_and_without
@pytest.mark.parametrize("section", ["runs", "inbox", "data", "requirements"])
def test_k5_another_page_and_back(
    demo: Demo, windows: Windows, section: str, scripts: bool
) -> None:
    page = windows(scripts=scripts)
    sign_in(page, demo[0], Role.ANALYST)
    asked(page, FIRST, SECOND)
    _to(page, section)
    _to(page, "ask")
    expect(page.locator("article.turn h2")).to_have_text([FIRST, SECOND])
    asked(page, "And in 2022?")
    expect(page.locator("article.turn").nth(2)).to_contain_text("2022")


def test_k5_what_was_typed_is_there_as_well(demo: Demo, windows: Windows) -> None:
    page = windows()
    sign_in(page, demo[0], Role.ANALYST)
    asked(page, FIRST)
    page.fill("#question", "And in 20")
    _to(page, "runs")
    _to(page, "ask")
    expect(page.locator("#question")).to_have_value("And in 20")


@with_and_without
def test_k5_from_a_run_and_by_the_name_of_the_product(
    demo: Demo, windows: Windows, scripts: bool
) -> None:
    page = windows(scripts=scripts)
    sign_in(page, demo[0], Role.ANALYST)
    asked(page, FIRST, SECOND)
    page.locator("article.turn").nth(1).locator("text=Run details").click()
    page.click(".brand")
    expect(page.locator("article.turn")).to_have_count(2)


@with_and_without
def test_k5_the_tour_goes_on_with_the_conversation(
    demo: Demo, windows: Windows, scripts: bool
) -> None:
    server, link = demo
    page = windows(scripts=scripts)
    page.goto(server.address + link.path())
    asked(page, FIRST)
    _to(page, "inbox")
    page.locator(".tour li").nth(1).locator("button").click()
    expect(page.locator("article.turn")).to_have_count(2)
    expect(page.locator("article.turn").nth(0)).to_contain_text(FIRST)


@with_and_without
def test_k5_a_new_conversation_is_new_until_it_has_begun(
    demo: Demo, windows: Windows, scripts: bool
) -> None:
    page = windows(scripts=scripts)
    sign_in(page, demo[0], Role.ANALYST)
    asked(page, FIRST)
    first = page.url.partition("#")[0]
    page.click(".another")
    expect(page.locator("article.turn")).to_have_count(0)
    _to(page, "runs")
    _to(page, "ask")
    expect(page.locator("article.turn")).to_have_count(0)
    asked(page, SECOND)
    expect(page).to_have_url(re.compile("/console/c/"))
    assert page.url.partition("#")[0] != first


def test_k5_each_window_has_its_own(demo: Demo, windows: Windows) -> None:
    one = windows()
    sign_in(one, demo[0], Role.ANALYST)
    asked(one, FIRST)
    other = one.context.new_page()
    other.goto(f"{demo[0].address}/console/ask?new=true")
    asked(other, "What was the balance of account 1000 at the end of 2024?")
    one.bring_to_front()
    one.evaluate("dispatchEvent(new Event('focus'))")  # a browser without a screen has none
    _to(one, "runs")
    _to(one, "ask")
    expect(one.locator("article.turn h2")).to_have_text([FIRST])


def test_k5_nobody_comes_back_to_the_conversation_of_another_tenant(
    demo: Demo, windows: Windows
) -> None:
    page = windows()
    sign_in(page, demo[0], Role.ANALYST)
    asked(page, FIRST)
    page.context.clear_cookies(name="veridical_session")
    sign_in(page, demo[0], Role.ANALYST, tenant=GLOBEX)
    expect(page.locator("article.turn")).to_have_count(0)
    expect(page.locator("#question")).to_be_visible()


def test_k5_a_session_that_ends_is_taken_up_again(demo: Demo, windows: Windows) -> None:
    page = windows()
    sign_in(page, demo[0], Role.ANALYST)
    asked(page, FIRST)
    page.context.clear_cookies(name="veridical_session")
    page.fill("#question", SECOND)
    page.click("#ask button.primary")
    page.wait_for_url(re.compile("/console/signin"))
    page.fill("#key", demo[0].keys[ACME, Role.ANALYST])
    page.click("main button")
    expect(page.locator("article.turn h2")).to_have_text([FIRST])
    expect(page.locator("#question")).to_have_value(SECOND)
