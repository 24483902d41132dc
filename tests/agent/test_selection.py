"""Which results an answer may rest on."""

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tests.agent.people import Person, decision, denying
from tests.agent.scripted_tools import receipt
from veridical.agent.request import LoopOutcome
from veridical.agent.selection import EVIDENCE_DENIED, MOST_ROWS_SHOWN, Selection
from veridical.contracts.answer import AnswerKind, Source
from veridical.contracts.language import Language
from veridical.contracts.person import AskPerson

CELLS = some.one_of(some.none(), some.integers(0, 3), some.sampled_from(["", "a", "ä", 0.5, 2.0]))
ROWS = some.lists(some.tuples(CELLS, CELLS), max_size=3).map(tuple)


def source(*rows: tuple[Any, ...], tool: str = "queryTable", call: str = "c") -> Source:
    taken = receipt(len(rows)).model_copy(update={"call_id": call})
    columns = ("account", "balance")
    return Source(tool=tool, arguments={"year": 1}, columns=columns, rows=rows, receipt=taken)


def outcome(*sources: Source) -> LoopOutcome:
    return LoopOutcome(AnswerKind.AGENT, "It was 1.", sources)


def selection(ask: AskPerson | None) -> Selection:
    return Selection(ask, "How much?", Language.EN)


def shown_hash(*sources: Source) -> str:
    person = Person()
    asyncio.run(selection(person.ask).of(outcome(*sources), 1.0, 1))
    return person.asked[0].evidence_hash


def test_where_nobody_needs_to_approve_all_may_be_used() -> None:
    given_outcome = outcome(source((1, 2)))
    assert asyncio.run(selection(None).of(given_outcome, 1.0, 1)) is given_outcome


def test_a_person_sees_the_calls_with_their_rows_and_receipts() -> None:
    person = Person()
    many = source(*((place, "x") for place in range(MOST_ROWS_SHOWN + 10)))
    kept = asyncio.run(selection(person.ask).of(outcome(many), 5.0, 2))
    (needed,) = person.asked
    assert (needed.name, needed.at, needed.reversible) == ("evidence.2", 5.0, True)
    assert needed.subject["question"] == "How much?"
    (told,) = needed.subject["results"]
    assert (told["tool"], told["arguments"]) == ("queryTable", {"year": 1})
    assert told["columns"] == ["account", "balance"]
    assert len(told["rows"]) == MOST_ROWS_SHOWN
    assert told["receipt"]["rowCount"] == MOST_ROWS_SHOWN + 10
    assert kept.sources == (many,)


def test_only_the_approved_part_is_left() -> None:
    person = Person(lambda needed: decision(needed, approved=True, results=[1]))
    first, second = source((1, 2)), source((3, 4), tool="aggregateTable")
    chosen = selection(person.ask)
    kept = asyncio.run(chosen.of(outcome(first, second), 1.0, 1))
    assert kept.sources == (second,)
    assert kept.kind is AnswerKind.AGENT
    assert chosen.withheld == ('queryTable {"year": 1}',)


@pytest.mark.parametrize(
    "person", [denying(), Person(lambda needed: decision(needed, approved=True, results=[]))]
)
def test_without_any_evidence_there_is_no_answer(person: Person) -> None:
    kept = asyncio.run(selection(person.ask).of(outcome(source((1, 2))), 1.0, 1))
    assert (kept.kind, kept.sources, kept.reason) == (AnswerKind.UNKNOWN, (), EVIDENCE_DENIED)
    assert "not approved" in kept.text
    assert "1." not in kept.text


def test_what_was_decided_is_not_asked_again() -> None:
    person = Person(lambda needed: decision(needed, approved=True, results=[0]))
    chosen = selection(person.ask)
    approved, denied = source((1, 2)), source((3, 4))
    asyncio.run(chosen.of(outcome(approved, denied), 1.0, 1))
    fetched_again = source((3, 4), call="another")
    kept = asyncio.run(chosen.of(outcome(approved, fetched_again), 2.0, 2))
    assert kept.sources == (approved,)
    new = source((5, 6))
    kept = asyncio.run(chosen.of(outcome(approved, fetched_again, new), 3.0, 3))
    assert kept.sources == (approved, new)
    assert [needed.name for needed in person.asked] == ["evidence.1", "evidence.3"]
    assert len(person.asked[1].subject["results"]) == 1


@given(ROWS, ROWS)
@settings(deadline=None)
def test_other_rows_are_other_evidence(one: Any, other: Any) -> None:
    same = repr(one) == repr(other)
    assert (shown_hash(source(*one)) == shown_hash(source(*other))) is same


def test_a_row_that_is_not_shown_counts_too() -> None:
    rows = [(place, "x") for place in range(MOST_ROWS_SHOWN + 1)]
    changed = [*rows[:-1], (rows[-1][0], "y")]
    assert shown_hash(source(*rows)) != shown_hash(source(*changed))


def test_how_long_a_query_took_is_no_evidence() -> None:
    slow = source((1, 2))
    slower = slow.model_copy(
        update={"receipt": slow.receipt.model_copy(update={"elapsed_ms": 99.0})}
    )
    assert shown_hash(slow) == shown_hash(slower)
