"""Deciding in the console: a reason, and ten seconds to take it back."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.console.chromium import sign_in, window
from tests.server.rights import belongings
from tests.server.standing import Standing
from veridical.server.identity import Role

pytestmark = pytest.mark.postgres


def test_a_decision_with_a_reason_is_undone_and_made_again(page: Page, console: Standing) -> None:
    item = belongings(console).item
    sign_in(page, console, Role.APPROVER, where="inbox")
    page.goto(f"{console.address}/console/inbox/{item}")
    page.fill("#reason", "These are last year's rates.")
    page.keyboard.press("Enter")  # decides nothing
    expect(page.locator("#reason")).to_be_visible()
    page.fill("#reason", "These are last year's rates.")
    page.click("button[value=deny]")
    expect(page.locator(".notice.bad")).to_contain_text("approver of acme")
    expect(page.locator("main")).to_contain_text("Reason: These are last year's rates.")
    page.click("button[value=undo]")
    expect(page.locator("button[value=deny]")).to_be_visible()
    page.click("button[value=deny]")
    expect(page.locator("button[value=undo]")).to_be_visible()
    expect(page.locator("button[value=undo]")).to_be_hidden()  # after ten seconds


def test_too_late_is_said(browser: Browser, console: Standing) -> None:
    item = belongings(console).item
    page = window(browser, java_script_enabled=False, locale="en").new_page()
    sign_in(page, console, Role.APPROVER, where="inbox")
    page.goto(f"{console.address}/console/inbox/{item}")
    page.click("button[value=deny]")
    expect(page.locator("button[value=undo]")).to_be_visible()
    page.wait_for_timeout(11_500)
    page.click("button[value=undo]")
    expect(page.locator("main")).to_contain_text("can no longer be undone")
    page.close()
