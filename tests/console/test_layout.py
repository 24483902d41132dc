"""The bar on top stays on one line, whatever the language and the name of who is signed in; on a
phone its line shows where one is, and tables say what each cell is."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.console.chromium import sign_in, window
from tests.server.rights import belongings
from tests.server.standing import Standing

pytestmark = pytest.mark.postgres


@pytest.mark.parametrize("language", ["de", "en", "zh"])
def test_the_bar_is_one_line(browser: Browser, console: Standing, language: str) -> None:
    context = window(browser, locale=language, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    sign_in(page, console)
    page.evaluate(
        "document.querySelector('.who .name').textContent = 'a very long name '.repeat(9)"
    )
    for width in (1280, 1600):
        page.set_viewport_size({"width": width, "height": 800})
        measured = page.evaluate("document.querySelector('.bar').getBoundingClientRect().height")
        assert measured < 70, f"{width}: {measured}"
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, width
    context.close()


@pytest.mark.parametrize("language", ["de", "en", "zh"])
@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("where", ["ask", "requirements", "settings"])
def test_a_phone_shows_which_page_one_is_on(
    browser: Browser, console: Standing, where: str, scripts: bool, language: str
) -> None:
    context = window(
        browser,
        locale=language,
        viewport={"width": 360, "height": 740},
        java_script_enabled=scripts,
    )
    page = context.new_page()
    sign_in(page, console, where=where)
    expect(page.locator(".bar nav [aria-current]")).to_be_in_viewport(ratio=1)
    context.close()


def test_a_phone_says_what_each_cell_of_a_table_is(browser: Browser, console: Standing) -> None:
    context = window(browser, locale="de", viewport={"width": 390, "height": 844})
    page = context.new_page()
    sign_in(page, console, where="admin")
    told = page.evaluate(
        "[...document.querySelectorAll('td:has(.yes)')]"
        ".map((cell) => getComputedStyle(cell, '::before').content)"
    )
    assert told
    assert all(len(each) > 4 for each in told), told
    context.close()


def test_a_turn_ends_with_its_tools(browser: Browser, console: Standing) -> None:
    """A paragraph can't hold what is copied: it would end early, and leave an empty one behind."""
    context = window(browser)
    page = context.new_page()
    sign_in(page, console)
    page.goto(f"{console.address}/console/ask?t={belongings(console).trace}")
    expect(page.locator("article.turn")).to_have_count(1)
    expect(page.locator("article.turn > p:empty")).to_have_count(0)
    context.close()


def test_time_left_is_told_in_words(browser: Browser, console: Standing) -> None:
    """Figures behind "until" read as a time of day."""
    belongings(console)
    context = window(browser, locale="de")
    page = context.new_page()
    sign_in(page, console, where="inbox")
    left = page.locator("[data-left]").first
    expect(left).to_have_text(re.compile(r"^\(in \d+ (Stunde|Minute|Sekunde)n?\)$"))
    context.close()
