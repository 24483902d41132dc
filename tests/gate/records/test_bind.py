"""Which record a sentence speaks of, and what is no statement at all."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.gate.lexicons import GENERAL, domain
from veridical import gate
from veridical.contracts.proof import ClaimKind, GateCode, Standing, Verdict
from veridical.gate.evidence.evidence import prepare
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.records.bind import bind_records

HOSPITALITY = domain("hospitality")
ROOMS = [
    {"name": "Room Alpha", "projector": True, "whiteboard": False},
    {"name": "Room Beta", "projector": False, "whiteboard": None},
]
INVOICES = Exhibit(
    columns=("invoice", "amount", "isPaid"),
    rows=(("INV-1001", 250.0, True), ("INV-1002", 90.0, False), ("INV-1003", 10.0, None)),
)


def standings(text: str, *exhibits: Exhibit) -> list[Standing]:
    return [bound.standing for bound in bind_records(text, prepare(exhibits), GENERAL)]


def test_a_list_of_records_needs_a_name() -> None:
    rooms = Exhibit(record=ROOMS)
    assert standings("Room Alpha has a projector.", rooms) == [Standing.GROUNDED]
    assert standings("Room Beta has a projector.", rooms) == [Standing.CONTRADICTED]
    assert standings("Room Alpha is large. It has a whiteboard.", rooms) == [Standing.CONTRADICTED]
    assert standings("Room Beta has a whiteboard.", rooms) == [Standing.UNGROUNDED]
    assert standings("There is a projector.", rooms) == []
    assert standings("Room Alpha and Room Beta have a projector.", rooms) == []


def test_rows_with_flags_are_records() -> None:
    assert standings("Invoice INV-1001 is paid.", INVOICES) == [Standing.GROUNDED]
    assert standings("Invoice INV-1002 is paid.", INVOICES) == [Standing.CONTRADICTED]
    assert standings("Invoice INV-1002 is unpaid.", INVOICES) == [Standing.GROUNDED]
    assert standings("Die Rechnung INV-1001 ist nicht bezahlt.", INVOICES) == [
        Standing.CONTRADICTED
    ]
    assert standings("发票 INV-1002 已付款。", INVOICES) == [Standing.CONTRADICTED]


def test_tables_without_flags_cost_nothing() -> None:
    table = Exhibit(columns=("name", "amount"), rows=(("North", 1.0), ("South", 2.0)))
    assert standings("North has parking.", table) == []


def test_questions_and_requests_state_nothing() -> None:
    room = Exhibit(record=ROOMS[1])
    assert standings("Do you need a projector?", room) == []
    assert standings("I can bring a projector.", room) == []
    assert standings("Projector: yes\n\nShall I go on?", room) == []


def test_a_record_without_running_text_is_not_asked_for_offers() -> None:
    assert standings("The room offers catering, soups and sofas.", Exhibit(record=ROOMS[0])) == []


def test_the_figures_of_opening_hours_are_no_amounts() -> None:
    record: dict[str, Any] = {
        "name": "Bean",
        "hours": {"Monday": "8:0-16:0", "Tuesday": "8:0-16:0", "Friday": "8:0-14:0"},
    }
    good = gate.check(
        "Bean is open Monday and Tuesday from 8 am to 4 pm.",
        [Exhibit(record=record)],
        policy="wordings",
    )
    assert good.verdict is Verdict.PASS
    wrong = gate.check(
        "Bean is open on Friday from 8 am to 4 pm.", [Exhibit(record=record)], policy="wordings"
    )
    assert wrong.verdict is Verdict.BLOCK
    assert {finding.code for finding in wrong.findings} == {GateCode.CONTRADICTED_CLAIM}
    assert "Fri 8:0-14:0" in wrong.findings[0].nearest


@given(st.text(max_size=200))
def test_any_text_is_held_without_error(text: str) -> None:
    for bound in bind_records(text, prepare([Exhibit(record=ROOMS[0])]), GENERAL):
        assert bound.claim.kind is ClaimKind.FACT
        assert text[bound.claim.start : bound.claim.end] == bound.claim.text


@given(
    st.recursive(
        st.none() | st.booleans() | st.text(max_size=20) | st.integers(),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=4)
        ),
        max_leaves=12,
    )
)
def test_any_record_is_read_without_error(record: Any) -> None:
    text = "It has a pool, no gym and is open daily from 9 to 5 pm."
    for bound in bind_records(text, prepare([Exhibit(record=record)]), HOSPITALITY):
        assert bound.claim.kind is ClaimKind.FACT
        assert text[bound.claim.start : bound.claim.end] == bound.claim.text
