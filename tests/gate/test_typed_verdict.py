"""The gate by typed evidence: what the run knows counts, and nothing is contradicted by guess."""

from typing import Any

import pytest

from tests.gate.strictly import strictly
from veridical import gate
from veridical.contracts.proof import GateCode, Standing, Verdict
from veridical.contracts.result import ToolRun
from veridical.gate.prove import prove
from veridical.gate.prover.words import OWN_WORDS

ROWS = [
    {"region": "North", "revenue_eur": 48210.5, "orders": 613},
    {"region": "South", "revenue_eur": 31500.0, "orders": 479},
]
ROUTES = [{"route": "A", "duration_min": 125}, {"route": "B", "duration_min": 90}]
REGIONS = [{"地区": "华东", "收入": 100}, {"地区": "华南", "收入": 80}]


def codes(answer: str, evidence: Any, **given: Any) -> list[GateCode]:
    return [finding.code for finding in gate.check(answer, evidence, **given).findings]


def test_another_thing_of_the_same_noun_is_unproven_and_not_contradicted() -> None:
    proof = gate.check("North made €48,210.50, and 12 orders were returned.", ROWS)
    assert proof.verdict is Verdict.WARN
    assert [claim.standing for claim in proof.claims if claim.text == "12"] == [Standing.UNGROUNDED]


@pytest.mark.parametrize("answer", ["North had 12 orders.", "North: 12 orders"])
def test_the_other_figure_of_the_row_that_is_named_contradicts(answer: str) -> None:
    assert strictly(answer, ROWS).verdict is Verdict.BLOCK


@pytest.mark.parametrize("evidence", [None, (), []])
def test_a_figure_without_any_evidence_is_told_of(evidence: Any) -> None:
    found = gate.check("Revenue was €4,000.", evidence)
    empty = GateCode.EMPTINESS_MISREPORTED if evidence == [] else GateCode.NO_EVIDENCE
    assert empty in [finding.code for finding in found.findings]
    assert found.verdict is (Verdict.BLOCK if evidence == [] else Verdict.WARN)


def test_a_failed_call_and_a_missing_tool_count() -> None:
    failed = (ToolRun(tool="lookup", success=False, error="timeout"),)
    answer = "North made €48,210.50."
    assert GateCode.AFTER_TOOL_ERROR in codes(answer, ROWS, runs=failed)
    assert codes(answer, ROWS, required_tools=("audit",)) == [GateCode.REQUIRED_TOOL_MISSING]
    assert codes(answer, ROWS, policy="off", runs=failed, required_tools=("audit",)) == []


def test_a_cut_result_is_not_told_as_the_whole() -> None:
    cut = {"columns": ["region", "orders"], "rows": [["North", 3], ["South", 4]], "truncated": True}
    assert not strictly("There are 2 regions.", cut).ok
    assert GateCode.TRUNCATION_NOT_SAID in codes("That is the complete list.", cut)


def test_a_time_that_was_asked_for_is_no_data() -> None:
    question = "Which orders came on 1 July?"
    found = codes("There were no orders on 1 July.", [], question=question)
    assert GateCode.EMPTINESS_MISREPORTED not in found


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Route A dauert 2 Std. 5 Min.", Verdict.PASS),
        ("Route A dauert 2 Std. 5 Min", Verdict.PASS),
        ("Route A dauert 2 Std. 6 Min.", Verdict.BLOCK),
    ],
)
def test_hours_and_minutes_may_be_shortened(answer: str, verdict: Verdict) -> None:
    assert strictly(answer, ROUTES).verdict is verdict


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("收入最高的是华东。", Verdict.PASS),
        ("收入最高的不是华东。", Verdict.BLOCK),
        ("华东并没有最高的收入。", Verdict.BLOCK),
    ],
)
def test_a_denial_in_chinese_is_one(answer: str, verdict: Verdict) -> None:
    assert strictly(answer, REGIONS).verdict is verdict


@pytest.mark.parametrize(
    ("column", "answer"),
    [
        ("Umsatz in Tausend EUR", "North: 48,2 Tsd. EUR"),
        ("Umsatz (Tausend EUR)", "North erzielte 48'200 EUR."),
    ],
)
def test_a_column_in_tausend_is_in_thousands(column: str, answer: str) -> None:
    rows = [{"Region": "North", column: 48.2}, {"Region": "South", column: 31.5}]
    assert strictly(answer, rows).verdict is Verdict.PASS


def test_figures_of_a_page_are_typed() -> None:
    page = (
        "For the years 2019 and 2018, in millions\n\n2019\n2018\nRevenue\n166\n178\nCost\n57\n44\n"
    )
    assert strictly("Revenue was 166 million in 2019.", page).ok
    assert not strictly("Revenue was 167 million in 2019.", page).ok


def test_an_amount_is_in_the_currency_of_its_row() -> None:
    rows = [
        {"account": "1020", "currency": "CHF", "balance": 889300.18},
        {"account": "1022", "currency": "EUR", "balance": 41.5},
    ]
    assert strictly("Account 1022: EUR 41.50", rows).ok
    assert not strictly("Account 1022: CHF 41.50", rows).ok


REVIEWS = {
    "name": "Blue Fin",
    "reviews": [
        {
            "stars": 2,
            "text": "We were charged twice, a total of $411.08 instead of the bill for $86.",
        },
        {
            "stars": 5,
            "text": "The best seafood in town, and the staff was kind to our large group.",
        },
    ],
}


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("One guest was charged $411.08 instead of $86.", Verdict.PASS),
        ("One guest was charged $412.08 instead of $86.", Verdict.BLOCK),
        ("Another praised the best seafood in town. A third guest liked the staff.", Verdict.PASS),
    ],
)
def test_what_a_text_of_the_evidence_says_may_be_repeated(answer: str, verdict: Verdict) -> None:
    wrong = [each for each in prove(answer, REVIEWS).wrong if each.kind != OWN_WORDS]
    assert bool(wrong) is (verdict is Verdict.BLOCK)
