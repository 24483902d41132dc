"""Runs are found by their words, show what they took, and two are told apart."""

import pytest
from playwright.sync_api import Page, expect

from tests.console.chromium import sign_in
from tests.server.standing import BALANCE, Standing
from veridical.console.run_comparison import step_rows
from veridical.console.step_view import StepView

OTHER = "Wie hoch war der Saldo von Konto 1020 Ende 2025?"


def _step(text: str, at: float = 0.0, seconds: float | None = None) -> StepView:
    return StepView("note", "Call", text, at, seconds=seconds)


def test_steps_differ_by_what_they_did_not_by_when() -> None:
    left = (_step("one", 1.0, 0.5), _step("two"), _step("four"))
    right = (_step("one", 2.0, 0.7), _step("two more"), _step("three"), _step("four"))
    rows = step_rows(left, right)
    assert [each.differs for each in rows] == [False, True, True, False]
    assert rows[1].changes
    assert rows[2].left is None


@pytest.mark.postgres
def test_runs_are_searched_and_compared(page: Page, console: Standing) -> None:
    with console.client() as client:
        ids = [
            client.post("/v1/ask", json={"feature": "trustee", "question": text}).json()["traceId"]
            for text in (BALANCE, OTHER)
        ]
    sign_in(page, console, where="runs")
    page.fill("[name=q]", "ENDE 2025")
    page.get_by_role("button", name="Filter").click()
    rows = page.locator("table.list tbody tr")
    expect(rows.first).to_contain_text(OTHER)
    expect(rows.filter(has_text=BALANCE)).to_have_count(0)
    expect(rows.first.locator(".badge.good")).to_have_text("Known question")
    expect(rows.first.locator("[data-label=Duration]")).to_contain_text(" s")
    page.goto(f"{console.address}/console/runs?q=%25")
    expect(rows).to_have_count(0)
    page.goto(f"{console.address}/console/runs?q={ids[0]}")
    expect(rows).to_have_count(1)
    page.goto(f"{console.address}/console/runs/compare?a={ids[0]}&b={ids[1]}")
    expect(page.locator(".compared .differs").first).to_contain_text(OTHER)
    expect(page.locator(".pairs .differs ins").first).to_contain_text("2025")
