"""Reports of false alarms: decided once, with a reason, and runnable as gold questions."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.console.chromium import sign_in, window
from tests.console.pages import SAME, signed_in, token_of
from tests.console.stored import feedback_on, reported
from tests.sample import PACK
from tests.server.rights import belongings
from tests.server.standing import ACME, BALANCE, Standing
from veridical.evals.gold.load import read_gold
from veridical.evals.gold.oracle import postgres_oracle, truth_of
from veridical.sample.books import load_sample
from veridical.sample.postgres import LocalPostgres
from veridical.server.identity import Role
from veridical.store.audit import entries
from veridical.store.feedback import find_feedback, wrong_answers

pytestmark = pytest.mark.postgres


def _decided(console: Standing, report: int, **form: str) -> int:
    with signed_in(console) as client:
        sent = {**form, "csrf": token_of(client)}
        path = f"/console/quality/reviews/{report}"
        return client.post(path, data=sent, headers=SAME).status_code


def test_what_is_agreed_to_becomes_a_gold_file(
    console: Standing, postgres_server: LocalPostgres, tmp_path: Path
) -> None:
    report = reported(console, belongings(console).trace, "agreed")
    assert _decided(console, report, decision="agree") == 303
    with signed_in(console) as client:
        response = client.get(f"/console/quality/reviews/{report}/case")
    file = tmp_path / "case.yaml"
    file.write_text(response.text, "utf-8")
    gold = read_gold(file)
    (case,) = gold.cases
    assert case.question == BALANCE
    assert gold.tenant == ("m-001", "m-001-a")
    with postgres_oracle(load_sample(PACK, postgres_server).url) as run:
        (balance,) = truth_of(case, gold, run).truth.values(*case.expected_answer_numeric)
    with console.client() as client:
        asked = {"feature": "trustee", "question": BALANCE}
        (source,) = client.post("/v1/ask", json=asked).json()["sources"]
    assert str(balance) in {str(cell) for row in source["rows"] for cell in row}


def test_who_disagrees_says_why(console: Standing) -> None:
    report = reported(console, "", "closed")
    assert _decided(console, report, decision="disagree") == 409
    assert _decided(console, report, decision="disagree", reason="The sum is wrong.") == 303
    with signed_in(console) as client:
        assert "The sum is wrong." in client.get("/console/quality/reviews?every=true").text
        assert f'id="r{report}"' not in client.get("/console/quality/reviews").text


def test_a_report_is_decided_once_and_the_audit_knows_by_whom(console: Standing) -> None:
    report = reported(console, "", "twice")
    assert _decided(console, report, decision="agree", reason="yes") == 303
    assert _decided(console, report, decision="disagree", reason="no") == 409
    with console.services.store.tenant("acme") as connection:
        noted = [each for each in entries(connection) if each.action == "falseBlock.reviewed"]
    (entry,) = [each for each in noted if each.subject == str(report)]
    assert entry.actor == "admin of acme"
    assert entry.detail["agreed"] is True


def test_a_report_without_its_run_says_that_it_is_no_case(console: Standing) -> None:
    report = reported(console, "", "no run")
    assert _decided(console, report, decision="agree") == 303
    with signed_in(console) as client:
        assert client.get(f"/console/quality/reviews/{report}/case").status_code == 404
        assert "not kept" in client.get("/console/quality/reviews?every=true").text


def _on_answer(console: Standing, number: int, **form: str) -> str:
    with signed_in(console) as client:
        sent = {**form, "csrf": token_of(client)}
        path = f"/console/quality/reviews/feedback/{number}"
        return client.post(path, data=sent, headers=SAME).headers["location"]


def test_a_right_answer_becomes_a_gold_question_by_one_gesture(
    browser: Browser, console: Standing
) -> None:
    context = window(browser, locale="en", java_script_enabled=False)
    page = context.new_page()
    sign_in(page, console, Role.ADMIN)
    page.fill("#question", "What was the balance of account 1020 at the end of 2024?")
    page.click("#ask button.primary")
    page.click(".feedback button[value=right]")
    expect(page.locator(".feedback [role=status]")).to_contain_text("right")
    expect(page.locator("article.turn")).to_have_count(1)
    page.goto(f"{console.address}/console/quality/reviews")
    page.locator("[id^=a] button[value=gold]").first.click()
    expect(page.locator("[id^=a] summary").first).to_contain_text("answer-")
    context.close()


def test_a_wrong_answer_needs_the_right_query(console: Standing) -> None:
    trace = belongings(console).trace
    number = feedback_on(console, trace, "a reader", is_right=False)
    for sql in ("", "nonsense", "DROP TABLE x", 'SELECT 1 AS "other"'):
        assert "missing=" in _on_answer(console, number, decision="gold", sql=sql)
    with console.services.store.tenant(ACME) as connection:
        before = wrong_answers(connection)
    with signed_in(console) as client:
        there = client.get("/console/quality/reviews?missing=other_columns").text
        assert "Because." in there
        assert "lacks the columns" in there
    assert "every=true" in _on_answer(console, number, decision="close")
    with console.services.store.tenant(ACME) as connection:
        assert wrong_answers(connection) == before - 1


def test_the_right_query_is_the_truth_of_the_gold_question(console: Standing) -> None:
    trace = belongings(console).trace
    right = feedback_on(console, trace, "one reader")
    _on_answer(console, right, decision="gold")
    with console.services.store.tenant(ACME) as connection:
        made = find_feedback(connection, right)
    assert made is not None
    assert made.gold is not None
    (case,) = made.gold["cases"]
    compared = [*case["expectedAnswerNumeric"], *case.get("expectedAnswerNames", ())]
    wrong = feedback_on(console, trace, "another reader", is_right=False)
    columns = ", ".join(f'MAX("id") AS "{each}"' for each in compared)
    sql = f'SELECT {columns} FROM "TrusteeDataJournalLine"'
    assert "every=true" in _on_answer(console, wrong, decision="gold", sql=sql)
    with signed_in(console) as client:
        text = client.get(f"/console/quality/reviews/feedback/{wrong}/case").text
    assert "TrusteeDataJournalLine" in text
    assert "m-001" in text  # only the rows of the asker's tenant
