"""One question from route to answer, on real books, with a scripted model."""

import asyncio
from typing import Any

import psycopg
import pytest

from tests.agent.people import Person, decision, denying
from tests.sample import ACCOUNTANT, trustee
from veridical.answering.clarification import MOST_CLARIFICATIONS
from veridical.answering.feature import Feature
from veridical.answering.flow import answer
from veridical.answering.session import Session
from veridical.contracts.answer import AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.person import Approvals
from veridical.contracts.question import Question, Turn
from veridical.contracts.trace import Answered, Routed, RunStarted, ToolCalled
from veridical.engines import Postgres
from veridical.gate.proof_marks import SIGN
from veridical.host import query_feature_instance, query_feature_schema
from veridical.testing.replay import RecordedSteps
from veridical.testing.script import Script
from veridical.trace.recorder import Recorder

__all__ = ["trustee"]

BANK_TRUTH = """
    SELECT sum("closingBalance") FROM "TrusteeDataAccountBalance"
    WHERE "mandateId" = 'm-001' AND "featureInstanceId" = 'm-001-a' AND "accountNumber" = '1020'
    AND "periodYear" = 2024 AND "periodMonth" = 0
"""


def ask(session: Session, text: str, **parts: Any) -> Any:
    return asyncio.run(answer(Question(text=text, **parts), session))


def test_a_canonical_question_needs_no_model(trustee: Feature) -> None:
    given = ask(Session(trustee, ACCOUNTANT), "Wie hoch war der Saldo von Konto 1020 Ende 2024?")
    assert given.kind is AnswerKind.PATTERN
    assert given.language is Language.DE
    assert given.usage.model_calls == 0
    database = trustee.engine.database
    assert isinstance(database, Postgres)
    url = database._pool.url.render_as_string(hide_password=False)  # pyright: ignore
    with psycopg.connect(url.replace("postgresql+psycopg", "postgresql")) as connection:
        row = connection.execute(BANK_TRUTH).fetchone()
    assert row is not None
    assert f"{row[0]:,.2f}".replace(",", "'") in given.text


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Hello!", AnswerKind.CHAT),
        ("Was ist 12 * 12?", AnswerKind.CHAT),
        ("Wie hoch war der Banksaldo?", AnswerKind.ASK_BACK),
        ("Why do our customers pay so late?", AnswerKind.UNKNOWN),
    ],
)
def test_without_a_model_nothing_is_guessed(trustee: Feature, text: str, kind: AnswerKind) -> None:
    assert ask(Session(trustee, ACCOUNTANT), text).kind is kind


def test_the_agent_is_refused_repairs_and_answers(trustee: Feature) -> None:
    wrong = {"tableName": "TrusteeDataAccountBalance", "aggregate": "sum",
             "field": "closingBalance"}  # fmt: skip
    period = [
        {"field": "periodYear", "op": "=", "value": 2024},
        {"field": "periodMonth", "op": "=", "value": 0},
        {"field": "currency", "op": "=", "value": "CHF"},
    ]
    script = Script(
        [
            [("aggregateTable", wrong)],
            [("aggregateTable", {**wrong, "filters": period})],
            "That is the sum of all balances.",
        ]
    )
    recorder = Recorder("run-1")
    session = Session(trustee, ACCOUNTANT, script.model, emit=recorder.emit)
    given = ask(session, "Add up what the ledger shows, whatever that means")
    assert given.kind is AnswerKind.AGENT
    calls = [event for event in recorder.trace.events if isinstance(event, ToolCalled)]
    assert [call.success for call in calls] == [False, True]
    assert calls[0].validation_failure_code == "INVALID_AGGREGATE_TARGET"
    assert len(given.sources) == 1
    kinds = [type(event) for event in recorder.trace.events]
    assert kinds[0] is RunStarted
    assert kinds[1] is Routed
    assert kinds[-1] is Answered


def test_a_follow_up_goes_to_the_agent_with_its_thread(trustee: Feature) -> None:
    script = Script(["I can't say why."])
    thread = (Turn(question="Bank balance at the end of 2025?", answer="1020: 5.00 CHF"),)
    given = ask(Session(trustee, ACCOUNTANT, script.model), "and why so low?", thread=thread)
    assert given.kind is AnswerKind.UNKNOWN
    assert given.text == "I can't say why."
    assert "Bank balance at the end of 2025?" in str(script.heard[0])


def test_a_plain_follow_up_needs_no_model(trustee: Feature) -> None:
    script = Script([])
    thread = (Turn(question="Bank balance at the end of 2025?", answer="1020: 5.00 CHF"),)
    given = ask(Session(trustee, ACCOUNTANT, script.model), "and for 2024?", thread=thread)
    alone = ask(Session(trustee, ACCOUNTANT), "Bank balance at the end of 2024?")
    assert given.kind is AnswerKind.PATTERN
    assert given.text == alone.text
    assert script.heard == []


def test_a_question_of_its_own_is_known_in_a_conversation_too(trustee: Feature) -> None:
    thread = (Turn(question="What was our revenue in 2023?", answer="CHF 5,000,000.00"),)
    asked = "What was the balance of account 1020 at the end of 2024?"
    alone = ask(Session(trustee, ACCOUNTANT), asked)
    given = ask(Session(trustee, ACCOUNTANT), asked, thread=thread)
    assert given.kind is AnswerKind.PATTERN
    assert given.text == alone.text
    assert given.proof == alone.proof


