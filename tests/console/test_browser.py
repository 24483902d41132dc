"""The main task of each page in a real browser, in one of the three languages each."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.console.chromium import sign_in, window
from tests.console.stored import reported
from tests.server.rights import belongings
from tests.server.standing import BALANCE, Standing
from veridical.server.identity import Role

pytestmark = pytest.mark.postgres


in_german = pytest.mark.parametrize("page", ["de"], indirect=True)
in_chinese = pytest.mark.parametrize("page", ["zh"], indirect=True)


@in_german
def test_a_question_is_answered_with_every_figure_marked(page: Page, console: Standing) -> None:
    sign_in(page, console, Role.ANALYST)
    page.fill("#question", BALANCE)
    page.keyboard.press("Enter")
    expect(page.locator("article.turn .mark.good")).to_have_count(1)
    amount = page.locator(".mark.good", has_text="CHF")
    amount.click()
    shown = page.locator(".pop:popover-open")
    expect(shown).to_contain_text("closingBalance")
    expect(shown).to_contain_text("SELECT")
    page.keyboard.press("Escape")
    expect(shown).to_have_count(0)


def test_a_conversation_goes_on_at_one_address(page: Page, console: Standing) -> None:
    sign_in(page, console, Role.ANALYST)
    for place, question in enumerate(
        ("What was the balance of account 1020 at the end of 2024?", "And the year before?")
    ):
        page.fill("#question", question)
        page.click("#ask button.primary")
        expect(page.locator("article.turn")).to_have_count(place + 1)
    expect(page.locator("article.turn").nth(1)).to_contain_text("2023")
    expect(page).to_have_url(re.compile("/console/c/"))
    page.goto(page.url)
    expect(page.locator("article.turn")).to_have_count(2)


def test_what_is_typed_while_an_answer_comes_is_kept(page: Page, console: Standing) -> None:
    sign_in(page, console, Role.ANALYST)
    page.fill("#question", "What was the balance of account 1020 at the end of 2024?")
    page.keyboard.press("Enter")
    page.fill("#question", "And the year before?")
    expect(page.locator("article.turn")).to_have_count(1)
    expect(page).to_have_url(re.compile("/console/c/"))
    expect(page.locator("#question")).to_have_value("And the year before?")


@in_chinese
def test_a_known_question_is_asked_as_it_stands(page: Page, console: Standing) -> None:
    sign_in(page, console, Role.ANALYST)
    page.locator(".known button").first.click()
    expect(page.locator("article.turn .answer")).to_have_count(1)


def test_runs_are_filtered_opened_and_compared(page: Page, console: Standing) -> None:
    belongings(console)
    belongings(console)
    sign_in(page, console, Role.VIEWER, where="runs")
    page.select_option("select[name=outcome]", "pattern")
    page.click(".filter button")
    expect(page).to_have_url(re.compile("outcome=pattern"))
    page.click("main form >> text=Compare two runs")
    expect(page.locator("table.compared thead th")).to_have_count(2)
    page.go_back()
    page.locator("table.list a").first.click()
    page.locator(".timeline summary").nth(1).click()
    expect(page.locator(".timeline pre").nth(1)).to_contain_text('"kind"')


@in_german
def test_an_approval_is_given_with_a_key_and_enter(page: Page, console: Standing) -> None:
    of = belongings(console)
    sign_in(page, console, Role.APPROVER, where="inbox")
    page.goto(f"{console.address}/console/inbox/{of.item}")
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    expect(page.locator(".notice.good")).to_contain_text("approver of acme")


@in_chinese
def test_the_ontology_shows_what_protects_each_measure(page: Page, console: Standing) -> None:
    sign_in(page, console, Role.VIEWER, where="ontology")
    row = page.locator("tr", has_text="AccountBalance.closingBalance")
    expect(row).to_contain_text("SEMI_ADDITIVE_OVER")
    expect(page.locator("svg.graph g")).not_to_have_count(0)


@in_german
def test_a_report_is_explored_without_any_exception_of_the_policy(
    page: Page, console: Standing
) -> None:
    sign_in(page, console, Role.ADMIN, where="quality/evals")
    expect(page.locator("svg.plot")).to_have_count(2)
    expect(page.locator(".matrix .cell")).not_to_have_count(0)
    for place in range(2):
        page.locator("button.explore:visible").first.click()
        expect(page.locator(".explored canvas")).to_have_count(place + 1)
    page.click("text=irgendwo falsch")
    expect(page).to_have_url(re.compile("which=wrong"))


def test_a_wrong_block_is_agreed_to(page: Page, console: Standing) -> None:
    report = reported(console, belongings(console).trace, "It says the same.")
    sign_in(page, console, Role.ADMIN, where="quality/reviews")
    card = page.locator(f"#r{report}")
    expect(card).to_contain_text("It says the same.")
    card.locator("button.primary").click()
    expect(page.locator(f"#r{report} .notice.good")).to_contain_text("admin of acme")
    expect(page.locator(f"#r{report} a.button")).to_contain_text("gold file")


@in_chinese
def test_a_proposal_is_declined_and_opened_again(page: Page, console: Standing) -> None:
    sign_in(page, console, Role.ADMIN, where="ontology/upkeep")
    card = page.locator(".proposal", has_text="orders.state")
    card.locator(".danger").click()
    expect(card.locator(".badge.bad")).to_have_count(1)
    card.locator("button").click()
    expect(card.locator(".danger")).to_have_count(1)


def test_a_key_is_made_shown_once_and_revoked(page: Page, console: Standing) -> None:
    sign_in(page, console, Role.ADMIN, where="admin")
    page.fill("input[name=name]", "month-end report")
    page.click("text=Create key")
    expect(page.locator(".secret")).to_contain_text("vk_")
    page.goto(f"{console.address}/console/admin")
    expect(page.locator(".secret")).to_have_count(0)
    row = page.locator("tr", has_text="month-end report").first
    row.locator("text=Revoke").click()
    page.click("text=Revoke for good")
    expect(page.locator("tr", has_text="month-end report").first).to_contain_text("revoked")


@pytest.mark.parametrize(
    "where",
    [
        "ask",
        "runs",
        "inbox",
        "quality/evals",
        "quality/reviews",
        "ontology",
        "ontology/upkeep",
        "admin",
        "admin/model",
    ],
)
def test_everything_can_be_read_without_scripts(
    browser: Browser, console: Standing, where: str
) -> None:
    context = window(browser, java_script_enabled=False)
    page = context.new_page()
    sign_in(page, console, Role.ADMIN, where=where)
    assert page.locator("main h1").inner_text().strip()
    context.close()


def test_a_question_is_answered_without_scripts(browser: Browser, console: Standing) -> None:
    context = window(browser, java_script_enabled=False, locale="de")
    page = context.new_page()
    sign_in(page, console, Role.ANALYST)
    page.fill("#question", BALANCE)
    page.click("#ask button.primary")
    expect(page.locator("article.turn")).to_contain_text("CHF")
    context.close()


def test_one_run_is_a_file_that_shows_itself(
    browser: Browser, console: Standing, tmp_path: Path
) -> None:
    of = belongings(console)
    context = window(browser)
    page = context.new_page()
    sign_in(page, console, Role.VIEWER, where="runs")
    page.goto(f"{console.address}/console/runs/{of.trace}")
    with page.expect_download() as started:
        page.click(f"a[href='/console/runs/{of.trace}/export']")
    file = tmp_path / "run.html"
    started.value.save_as(file)
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(file.as_uri())
    expect(page.locator(".mark.good").first).to_be_visible()
    assert loaded == [file.as_uri()]
    context.close()
