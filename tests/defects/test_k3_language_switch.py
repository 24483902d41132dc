"""Another language shows the same page: the conversation, what was typed, and a key that is shown
only once."""

import logging
import re
from urllib.parse import unquote_plus

import pytest
from playwright.sync_api import Page, expect

from tests.console.chromium import sign_in
from tests.defects.console_server import Demo, Windows, asked, browser, demo, trustee, windows
from veridical.server.identity import Role

__all__ = ["browser", "demo", "trustee", "windows"]

pytestmark = pytest.mark.postgres

QUESTION = "What was the balance of account 1020 at the end of 2024?"
TYPED = "And what about 100% & «more»? 什么"
with_and_without = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])


def _choose(page: Page, language: str) -> None:
    page.click(f".languages [value={language}]")
    expect(page.locator("html")).to_have_attribute("lang", language)


def _addresses(page: Page) -> list[str]:
    """Every address that the window asks for from now on."""
    seen: list[str] = []
    page.on("request", lambda request: seen.append(unquote_plus(request.url)))
    return seen


@with_and_without
def test_k3_the_conversation_and_what_was_typed_stay(
    demo: Demo, windows: Windows, scripts: bool
) -> None:
    page = windows(scripts=scripts)
    sign_in(page, demo[0], Role.ANALYST)
    asked(page, QUESTION, "And the year before?")
    page.fill("#question", TYPED)
    seen = _addresses(page)
    for language in ("de", "zh", "en"):
        _choose(page, language)
        expect(page.locator("article.turn")).to_have_count(2)
        expect(page.locator("#question")).to_have_value(TYPED)
    assert not any(TYPED[:10] in each for each in seen)
    page.keyboard.press("Tab")
    page.focus("#question")
    page.keyboard.press("Enter")
    expect(page.locator("article.turn")).to_have_count(3)
    expect(page.locator("html")).to_have_attribute("lang", "en")


@with_and_without
def test_k3_a_key_that_is_shown_once_stays_and_is_kept_nowhere(
    demo: Demo, windows: Windows, scripts: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    page = windows(scripts=scripts)
    sign_in(page, demo[0], Role.ADMIN, where="admin")
    seen = _addresses(page)
    page.fill("input[name=name]", "month-end report")
    page.click("main .filter button")
    key = page.locator(".secret").inner_text()
    assert key.startswith("vk_")
    for language in ("de", "en"):
        _choose(page, language)
        expect(page.locator(".secret")).to_have_text(key)
    assert not any(key in each for each in (*seen, page.url))
    assert key not in caplog.text
    stored = str(page.context.cookies()) + str(page.context.storage_state())
    assert key not in stored
    page.goto(f"{demo[0].address}/console/admin")
    expect(page.locator(".secret")).to_have_count(0)
    expect(page.locator("tr", has_text="month-end report")).not_to_have_count(0)


@with_and_without
def test_k3_pasted_requirements_stay(demo: Demo, windows: Windows, scripts: bool) -> None:
    page = windows(scripts=scripts)
    sign_in(page, demo[0], Role.ANALYST, where="requirements")
    page.fill("#text", "The system shall be fast.\nThe system shall be safe.")
    _choose(page, "de")
    expect(page.locator("#text")).to_have_value(re.compile(r"fast\.\nThe system"))


def test_k3_a_search_with_its_filter_stays(demo: Demo, windows: Windows) -> None:
    page = windows(scripts=False)
    sign_in(page, demo[0], Role.ANALYST, where="runs")
    page.goto(f"{demo[0].address}/console/runs?outcome=pattern&since=2024-01-01")
    _choose(page, "de")
    expect(page).to_have_url(re.compile(r"outcome=pattern&since=2024-01-01"))
    expect(page.locator("select[name=outcome]")).to_have_value("pattern")


def test_k3_where_one_wanted_to_go_stays_while_signing_in(demo: Demo, windows: Windows) -> None:
    page = windows(scripts=False)
    page.goto(f"{demo[0].address}/console/runs?outcome=pattern")
    _choose(page, "de")
    page.fill("#key", demo[0].keys["acme", Role.ANALYST])
    page.click("main button")
    expect(page).to_have_url(re.compile(r"/console/runs\?outcome=pattern"))


def test_k3_a_password_is_not_kept(demo: Demo, windows: Windows) -> None:
    page = windows()
    page.goto(f"{demo[0].address}/console/signin")
    page.fill("#key", "vk_half-typed")
    _choose(page, "de")
    expect(page.locator("#key")).to_have_value("")
    assert "half-typed" not in page.evaluate("JSON.stringify(sessionStorage)")


def test_k3_who_signs_out_leaves_nothing_behind(demo: Demo, windows: Windows) -> None:
    page = windows()
    sign_in(page, demo[0], Role.ANALYST)
    asked(page, QUESTION)
    page.fill("#question", TYPED)
    page.click(".who form[action$=signout] button")
    page.wait_for_url("**/console/signin")
    sign_in(page, demo[0], Role.VIEWER)
    expect(page.locator("article.turn")).to_have_count(0)
    assert TYPED[:10] not in page.evaluate("JSON.stringify(sessionStorage)")
