"""Calls that need a person, on each way that a question can go."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from tests.agent.people import Person, decision, denying
from tests.sample import ACCOUNTANT, trustee
from veridical.agent.approval import CALL_NOT_APPROVED
from veridical.agent.settings import AgentSettings
from veridical.answering.feature import Feature
from veridical.answering.flow import answer
from veridical.answering.session import Session
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.person import Approvals
from veridical.contracts.question import Question
from veridical.contracts.trace import ToolCalled
from veridical.engines import Engine, Postgres
from veridical.testing.script import Line, Script
from veridical.tools.known_question import KNOWN_QUESTION
from veridical.trace.recorder import Recorder

__all__ = ["trustee"]

CANONICAL = "Wie hoch war der Saldo von Konto 1020 Ende 2024?"
OPEN = "Erzähle mir bitte frei von unseren Kontakten"
BALANCES = "TrusteeDataAccountBalance"
SQL = ("executeSqlSafe", {"sql": 'SELECT count(*) FROM "TrusteeDataContact"'})
COUNT = ("aggregateTable", {"tableName": "TrusteeDataContact", "aggregate": "count"})


def asked(
    feature: Feature, text: str, person: Person, calls: tuple[str, ...], *lines: Line, **parts: Any
) -> tuple[Answer, list[ToolCalled]]:
    recorder = Recorder("run")
    script = Script(lines)
    session = Session(
        feature,
        ACCOUNTANT,
        script.model if lines else None,
        emit=recorder.emit,
        ask=person.ask,
        approvals=Approvals(calls=calls),
        regenerations=0,
        **parts,
    )
    given = asyncio.run(answer(Question(text=text), session))
    return given, [each for each in recorder.trace.events if isinstance(each, ToolCalled)]


def test_a_pattern_waits_for_its_call_to_be_approved(trustee: Feature) -> None:
    person = Person()
    given, (call,) = asked(trustee, CANONICAL, person, (BALANCES,))
    (needed,) = person.asked
    assert given.kind is AnswerKind.PATTERN
    assert needed.name.startswith("call:pattern:")
    assert (needed.subject["tool"], needed.subject["arguments"]) == (call.tool, call.arguments)
    assert needed.subject["reads"] == [BALANCES]


def test_a_denied_pattern_is_an_honest_no(trustee: Feature) -> None:
    given, calls = asked(trustee, CANONICAL, denying(), (BALANCES,))
    assert given.kind is AnswerKind.UNKNOWN
    assert "nicht genehmigt" in given.text
    assert (given.sources, calls) == ((), [])


def test_after_a_denied_pattern_the_same_call_is_not_asked_for_again(trustee: Feature) -> None:
    _, (ran,) = asked(trustee, CANONICAL, Person(), ())
    person = denying()
    same: Line = [(ran.tool, ran.arguments)]
    _, (call,) = asked(trustee, CANONICAL, person, (BALANCES,), same, "Das kann ich nicht sagen.")
    assert call.validation_failure_code == CALL_NOT_APPROVED
    assert len(person.asked) == 1


@pytest.mark.parametrize("glob", ["TrusteeDataContact", "executeSql*"])
def test_sql_is_looked_into(trustee: Feature, glob: str) -> None:
    person = denying()
    given, (call,) = asked(trustee, OPEN, person, (glob,), [SQL], "Das kann ich nicht sagen.")
    assert call.validation_failure_code == CALL_NOT_APPROVED
    assert given.sources == ()
    assert person.asked[0].subject["reads"] == ["TrusteeDataContact"]


def test_the_model_may_go_another_way(trustee: Feature) -> None:
    person = Person(lambda needed: decision(needed, approved=needed.subject["tool"] != SQL[0]))
    given, calls = asked(
        trustee, OPEN, person, ("TrusteeDataContact",), [SQL], [COUNT], "Es sind einige."
    )
    assert [call.success for call in calls] == [False, True]
    assert [source.tool for source in given.sources] == [COUNT[0]]


def test_a_known_question_does_not_hide_what_it_reads(trustee: Feature) -> None:
    person = denying()
    ask: Line = [(KNOWN_QUESTION, {"ask": {"question": "REVENUE_OF_YEAR", "year": 2024}})]
    settings = AgentSettings(known_questions=True)
    _, (call,) = asked(
        trustee, OPEN, person, ("executeSqlSafe",), ask, "Keine Ahnung.", settings=settings
    )
    assert call.validation_failure_code == CALL_NOT_APPROVED
    assert len(person.asked) == 1


def test_small_talk_is_no_way_around(trustee: Feature) -> None:
    talk = "Was ist die Hauptstadt von Frankreich?"
    given, (call,) = asked(trustee, talk, denying(), ("*",), [SQL], "Paris.")
    assert given.kind is AnswerKind.CHAT
    assert call.validation_failure_code == CALL_NOT_APPROVED


def _on(trustee: Feature, database: Postgres) -> Feature:
    return replace(trustee, engine=Engine(database, trustee.checker.catalog))


@pytest.mark.parametrize("lines", [(), ("Der Saldo ist 5.",)], ids=["no model", "a model"])
def test_data_that_cannot_be_reached_is_told_and_no_model_is_asked(
    trustee: Feature, lines: tuple[Line, ...]
) -> None:
    gone = _on(trustee, Postgres("postgresql:///gone?host=/nowhere"))
    given, (call,) = asked(gone, CANONICAL, Person(), (), *lines)
    assert (given.kind, call.success) == (AnswerKind.FAILED, False)
    assert "Daten sind gerade nicht erreichbar" in given.text
    assert given.usage.model_calls == 0


def test_without_a_model_a_pattern_says_itself_why_it_failed(trustee: Feature) -> None:
    database = trustee.engine.database
    assert isinstance(database, Postgres)
    books = database._pool.url.render_as_string(hide_password=False)  # pyright: ignore[reportPrivateUsage]
    unreadable = Postgres(books, role="nobody_by_this_name")
    given, _ = asked(_on(trustee, unreadable), CANONICAL, Person(), ())
    unreadable.close()
    assert given.kind is AnswerKind.UNKNOWN
    assert "Sprachmodell" not in given.text
    assert given.text
