"""The people of one run: what is told of them, what is remembered."""

import asyncio

import pytest

from tests.agent.people import Person, decision, denying
from veridical.agent.consultation import Consultations, UnboundDecisionError
from veridical.contracts.person import Decision, ItemKind, PersonNeeded, no_person, unanswered
from veridical.contracts.trace import PersonAsked, PersonDecided

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
