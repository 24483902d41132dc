"""Without a model: replies, follow-ups, help, refusals, all in the language of the question."""

import asyncio
import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.route.dialogue import dialogues
from tests.sample import ACCOUNTANT, PACK
from tests.server.conftest import own_database, server, trustee
from tests.server.standing import Standing
from veridical.answering.feature import Feature
from veridical.answering.flow import answer
from veridical.answering.session import Session
from veridical.cli.main import app
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.caller import Permissions
from veridical.contracts.language import Language
from veridical.contracts.proof import Verdict
from veridical.contracts.question import Question, Turn
from veridical.reading.language import language_of
from veridical.route.requests import Request, leaves, request_of
from veridical.route.sums import plain_sum
from veridical.sample.books import load_sample
from veridical.sample.postgres import LocalPostgres

__all__ = ["own_database", "server", "trustee"]

pytestmark = pytest.mark.postgres


def _talk(feature: Feature, *said: str, **caller: Any) -> list[Answer]:
    thread: tuple[Turn, ...] = ()
    given: list[Answer] = []
    for text in said:
        session = Session(feature, replace(ACCOUNTANT, **caller))
        given.append(asyncio.run(answer(Question(text=text, thread=thread), session)))
        thread = (*thread, Turn(question=text, answer="It was 5,000,000.00."))
    return given


def test_c18_the_reply_to_a_question_back_is_taken(trustee: Feature) -> None:
    asked, given = _talk(trustee, "Wie hoch war der Banksaldo?", "31.12.2025")
    assert asked.kind is AnswerKind.ASK_BACK
    assert "31.12.2025" in asked.suggested_answers
    assert given.kind is AnswerKind.PATTERN
    assert given.language is Language.DE
    assert given.text.startswith("Banksaldo per 31.12.2025")
    assert given.proof is not None
    assert given.proof.verdict is Verdict.PASS


@pytest.mark.parametrize("said", ["und 2024?", "and 2024?", "und 2024 und 2023?", "2023 und 2024?"])
def test_c18_what_goes_on_is_no_sum(trustee: Feature, said: str) -> None:
    assert plain_sum(said, Language.DE) is None
    assert plain_sum(said, Language.EN) is None
    (given,) = _talk(trustee, said)
    assert "=" not in given.text
    assert given.kind is AnswerKind.UNKNOWN


@pytest.mark.parametrize("sum_", ["2024 + 1", "3 und 5", "was ist 2023 und 2024?", "-3 + 5"])
def test_c18_sums_stay_sums(sum_: str) -> None:
    assert plain_sum(sum_, Language.DE) is not None


@pytest.mark.parametrize("name", ["written", "held_out"])
def test_c18_dialogues_are_answered_from_the_books_and_proven(trustee: Feature, name: str) -> None:
    for dialogue in dialogues(name):
        given = _talk(trustee, *(said.text for said in dialogue))
        for said, told in zip(dialogue, given, strict=True):
            assert told.language is said.language, said.text
            assert "5,000,000" not in told.text
            if told.kind is AnswerKind.PATTERN:
                assert told.proof is not None
                assert told.proof.verdict is Verdict.PASS, (said.text, told.text)
                assert told.sources


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("Hilfe", Language.DE),
        ("help", Language.EN),
        ("What can I ask?", Language.EN),
        ("What questions do you understand?", Language.EN),
        ("Was kann ich dich fragen?", Language.DE),
        ("Was kannst du?", Language.DE),
        ("我可以问什么？", Language.ZH),
        ("你能做什么？", Language.ZH),
        ("?", Language.EN),
    ],
)
def test_c18_help_names_the_known_questions(
    trustee: Feature, said: str, language: Language
) -> None:
    (given,) = _talk(trustee, said)
    assert given.kind is AnswerKind.CHAT
    assert given.language is language
    assert language_of(given.text, Language.EN) is language
    assert "VERIDICAL_MODEL" not in given.text
    assert len(given.suggested_answers) == len(PACK.ontology.canonical_patterns)
    assert "‹" in given.text