def test_chat_does_not_hear_what_it_could_repeat_past_the_gate(trustee: Feature) -> None:
    script = Script(["Paris."])
    thread = (Turn(question="Balance of 1020?", answer="It was CHF 5,000,000.00."),)
    session = Session(trustee, ACCOUNTANT, script.model)
    given = ask(session, "Was ist die Hauptstadt von Frankreich?", thread=thread)
    assert given.kind is AnswerKind.CHAT
    assert "5,000,000" not in str(script.heard)


def test_chat_that_fetches_data_passes_the_gate(trustee: Feature) -> None:
    count = ("aggregateTable", {"tableName": "TrusteeDataContact", "aggregate": "count"})
    script = Script([[count], "Paris. Und Sie haben 987'654 Kontakte."])
    given = ask(
        Session(trustee, ACCOUNTANT, script.model), "Was ist die Hauptstadt von Frankreich?"
    )
    assert given.kind is not AnswerKind.CHAT
    assert f"987'654{SIGN}" in given.text


def test_a_recorded_run_replays_without_model_or_database(trustee: Feature) -> None:
    steps = RecordedSteps()
    question = Question(text="Wie hoch war der Saldo von Konto 1020 Ende 2024?")
    session = Session(trustee, ACCOUNTANT)
    first = asyncio.run(answer(question, session, steps))
    replayed = asyncio.run(answer(question, session, RecordedSteps(steps.results, sealed=True)))
    assert replayed == first


def test_the_agent_is_one_tool_for_another_agent(trustee: Feature) -> None:
    sessions = {"trustee": Session(trustee, ACCOUNTANT)}
    schema = query_feature_schema(sessions, Language.EN)
    assert schema["function"]["parameters"]["properties"]["feature"]["enum"] == ["trustee"]
    question = "What was the balance of account 1020 at the end of 2024?"
    result = asyncio.run(query_feature_instance("trustee", question, sessions))
    assert result.success
    assert result.data["traceId"]
    assert result.data["sources"][0]["receipt"]["rowCount"] == 1
    unknown = asyncio.run(
        query_feature_instance("trustee", "Why is the sky of 1020 blue?", sessions)
    )
    assert not unknown.success
    missing = asyncio.run(query_feature_instance("payroll", question, sessions))
    assert not missing.success
    assert "trustee" in (missing.error or "")


def replying(*texts: str) -> Person:
    """Somebody who answers each clarifying question with the next text."""
    left = iter(texts)
    return Person(lambda needed: decision(needed, approved=True, text=next(left)))


def clarifying(trustee: Feature, person: Person, **parts: Any) -> Session:
    return Session(trustee, ACCOUNTANT, ask=person.ask, approvals=Approvals(clarify=True), **parts)


UNCLEAR = "Wie hoch war der Banksaldo?"


def test_what_was_left_out_is_asked_and_the_flow_goes_on(trustee: Feature) -> None:
    person, recorder = replying("Ende 2024"), Recorder("run")
    given = ask(clarifying(trustee, person, emit=recorder.emit), UNCLEAR)
    whole = ask(Session(trustee, ACCOUNTANT), f"{UNCLEAR} Ende 2024")
    assert given.kind is AnswerKind.PATTERN
    assert given.text == whole.text
    (needed,) = person.asked
    assert needed.subject["question"] == UNCLEAR
    assert needed.subject["asked"] == "Per welchem Datum?"
    assert needed.subject["suggestedAnswers"]
    assert given.hitl is not None
    assert given.hitl.consulted[0].decision.choice == {"text": "Ende 2024"}
    routes = [event.route for event in recorder.trace.events if isinstance(event, Routed)]
    assert routes == ["pattern"]


@pytest.mark.parametrize("place", [0, 1])
def test_every_suggested_answer_is_understood(trustee: Feature, place: int) -> None:
    person = Person(
        lambda needed: decision(
            needed, approved=True, text=needed.subject["suggestedAnswers"][place]
        )
    )
    assert ask(clarifying(trustee, person), UNCLEAR).kind is AnswerKind.PATTERN


def test_a_reply_that_no_pattern_knows_is_the_next_turn_for_the_model(trustee: Feature) -> None:
    script = Script(["I can't say."])
    person = replying("irgendwann, als der Chef Geburtstag hatte")
    ask(clarifying(trustee, person, model=script.model), UNCLEAR)
    heard = str(script.heard[0])
    assert UNCLEAR in heard
    assert "Per welchem Datum?" in heard
    assert "als der Chef Geburtstag hatte" in heard


@pytest.mark.parametrize("person", [denying(), replying("  ")])
def test_without_a_reply_the_question_back_is_the_answer(trustee: Feature, person: Person) -> None:
    given = ask(clarifying(trustee, person), UNCLEAR)
    assert given.kind is AnswerKind.ASK_BACK
    assert given.text == "Per welchem Datum?"
    assert given.suggested_answers
    assert len(person.asked) == 1


def test_nobody_is_asked_without_end(trustee: Feature) -> None:
    person = replying(*["bitte"] * 10)
    given = ask(clarifying(trustee, person), UNCLEAR)
    names = [needed.name for needed in person.asked]
    assert given.kind is AnswerKind.ASK_BACK
    assert names == [f"clarify.{number}" for number in range(1, MOST_CLARIFICATIONS + 1)]


def test_people_are_asked_only_where_the_session_says_so(trustee: Feature) -> None:
    person = denying()
    given = ask(Session(trustee, ACCOUNTANT, ask=person.ask), UNCLEAR)
    assert given.kind is AnswerKind.ASK_BACK
    assert given.hitl is None
    assert person.asked == []
