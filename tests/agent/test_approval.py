"""Calls that are made only with a person's approval."""

import asyncio
from typing import Any

import pytest

from tests.agent.people import Person, decision, denying
from tests.agent.scripted_tools import SCHEMAS, ScriptedTools
from veridical.agent.approval import (
    CALL_NOT_APPROVED,
    Consultations,
    Reads,
    UnboundDecisionError,
    permission,
)
from veridical.agent.loop import run_loop
from veridical.agent.request import LoopOutcome, LoopRequest
from veridical.contracts.answer import AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.person import (
    Decision,
    ItemKind,
    PersonNeeded,
    Waiting,
    no_person,
    unanswered,
)
from veridical.contracts.result import ToolResult
from veridical.contracts.trace import PersonAsked, PersonDecided, ToolCalled
from veridical.testing.script import Line, Script

LOOK_UP = ("lookUp", {"year": 2024})
REQUEST = LoopRequest("What is the balance?", "Be exact.", at=1.0)


def reads(tool: str, arguments: dict[str, Any]) -> tuple[str, ...] | None:
    return None if "broken" in arguments else (tool, "Balance")


def permit(person: Person, *calls: str, read: Reads = reads) -> Any:
    return permission(person.ask, calls, read, "How much?", Language.EN)


def asked(person: Person, *calls: str, arguments: dict[str, Any] | None = None) -> Any:
    may = permit(person, *calls)
    return asyncio.run(may("agent.tool.1.1", "lookUp", arguments or {"year": 1}, 7.0))


@pytest.mark.parametrize("glob", ["lookUp", "look*", "Balance", "B*", "*"])
def test_tools_and_what_they_read_are_named_by_globs(glob: str) -> None:
    person = Person()
    assert asked(person, "other", glob) is None
    (needed,) = person.asked
    assert (needed.name, needed.reversible, needed.at) == ("call:agent.tool.1.1", False, 7.0)
    assert needed.subject == {
        "question": "How much?",
        "tool": "lookUp",
        "arguments": {"year": 1},
        "reads": ["Balance"],
    }


@pytest.mark.parametrize("glob", ["lookup", "Bal", "queryTable"])
def test_other_calls_trouble_nobody(glob: str) -> None:
    person = denying()
    assert asked(person, glob) is None
    assert asked(person) is None
    assert person.asked == []


def test_a_call_that_would_be_refused_anyway_troubles_nobody() -> None:
    person = denying()
    assert asked(person, "*", arguments={"broken": True}) is None
    assert person.asked == []


def test_a_denied_call_is_refused_by_a_code_of_its_own() -> None:
    refusal = asked(denying(), "lookUp")
    assert isinstance(refusal, ToolResult)
    assert not refusal.success
    assert (refusal.error_details or {})["code"] == CALL_NOT_APPROVED


def run(person: Person, *lines: Line) -> tuple[LoopOutcome, ScriptedTools, list[ToolCalled]]:
    tools, events = ScriptedTools(), list[Any]()
    script = Script(lines)
    loop = run_loop(
        REQUEST,
        script.model,
        tools.call,
        SCHEMAS,
        emit=events.append,
        permit=permit(person, "lookUp"),
    )
    outcome = asyncio.run(loop)
    return outcome, tools, [event for event in events if isinstance(event, ToolCalled)]


def test_the_model_may_do_something_else_after_a_denial() -> None:
    outcome, tools, called = run(
        denying(), [LOOK_UP], [("calculate", {"year": 2024})], "It was 4711.50."
    )
    assert outcome.kind is AnswerKind.AGENT
    assert tools.calls == [("calculate", {"year": 2024})]
    assert [each.validation_failure_code for each in called] == [CALL_NOT_APPROVED, None]
    assert len(outcome.sources) == 1


def test_an_approved_call_is_made_once() -> None:
    outcome, tools, _ = run(Person(), [LOOK_UP], "It was 4711.50.")
    assert tools.calls == [LOOK_UP]
    assert len(outcome.sources) == 1


def test_a_model_that_insists_is_stopped() -> None:
    person = denying()
    lines: list[Line] = [[("lookUp", {"year": year})] for year in (2021, 2022, 2023)]
    outcome, tools, _ = run(person, *lines)
    assert (outcome.kind, outcome.reason) == (AnswerKind.UNKNOWN, CALL_NOT_APPROVED)
    assert tools.calls == []
    assert len(person.asked) == 3