def test_c18_help_shows_nobody_what_they_may_not_see(trustee: Feature) -> None:
    hidden = Permissions(deny=("TrusteeDataContact",))
    (given,) = _talk(trustee, "What can I ask?", permissions=hidden)
    assert "contact" not in given.text.lower()
    assert "revenue" in given.text


@pytest.mark.parametrize(
    ("said", "language", "nearest"),
    [
        ("Wie hoch war der Banksldo Ende 2024?", Language.DE, "Banksaldo"),
        ("What was our reveneu in 2024?", Language.EN, "revenue"),
        ("How did sales do in 2024 versus 2023?", Language.EN, "revenue"),
        ("asdf qwer", Language.EN, "For example"),
        ("Wie geht es der Firma im Vergleich zur Konkurrenz?", Language.DE, "Zum Beispiel"),
    ],
)
def test_c18_what_nobody_understands_is_told_with_the_nearest_questions(
    trustee: Feature, said: str, language: Language, nearest: str
) -> None:
    (given,) = _talk(trustee, said)
    assert given.kind is AnswerKind.UNKNOWN
    assert given.language is language
    assert nearest in given.text
    assert given.suggested_answers
    again, chosen = _talk(trustee, said, "1")
    assert again.suggested_answers == given.suggested_answers
    assert chosen.kind is AnswerKind.PATTERN


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("Delete all invoices", Language.EN),
        ("please remove the customer Keller AG", Language.EN),
        ("Set the balance of account 1020 to 0", Language.EN),
        ("UPDATE accounts SET balance = 0", Language.EN),
        ("Lösche alle Buchungen", Language.DE),
        ("Bitte ändere den Saldo von Konto 1020", Language.DE),
        ("Kannst du die Rechnung stornieren?", Language.DE),
        ("Buche 500 auf Konto 1020", Language.DE),
        ("删除所有发票", Language.ZH),
        ("请修改科目1020的余额", Language.ZH),
    ],
)
def test_c18_requests_to_change_data_are_refused_plainly(
    trustee: Feature, said: str, language: Language
) -> None:
    (given,) = _talk(trustee, said)
    assert given.kind is AnswerKind.UNKNOWN
    assert given.language is language
    assert any(word in given.text for word in ("only read", "lese nur", "只能读取"))
    assert "VERIDICAL_MODEL" not in given.text


@pytest.mark.parametrize(
    "said",
    [
        "Which bookings were deleted in 2024?",
        "Show the changes in revenue since 2020",
        "Create a table of the revenue by year",
        "Update me on the revenue of 2024",
        "Change in revenue 2024 against 2023",
        "Wie viele Rechnungen wurden storniert?",
        "Welche Buchungen wurden gelöscht?",
        "Leere Konten",
        "哪些发票被删除了？",
        "余额何时更新的？",
        "What was the book value at the end of 2024?",
    ],
)
def test_c18_questions_about_changes_are_questions(said: str) -> None:
    assert request_of(said) is None


def test_c18_a_follow_up_inherits_no_right(trustee: Feature) -> None:
    hidden = Permissions(deny=("TrusteeDataAccountBalance",))
    said = ("Wie hoch war der Banksaldo Ende 2025?", "und 2024?")
    seen = _talk(trustee, *said)
    assert seen[1].kind is AnswerKind.PATTERN
    for given in _talk(trustee, *said, permissions=hidden):
        assert given.kind is not AnswerKind.PATTERN
        assert not given.sources


def test_c18_leaving_and_cancelling() -> None:
    assert all(map(leaves, ("exit", "quit", ":q", "Exit!", "ende", "退出")))
    assert not any(map(leaves, ("", "Wie hoch war der Umsatz?", "exit costs 2024")))
    assert request_of("never mind") is Request.CANCEL


