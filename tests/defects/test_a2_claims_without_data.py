"""Without data only small talk, a refusal, a clarifying question and what a word means may pass."""

from typing import Any

import pytest

from tests.gate.strictly import strictly
from veridical import gate
from veridical.contracts.result import ToolRun
from veridical.gate.rules import empty_result, no_evidence
from veridical.gate.rules.gate_facts import GateFacts

MADE_UP = (
    ("列出所有的用户", "1. 张伟 2. 李娜 3. 王芳"),
    ("Who pays late?", "Rüegg AG, Keller GmbH and Huber AG always pay late."),
    ("Did anybody complain?", "7 customers complained."),
    ("Has Rüegg AG paid?", "Yes, Rüegg AG has paid."),
    ("Who is our best customer?", "Our best customer is Huber Logistics"),
    ("What did we make?", "We made 5."),
    ("Has Rüegg AG paid?", "Yes."),
    ("Has Rüegg AG paid?", "No, it has not paid."),
    ("Who is our best customer?", "Huber Logistics"),
    ("Who is our best customer?", "Sure! That would be Huber Logistics."),
    ("Who is our best customer?", "Of course, Huber Logistics."),
    ("Who is our best customer?", "I can confirm that Huber Logistics is our best customer."),
    ("Who is our best customer?", "I can't see the data, but Huber is our best customer."),
    ("Who is our best customer?", "If you ask me, our best customer is Huber."),
    ("Who complained?", "Hello! Anna, Ben and Carla complained."),
    ("How are sales?", "Sales went up."),
    ("How are sales?", "Let me check. Sales doubled."),
    ("How many users?", "There are three."),
    ("List all users", "- Anna\n- Ben\n- Carla"),
    ("Wer zahlt spät?", "Rüegg AG, Keller GmbH und Huber AG zahlen immer zu spät."),
    ("Hat Rüegg bezahlt?", "Ja, Rüegg AG hat bezahlt."),
    ("Hat Rüegg bezahlt?", "Ja."),
    ("Wer ist unser bester Kunde?", "Unser bester Kunde ist die Huber Logistik."),
    ("Gab es Beschwerden?", "Sieben Kunden haben sich beschwert."),
    ("Was haben wir verdient?", "Wir haben 5 verdient."),
    ("Wer?", "Bitte beachten Sie, dass Huber bezahlt hat."),
    ("王芳付款了吗？", "是的，王芳已经付款了。"),
    ("王芳付款了吗？", "是的。"),
    ("最好的客户是谁？", "我们最好的客户是华为。"),
    ("有投诉吗？", "有7位客户投诉。"),
    ("列出用户", "用户有张伟、李娜和王芳。"),
    ("王芳付款了吗？", "我无法访问数据，王芳已经付款了。"),
    ("What is 2 + 2?", "2 + 2 = 5"),
    ("Balance of account 6999?", "Unknown account: 7000."),
    ("Balance of account 6999?", "Unknown account: revenue rose."),
    ("Balance of account 6999?", "I can't say: 500."),
)
MAY_PASS = (
    "Hello! How can I help you?",
    "Hi Mia! Thanks for waiting.",
    "You're welcome! Have a nice day.",
    "I am Veridical, an assistant for questions about your data.",
    "I can't say without data.",
    "I'm sorry, but I could not reach the database.",
    "The query was refused, so I can't tell you the balance.",
    "I don't have access to that data.",
    "Unknown account.",
    "Which year do you mean?",
    "Do you mean turnover or profit?",
    "Sure, I can help with that. Could you please provide your user ID?",
    "To help you, please provide:\n1. Your user ID\n2. Your order number",
    "A balance sheet has two sides.",
    "An average is the sum divided by the number of values.",
    "2 + 2 = 4",
    "Guten Tag! Wie kann ich Ihnen helfen?",
    "Das kann ich ohne Daten nicht sagen.",
    "Leider ist die Abfrage fehlgeschlagen. Bitte versuchen Sie es später noch einmal.",
    "Welches Jahr meinen Sie?",
    "Eine Bilanz hat zwei Seiten: Aktiven und Passiven.",
    "Gern geschehen!",
    "您好！有什么可以帮您？",
    "没有数据，我无法回答。",
    "查询失败，请稍后再试。",
    "请问您指的是哪一年？",
    "资产负债表有两个部分。",
)
FAILED_RUN = (ToolRun(tool="queryTable", success=False, error="TIMEOUT"),)


