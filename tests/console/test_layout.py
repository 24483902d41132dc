"""The bar on top stays on one line, whatever the language and the name of who is signed in."""

import pytest
from playwright.sync_api import Browser

from tests.console.chromium import sign_in
from tests.server.standing import Standing

pytestmark = pytest.mark.postgres


@pytest.mark.parametrize("language", ["de", "en", "zh"])
def test_the_bar_is_one_line(browser: Browser, console: Standing, language: str) -> None:
    context = browser.new_context(locale=language, viewport={"width": 1280, "height": 800})
    context.set_default_timeout(60_000)
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
