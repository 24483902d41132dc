"""Green is withheld where a binding is not certain."""

import pytest

from veridical import gate
from veridical.contracts.proof import Proof, ProvenClaim, Tick, Verdict

SHOPS = [
    {"shop": "Harbour", "revenue_eur": 48210.5, "orders": 613, "waste_pct": 4.1},
    {"shop": "Old Town", "revenue_eur": 61877.25, "orders": 702, "waste_pct": 2.9},
    {"shop": "Station", "revenue_eur": 55340.0, "orders": 655, "waste_pct": 6.3},
]
MONTHS = [
    {"month": "2025-01", "visits": 4128},
    {"month": "2025-02", "visits": 6631},
    {"month": "2025-03", "visits": 5247},
]


def ticks(answer: str, evidence: object = SHOPS, question: str = "") -> dict[str, Tick]:
    proof = gate.check(answer, evidence, question=question)
    return {claim.text: claim.tick for claim in proof.claims}


def test_a_true_answer_is_green_throughout() -> None:
    proof = gate.check("Harbour took €48,210.50 and Station €55,340.00.", SHOPS)
    assert {claim.tick for claim in proof.claims} == {Tick.PROVEN}
    assert (proof.verdict, proof.is_marked) == (Verdict.PASS, False)


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("Harbour took €55,340.00.", "€55,340.00"),
        ("Old Town had the lowest waste, 6.3%.", "6.3%"),
        ("Station had the highest revenue, €55,340.00.", "highest"),
        ("Harbour took €48,210.50, which is a record for us.", "which is a record for us."),
        ("Only Harbour took €48,210.50.", "Only"),
        ("Station took €55,340.00, more than half of it all.", "half"),
        ("Harbour grew.", "grew"),
        ("Yes, that is true.", "Yes, that is true."),
        ("Petra Moser took €48,210.50.", "Petra Moser"),
    ],
)
def test_what_no_binding_shows_is_not_green(answer: str, wrong: str) -> None:
    proof = gate.check(answer, SHOPS, question="How did the shops do?")
    open_claims = [claim.text for claim in proof.claims if claim.tick is not Tick.PROVEN]
    assert wrong in open_claims
    assert proof.ok  # shown, with marks
    assert proof.is_marked


def test_a_time_is_shown_by_the_figure_beside_it() -> None:
    assert ticks("Visits were 6,631 in February 2025.", MONTHS)["February 2025"] is Tick.PROVEN
    assert ticks("Visits were 6,631 in March 2025.", MONTHS)["March 2025"] is Tick.UNPROVEN


def test_whoever_is_named_in_reply_must_be_at_the_end_that_is_asked_for() -> None:
    question = "Which shop had the highest revenue?"
    told = "{} took {} in all."
    right = ticks(told.format("Old Town", "€61,877.25"), question=question)
    assert right["€61,877.25"] is Tick.PROVEN
    wrong = ticks(told.format("Station", "€55,340.00"), question=question)
    assert wrong["€55,340.00"] is Tick.UNPROVEN


def test_a_sum_over_currencies_proves_nothing() -> None:
    rows = [
        {"client": "Alder", "open": 100.5, "currency": "CHF"},
        {"client": "Birch", "open": 200.25, "currency": "EUR"},
    ]
    assert ticks("Together they owe 300.75.", rows)["300.75"] is Tick.UNPROVEN


def test_a_count_under_a_coined_name_proves_nothing() -> None:
    result = {"success": True, "tool": "sql", "data": {"columns": ["ruined"], "rows": [[38]]}}
    coined = {**result, "arguments": {"sql": "SELECT COUNT(*) AS ruined FROM contact"}}
    assert ticks("38 were ruined.", coined)["38"] is Tick.UNPROVEN
    named = {
        **result,
        "data": {"columns": ["contacts"], "rows": [[38]]},
        "arguments": {"sql": "SELECT COUNT(*) AS contacts FROM contact"},
    }
    assert ticks("We keep 38 contacts.", named)["38"] is Tick.PROVEN


def test_a_cut_result_is_no_whole() -> None:
    cut = {"columns": ["shop", "orders"], "rows": [["A", 5], ["B", 7]], "truncated": True}
    proof = gate.check("There are 12 orders in total.", cut)
    assert {claim.tick for claim in proof.claims if claim.text == "12"} <= {Tick.UNPROVEN}


def test_without_evidence_nothing_is_green_and_nothing_is_held_back() -> None:
    proof = gate.check("Harbour took €48,210.50.", None)
    assert proof.verdict is Verdict.WARN
    assert Tick.PROVEN not in {claim.tick for claim in proof.claims}


def test_the_tick_crosses_the_border_and_comes_back() -> None:
    proof = gate.check("Harbour took €48,210.50 and 7,777 rolls.", SHOPS)
    told = proof.model_dump(mode="json", by_alias=True)
    assert {each["tick"] for each in told["claims"]} == {"proven", "unproven"}
    assert Proof.model_validate(told) == proof
    assert ProvenClaim.model_validate(told["claims"][0]) == proof.claims[0]
