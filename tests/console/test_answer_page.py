"""An answer in a real browser: what leads it, what its marks say, and that they are counted."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.balance_asked import CALL
from tests.console.chromium import sign_in, window
from tests.server.scripted import scripted
from tests.server.standing import Standing
from veridical.agent.answer_form import AnswerForm
from veridical.console.mount import add_console
from veridical.server.identity import Role
from veridical.testing.script import Script

pytestmark = pytest.mark.postgres
COURSE = "How did the balance of account 1020 develop month by month in 2025?"
UNITS = "What were cash and bank balances at the end of 2025?"
NOBODY = "What was the balance of account 9999 at the end of 2024?"


def _ask(page: Page, console: Standing, question: str) -> Locator:
    sign_in(page, console, Role.ANALYST)
    page.fill("#question", question)
    page.keyboard.press("Enter")
    turn = page.locator("article.turn").last
    expect(turn).to_be_visible()
    return turn


def _counted(turn: Locator) -> int:
    found = re.search(r"(\d+) figures?", turn.locator(".trust").inner_text())
    return int(found[1]) if found else 0


def test_a_course_is_a_line_with_its_table_and_every_mark_is_counted(
    page: Page, console: Standing
) -> None:
    turn = _ask(page, console, COURSE)
    expect(turn.locator(".panel canvas")).to_have_count(1)
    expect(turn.locator(".lead .title")).to_contain_text("by month in 2025")
    expect(turn.locator(".text")).not_to_contain_text("|")
    turn.locator("details.all > summary").click()
    expect(turn.locator("table.figures tbody tr")).to_have_count(12)
    expect(turn.locator(".trust .good")).to_be_visible()
    assert turn.locator(".mark.good").count() == _counted(turn) > 12


def test_a_figure_shows_its_sentence_and_then_its_cells_query_and_receipt(
    page: Page, console: Standing
) -> None:
    turn = _ask(page, console, COURSE)
    turn.locator(".text .mark.good").first.click()
    shown = page.locator(".pop:popover-open")
    expect(shown.locator(".line").first).to_contain_text("Balance fell from")
    expect(shown.locator(".sql")).not_to_be_visible()
    shown.locator("summary").click()
    expect(shown.locator(".sql")).to_contain_text("SELECT")
    expect(shown.locator(".sql")).to_contain_text("\"accountNumber\" = '1020'")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    shown.get_by_role("button", name="Copy SQL").click()
    expect(shown.get_by_role("button", name="✓")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("SELECT\n")
    assert "$1" not in copied
    expect(shown).to_contain_text("closingBalance")


def test_currencies_stand_apart(page: Page, console: Standing) -> None:
    turn = _ask(page, console, UNITS)
    expect(turn.locator("table.figures td.amount")).to_have_count(3)
    expect(turn.locator(".panel")).to_have_count(0)
    assert _counted(turn) == turn.locator(".mark.good").count() == 3


def test_no_answer_is_not_green(page: Page, console: Standing) -> None:
    turn = _ask(page, console, NOBODY)
    expect(turn.locator(".trust")).to_contain_text("No figure from your data")
    expect(turn.locator(".trust .good, .mark.good")).to_have_count(0)


def test_what_was_caught_and_who_wrote_what_is_open(page: Page, console: Standing) -> None:
    balance = {"say": "value", "from": "r1", "measures": ["closingBalance"]}
    script = Script(
        [
            [("aggregateTable", _SUMMED)],
            [CALL],
            _in_facts("It stood at {f1.value}, which is 987,654.00 more than before.", balance),
            _in_facts("It stood at {f1.value}. The new branch explains that.", balance),
        ]
    )
    with scripted(console, script, add_console, AnswerForm.FACTS) as there:
        turn = _ask(page, there, "How did the balance of account 1020 come about in 2024?")
        expect(turn.locator(".figure-first")).to_contain_text("CHF")
        caught = turn.locator(".caught li")
        expect(caught.first).to_contain_text("sum(closingBalance)")
        expect(turn.locator(".caught")).to_contain_text("987,654.00")
        expect(turn.locator(".passage.own")).to_contain_text("The new branch explains that.")
        trust = turn.locator(".trust")
        expect(trust).to_contain_text("1 sentence in the model's words")
        expect(trust).to_contain_text(f"{caught.count()} mistakes caught")
        assert turn.locator(".mark.good").count() == _counted(turn)


def _in_facts(answer: str, *facts: dict[str, Any]) -> str:
    named = {f"f{at}": each for at, each in enumerate(facts, 1)}
    return json.dumps({"facts": named, "answer": answer})


_SUMMED = {
    "tableName": "TrusteeDataAccountBalance",
    "aggregate": "sum",
    "field": "closingBalance",
    "filters": [{"field": "accountNumber", "op": "=", "value": "1020"}],
}


def test_without_scripts_the_server_draws_the_chart(browser: Browser, console: Standing) -> None:
    context = window(browser, java_script_enabled=False, locale="en")
    page = context.new_page()
    turn = _ask(page, console, COURSE)
    expect(turn.locator("svg.course polyline")).to_have_count(1)
    expect(turn.locator("svg.course circle")).to_have_count(12)
    context.close()