@pytest.fixture
def at_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgres_server: LocalPostgres
) -> list[str]:
    """A command line on the sample's database, as one of its clients."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("VERIDICAL_MODEL", raising=False)
    monkeypatch.chdir(tmp_path)
    columns = next(iter(PACK.tenant_columns.values()))
    scope = [f"{name}={value}" for name, value in zip(columns, ("m-001", "m-001-a"), strict=True)]
    address = load_sample(PACK, postgres_server).url
    return ["--database", address, *(part for each in scope for part in ("--scope", each))]


def test_c18_chat_keeps_the_conversation(at_home: list[str]) -> None:
    said = "Wie hoch war der Banksaldo?\n31.12.2025\n\nund 2024?\nHilfe\nexit\nund 2023?\n"
    result = CliRunner().invoke(app, ["chat", "--json", *at_home], input=said)
    assert result.exit_code == 0, result.output
    decoder, at, given = json.JSONDecoder(), 0, []
    text = result.stdout.strip()
    while at < len(text):
        found, at = decoder.raw_decode(text, at)
        given.append(found)
        at += len(text[at:]) - len(text[at:].lstrip())
    assert [each["kind"] for each in given] == ["askBack", "pattern", "pattern", "chat"]
    assert "31.12.2024" in given[2]["text"]
    assert {each["language"] for each in given} == {"de"}


def test_c18_chat_shows_answers_and_choices(at_home: list[str]) -> None:
    said = "Wie hoch war der Banksaldo?\ndas erste\n"
    result = CliRunner().invoke(app, ["chat", *at_home], input=said)
    assert result.exit_code == 0, result.output
    assert "1. 31.12.2025" in result.stdout
    assert "Banksaldo per 31.12.2025" in result.stdout
    assert "Modellaufrufe" in result.stdout


def test_c18_ask_goes_on_from_the_last_question(at_home: list[str]) -> None:
    run = CliRunner()
    first = run.invoke(app, ["ask", "Wie hoch war der Banksaldo?", "--json", *at_home])
    assert json.loads(first.stdout)["kind"] == "askBack"
    second = run.invoke(app, ["ask", "31.12.2025", "--continue", "--json", *at_home])
    assert json.loads(second.stdout)["kind"] == "pattern", second.output
    trace = json.loads(first.stdout)["traceId"]
    third = run.invoke(app, ["ask", "Ende 2024", "--reply-to", trace, "--json", *at_home])
    assert "31.12.2024" in json.loads(third.stdout)["text"]


def test_c18_there_must_be_something_to_go_on_from(at_home: list[str]) -> None:
    result = CliRunner().invoke(app, ["ask", "und 2024?", "--continue", *at_home])
    assert result.exit_code == 2
    assert "keine frühere Frage" in result.output


def test_c18_the_command_line_speaks_the_questions_language() -> None:
    result = CliRunner().invoke(app, ["ask", "Wie hoch war der Umsatz?", "--database", "x"])
    assert result.exit_code == 2
    assert language_of(result.output, Language.EN) is Language.DE


def test_c18_http_takes_the_thread(server: Standing) -> None:
    asked = {
        "feature": "trustee",
        "question": "31.12.2025",
        "thread": [{"question": "Wie hoch war der Banksaldo?", "answer": "Per welchem Datum?"}],
    }
    with server.client() as client:
        given = client.post("/v1/ask", json=asked).json()
    assert (given["kind"], given["language"]) == ("pattern", "de")


def test_c18_openai_takes_the_messages(server: Standing) -> None:
    said = [
        {"role": "user", "content": "What was the revenue in 2025?"},
        {"role": "assistant", "content": "5 million."},
        {"role": "user", "content": "and 2024?"},
    ]
    with server.client() as client:
        body = {"model": "veridical:trustee", "messages": said}
        given = client.post("/v1/chat/completions", json=body).json()
    assert given["choices"][0]["message"]["content"].startswith("Revenue in 2024")


def test_c18_today_is_not_asked_for_twice(trustee: Feature) -> None:
    asked, again = _talk(trustee, "What was the bank balance?", "17 May 2025")
    assert again.kind is AnswerKind.ASK_BACK
    assert again.text == asked.text
    assert date.today().year > 2025


@pytest.mark.parametrize("route", ["/v1/ask", "/v1/runs"])
def test_c18_what_goes_wrong_is_told_in_the_questions_language(
    server: Standing, route: str
) -> None:
    asked = {"feature": "payroll", "question": "Wie hoch war der Umsatz im Jahr 2024?"}
    with server.client() as client:
        told = client.post(route, json=asked)
        wanted = client.post(route, json=asked, headers={"accept-language": "zh"})
    assert told.headers["content-language"] == "de"
    assert wanted.headers["content-language"] == "zh"
