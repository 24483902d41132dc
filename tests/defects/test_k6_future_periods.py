"""A known question about a time that has not come: it is recognised, said to be of the future, and
never offered again as if it could be answered."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.console.chromium import sign_in
from tests.defects.console_server import Demo, Windows, asked, browser, demo, trustee, windows
from tests.sample import ACCOUNTANT
from veridical.answering.feature import Feature
from veridical.answering.flow import answer
from veridical.answering.session import Session
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.question import Question, Turn
from veridical.server.identity import Role

__all__ = ["browser", "demo", "trustee", "windows"]

pytestmark = pytest.mark.postgres

FUTURE = datetime.now(UTC).year + 5
FREE = {
    Language.EN: "What was the balance of account 1020 at the end of {year}?",
    Language.DE: "Wie hoch war der Saldo von Konto 1020 Ende {year}?",
    Language.ZH: "{year}年末科目1020的余额是多少？",
}
OWN = {
    Language.EN: "What is the balance of account 1020 at the end of {year}?",
    Language.DE: "Wie hoch ist der Saldo von Konto 1020 Ende {year}?",
    Language.ZH: "{year}年末1020科目的余额是多少？",
}
SAID = {Language.EN: "lies in the future", Language.DE: "Zukunft", Language.ZH: "尚未到来"}
in_each = pytest.mark.parametrize("language", tuple(Language))


def _talk(feature: Feature, *said: str, **caller: Any) -> list[Answer]:
    thread: tuple[Turn, ...] = ()
    given: list[Answer] = []
    for text in said:
        session = Session(feature, replace(ACCOUNTANT, **caller))
        given.append(asyncio.run(answer(Question(text=text, thread=thread), session)))
        thread = (*thread, Turn(question=text, answer=""))
    return given


@in_each
@pytest.mark.parametrize("wording", [FREE, OWN], ids=["free", "own words"])
def test_k6_the_future_is_said_to_be_the_future(
    trustee: Feature, language: Language, wording: dict[Language, str]
) -> None:
    (given,) = _talk(trustee, wording[language].format(year=FUTURE))
    assert given.kind is AnswerKind.UNKNOWN
    assert SAID[language] in given.text
    assert str(FUTURE) in given.text
    assert given.sources == ()


@in_each
def test_k6_what_is_offered_instead_can_be_answered(trustee: Feature, language: Language) -> None:
    first, then = (
        _talk(trustee, FREE[language].format(year=FUTURE))[0],
        _talk(trustee, FREE[language].format(year=2024))[0],
    )
    assert then.kind is AnswerKind.PATTERN
    (offered,) = first.suggested_answers
    assert str(FUTURE) not in offered
    assert "1020" in offered
    (given,) = _talk(trustee, offered)
    assert given.kind is AnswerKind.PATTERN


@pytest.mark.parametrize(
    "question",
    [
        f"Which customer invoices are overdue on {FUTURE}-12-31?",
        f"What was the bank balance at the end of month 3/{FUTURE}?",
        f"What was the profit in {FUTURE}?",
        f"How many bookings were there in month 3/{FUTURE}?",
    ],
)
def test_k6_every_kind_of_period(trustee: Feature, question: str) -> None:
    """What is open today is not told as if it were open then."""
    (given,) = _talk(trustee, question)
    assert given.kind is AnswerKind.UNKNOWN
    assert SAID[Language.EN] in given.text
    assert given.sources == ()
    assert not any(str(FUTURE) in each for each in given.suggested_answers)


def test_k6_a_follow_up_into_the_future_and_back(trustee: Feature) -> None:
    first, future, back = _talk(
        trustee, FREE[Language.EN].format(year=2024), f"And at the end of {FUTURE}?", "And in 2023?"
    )
    assert first.kind is back.kind is AnswerKind.PATTERN
    assert future.kind is AnswerKind.UNKNOWN
    assert SAID[Language.EN] in future.text
    assert "2023" in back.text


def test_k6_a_slip_of_the_pen_is_not_offered_a_future_either(trustee: Feature) -> None:
    (given,) = _talk(trustee, f"What was the balanse of account 1020 at the end of {FUTURE}?")
    assert given.suggested_answers
    for each in given.suggested_answers:
        assert _talk(trustee, each)[0].kind is AnswerKind.PATTERN, each


def test_k6_on_the_page_the_offer_is_answered(demo: Demo, windows: Windows) -> None:
    page = windows()
    sign_in(page, demo[0], Role.ANALYST)
    asked(page, FREE[Language.EN].format(year=FUTURE))
    turns = page.locator("article.turn")
    expect(turns.nth(0).locator(".answer")).to_contain_text(SAID[Language.EN])
    turns.nth(0).locator(".choices button").click()
    expect(turns.nth(1).locator(".answer")).to_contain_text("CHF")
