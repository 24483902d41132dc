"""Calls that are made only with a person's approval."""

import asyncio
from typing import Any

import pytest

from tests.agent.people import Person, decision, denying
from tests.agent.scripted_tools import SCHEMAS, ScriptedTools
from veridical.agent.approval import CALL_NOT_APPROVED, Reads, permission
from veridical.agent.loop import run_loop
from veridical.agent.request import LoopOutcome, LoopRequest
from veridical.contracts.answer import AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.person import Decision, PersonNeeded, Waiting
from veridical.contracts.result import ToolResult
from veridical.contracts.trace import ToolCalled
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
