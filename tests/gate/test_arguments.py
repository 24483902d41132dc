from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.timing import timed
from veridical.gate import KnownValues, trace_arguments
from veridical.gate.arguments import ValueKind

TODAY = date(2026, 3, 10)


def _known(*said: str, results: Any = ()) -> KnownValues:
    known = KnownValues(today=TODAY)
    for text in said:
        known.add_text(text)
    for result in results:
        known.add_result(result)
    return known


QUESTION = "Please cancel order RX-20417 of mara@fjord.ch from 4 May, paid 1'234.50 CHF."
RESULT = {"order": {"id": "RX-20417", "card": "credit_card_5521", "total": 310, "fee": 45.5}}


@pytest.mark.parametrize(
    "arguments",
    [
        {"orderId": "RX-20417"},
        {"order_id": "rx20417"},
        {"email": "Mara@fjord.ch"},
        {"date": "2026-05-04"},
        {"amount": 1234.5},
        {"paymentId": "credit_card_5521"},
        {"amount": 355.5},
        {"amount": 264.5},
        {"amount": 620},
        {"limit": 100, "offset": 2000},
        {"status": "cancelled", "dryRun": True, "note": None},
        {"tableName": "Orders2024", "fields": ["id1"], "op": "=", "groupBy": ["abc123"]},
        {"filters": [{"field": "year", "op": "=", "value": 2026}]},
        {"sql": "SELECT sum(total) FROM orders2 WHERE id = 'RX-20417' AND total > 310 LIMIT 50"},
        {"note": "customer wants order RX-20417 cancelled"},
    ],
    ids=str,
)
def test_what_somebody_named_is_traced(arguments: dict[str, Any]) -> None:
    assert trace_arguments(arguments, _known(QUESTION, results=[RESULT])) == ()


@pytest.mark.parametrize(
    ("arguments", "kind", "path"),
    [
        ({"orderId": "RX-20418"}, ValueKind.IDENTIFIER, "orderId"),
        ({"email": "mara@fjord.com"}, ValueKind.EMAIL, "email"),
        ({"link": "https://fjord.example.net/x"}, ValueKind.URL, "link"),
        ({"date": "2026-05-06"}, ValueKind.DATE, "date"),
        ({"payment": [{"id": "credit_card_5522"}]}, ValueKind.IDENTIFIER, "payment[0].id"),
        ({"amount": 771.3}, ValueKind.AMOUNT, "amount"),
        ({"accountNumber": "884213"}, ValueKind.IDENTIFIER, "accountNumber"),
        ({"sql": "SELECT 1 FROM t WHERE id = 'RX-99999'"}, ValueKind.IDENTIFIER, "sql"),
        ({"note": "refund order RX-99999 please"}, ValueKind.IDENTIFIER, "note"),
    ],
    ids=str,
)
def test_what_nobody_named_is_flagged(arguments: Any, kind: ValueKind, path: str) -> None:
    (found,) = trace_arguments(arguments, _known(QUESTION, results=[RESULT]))
    assert (found.kind, found.path) == (kind, path)


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("on 31.12.2025", "2025-12-31"),
        ("on December 31, 2025", "2025-12-31"),
        ("am 31. Dezember 2025", "2025-12-31"),
        ("2025年12月31日", "2025-12-31"),
        ("on May 4th", "2026-05-04"),
        ("am 4. Mai", "2026-05-04"),
        ("5月4日", "2026-05-04"),
        ("tomorrow", "2026-03-11"),
        ("übermorgen", "2026-03-12"),
        ("昨天", "2026-03-09"),
        ("next Friday", "2026-03-13"),
        ("in 3 days", "2026-03-13"),
        ("vor 2 Wochen", "2026-02-24"),
        ("in Q1 2025", "2025-03-31"),
        ("between May 4 and May 9", "2026-05-06"),
    ],
)
def test_days_are_known_in_any_spelling(said: str, day: str) -> None:
    assert trace_arguments({"date": day}, _known(said)) == ()
    assert trace_arguments({"date": "2019-08-17"}, _known(said))


@pytest.mark.parametrize(
    "said", ["the day after my flight", "one day later", "einen Tag später", "次日", "next day"]
)
def test_a_day_may_be_moved(said: str) -> None:
    known = _known(f"I fly on May 4. Change it to {said}.")
    assert trace_arguments({"date": "2026-05-05"}, known) == ()
    assert trace_arguments({"date": "2026-05-07"}, known)


def test_an_error_that_echoes_a_made_up_value_vouches_for_nothing() -> None:
    known = _known("Cancel my order.")
    call = {"orderId": "RX-77777"}
    known.add_result("Error: order RX-77777 not found, total price is 305", call, success=False)
    assert trace_arguments(call, known)
    assert trace_arguments({"amount": 305}, known) == ()


def test_a_calculator_launders_nothing() -> None:
    known = _known("I paid 310.")
    known.add_result("99771.0", {"expression": "99871 - 100"})
    assert trace_arguments({"amount": 99771}, known)
    known.add_result("210.0", {"expression": "310 - 100"})
    assert trace_arguments({"amount": 210}, known) == ()


def test_words_of_the_ontology_are_known() -> None:
    known = KnownValues()
    known.add_words(["account1020", "VAT-81"])
    assert trace_arguments({"accountId": "account1020", "code": "vat81"}, known) == ()


def test_a_check_takes_microseconds() -> None:
    known = _known(
        QUESTION, results=[{"rows": [{"id": f"K-{n}", "v": n * 1.5} for n in range(300)]}]
    )
    call = {"orderId": "RX-20417", "items": [{"id": "K-12", "amount": 18.0}], "date": "2026-05-04"}
    _, took = timed(lambda: [trace_arguments(call, known) for _ in range(200)])
    assert took / 200 < 0.001


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(_JSON, _JSON, st.text())
def test_it_never_raises(arguments: Any, result: Any, text: str) -> None:
    known = KnownValues(today=TODAY)
    known.add_text(text)
    known.add_result(result)
    known.add_result(result, {"x": arguments}, success=False)
    assert isinstance(trace_arguments(arguments, known), tuple)


@given(_JSON)
def test_what_a_result_brought_is_known(result: Any) -> None:
    known = KnownValues()
    known.add_result(result)
    assert [each for each in trace_arguments(result, known) if each.kind is ValueKind.AMOUNT] == []