def is_held(answer: str, evidence: Any, question: str = "") -> bool:
    """Whether the flow holds it back for having no data."""
    exhibits = gate.prepare(evidence).exhibits
    facts = GateFacts(answer, exhibits, gate.DEFAULT, question=question)
    return any((*no_evidence.find(facts), *empty_result.find(facts)))


@pytest.mark.parametrize(("question", "answer"), MADE_UP)
@pytest.mark.parametrize(
    "evidence",
    [
        None,
        [],
        {"success": False, "error": "timeout"},
        {"success": False, "errorDetails": {"code": "MISSING_REQUIRED_FILTER"}},
        "SYSTEM ERROR: no connection to port 5432",
    ],
    ids=["no call", "nothing found", "failed", "refused", "error text"],
)
def test_a2_nothing_about_the_business_passes(question: str, answer: str, evidence: Any) -> None:
    if evidence == [] and "not paid" in answer:
        return  # that a search found nothing may be said
    assert is_held(answer, evidence, question) or not strictly(answer, evidence).ok


@pytest.mark.parametrize(("question", "answer"), MADE_UP)
def test_a2_nor_after_a_failed_run(question: str, answer: str) -> None:
    assert not strictly(answer, None, question=question, runs=FAILED_RUN).ok


@pytest.mark.parametrize("answer", MAY_PASS)
@pytest.mark.parametrize("evidence", [None, [], {"success": False, "error": "timeout"}])
def test_a2_small_talk_refusals_and_questions_pass(answer: str, evidence: Any) -> None:
    if evidence == [] and "access" in answer:
        return  # nothing found is not forbidden
    assert not is_held(answer, evidence)


@pytest.mark.parametrize(
    "answer",
    [
        "No customers complained.",
        "I found no complaints.",
        "There are no such orders.",
        "Es gibt keine Beschwerden.",
        "没有投诉。",
        "Rüegg AG has not paid.",
    ],
)
def test_a2_what_a_search_did_not_find_may_be_said(answer: str) -> None:
    assert not is_held(answer, [])
    assert is_held(answer, None)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Balance of account 6999?", "Unknown account: 6999."),
        ("Saldo von Konto 6999?", "Unbekanntes Konto 6999."),
        ("科目6999年末余额是多少？", "未知科目：6999。所以我无法给出年末余额。"),
    ],
)
def test_a2_what_was_asked_about_may_be_named(question: str, answer: str) -> None:
    assert not is_held(answer, [], question)


@pytest.mark.parametrize(
    "answer",
    [
        "Good news: as of 29 February 2020, every customer invoice had been paid – none was open.",
        "The search for debits in March 2023 came back empty.",
        "Alle Rechnungen waren bezahlt: Am 30.11.2021 gab es keine offenen Debitoren.",
        "Die Suche nach Belastungen im August 2020 blieb ohne Treffer.",
        "很遗憾，2020年7月没有科目6700的分录。",
        "全部已付清：2021年11月30日没有未收账款。",
    ],
)
def test_a2_that_a_search_found_nothing_may_be_told(answer: str) -> None:
    assert not is_held(answer, [], answer)


@pytest.mark.parametrize(
    "answer", ["All invoices were paid.", "Alle waren bezahlt.", "全部已付清。"]
)
def test_a2_nothing_found_does_not_prove_the_opposite_by_itself(answer: str) -> None:
    assert is_held(answer, [], "Which invoices?")