def test_waiting_passes_through_the_loop() -> None:
    def waits(needed: PersonNeeded) -> Decision:
        raise Waiting("item-1", 10.0)

    with pytest.raises(Waiting):
        run(Person(waits), [LOOK_UP], "It was 4711.50.")


def test_each_call_of_one_message_is_decided_for_itself() -> None:
    person = Person(
        lambda needed: decision(needed, approved=needed.subject["arguments"]["year"] == 2024)
    )
    outcome, tools, _ = run(person, [LOOK_UP, ("lookUp", {"year": 2023})], "It was 4711.50.")
    assert tools.calls == [LOOK_UP]
    assert [needed.name for needed in person.asked] == [
        "call:agent.tool.1.1",
        "call:agent.tool.1.2",
    ]
    assert outcome.kind is AnswerKind.AGENT


Told = list[PersonAsked | PersonDecided]


def needed(name: str, kind: ItemKind = ItemKind.CALL, **subject: object) -> PersonNeeded:
    reversible = kind is ItemKind.EVIDENCE
    return PersonNeeded(name=name, kind=kind, subject=subject, reversible=reversible, at=100.0)


def test_question_and_decision_are_told_and_kept() -> None:
    told: Told = []
    people = Consultations(Person().ask, told.append)
    asked = needed("call:1", tool="lookUp")
    given = asyncio.run(people(asked))
    question, decided = told
    assert isinstance(question, PersonAsked)
    assert isinstance(decided, PersonDecided)
    assert (question.at, question.name, question.about) == (100.0, "call:1", ItemKind.CALL)
    assert question.evidence_hash == asked.evidence_hash
    assert (decided.at, decided.decision) == (160.0, given)
    assert people.hitl is not None
    assert [each.decision for each in people.hitl.consulted] == [given]
    assert not people.hitl.auto_approved


def test_where_nobody_was_asked_nothing_is_said() -> None:
    assert Consultations(no_person, lambda event: None).hitl is None


def test_a_denied_call_is_denied_for_the_whole_run() -> None:
    person, told = denying(), list[PersonAsked | PersonDecided]()
    people = Consultations(person.ask, told.append)
    first = asyncio.run(people(needed("call:1", tool="lookUp", year=2024)))
    again = asyncio.run(people(needed("call:2", tool="lookUp", year=2024)))
    assert again == first
    assert len(told) == 2
    asyncio.run(people(needed("call:3", tool="lookUp", year=2025)))
    assert [each.name for each in person.asked] == ["call:1", "call:3"]


def test_an_approval_is_for_one_call() -> None:
    person = Person()
    people = Consultations(person.ask, lambda event: None)
    for name in ("call:1", "call:2"):
        asyncio.run(people(needed(name, tool="lookUp")))
    assert len(person.asked) == 2


def test_a_decision_on_something_else_is_none() -> None:
    other = decision(needed("call:1", tool="other"), approved=True)
    people = Consultations(Person(lambda _: other).ask, lambda event: None)
    with pytest.raises(UnboundDecisionError):
        asyncio.run(people(needed("call:1", tool="lookUp")))
    assert people.hitl is None


def test_what_nobody_decided_is_said() -> None:
    people = Consultations(no_person, lambda event: None)
    denied = asyncio.run(people(needed("call:1", tool="lookUp")))
    assert not denied.approved
    assert people.hitl is not None
    assert not people.hitl.auto_approved
    results = [{"tool": "a"}, {"tool": "b"}]
    asked = needed("evidence.1", ItemKind.EVIDENCE, results=results)
    assert not asyncio.run(people(asked)).approved
    assert not people.hitl.auto_approved


def test_what_the_owner_has_approved_without_a_person_is_said() -> None:
    people = Consultations(
        Person(lambda needed: unanswered(needed, approve=True)).ask, lambda event: None
    )
    results = [{"tool": "a"}, {"tool": "b"}]
    asked = needed("evidence.1", ItemKind.EVIDENCE, results=results)
    kept: Decision = asyncio.run(people(asked))
    assert people.hitl is not None
    assert people.hitl.auto_approved
    assert kept.choice == {"results": [0, 1]}
