"""How a question is to be answered, it alone says: no earlier question changes the verdict."""

from dataclasses import replace
from typing import Any

import pytest

from tests.defects.staff import asked, staff
from veridical import gate
from veridical.answering.feature import Feature
from veridical.contracts.proof import Finding, GateCode, Verdict
from veridical.contracts.question import Turn
from veridical.evidence.exhibit import Exhibit
from veridical.testing.script import Line

__all__ = ["staff"]

CITIES = (("Bern", 1200.5), ("Basel", 900.0), ("Chur", 410.25))
WHOLE = Exhibit(columns=("city", "sales"), rows=CITIES, row_count=3)
CUT = replace(WHOLE, row_count=9, truncated=True)
LISTED = "Sales by city:\n- Bern: 1,200.50\n- Basel: 900.00\n- Chur: 410.25"
TWO = "All cities: Bern 1,200.50 and Basel 900.00."
EARLIER = (
    "",
    "Which are the first 3 cities?",
    "Nur die grössten zwei Städte bitte",
    "Show me all cities",
    "Are there any sales in Geneva?",
    "Hat Bern mehr als 1'000 verkauft?",
    "哪两个城市最大？",
)
CASES = (
    (LISTED, CUT, "What are the sales by city?"),
    (LISTED, CUT, "Which are the first 3 cities?"),
    (LISTED, CUT, "Show me all cities"),
    (TWO, WHOLE, "Please list the cities"),
    ("There are none.", WHOLE, "Please list the cities"),
    ("Yes, that is right.", WHOLE, "Bern sold 1,300.00?"),
)


def _verdict(said: str, exhibit: Exhibit, **more: Any) -> tuple[Verdict, tuple[Finding, ...]]:
    proof = gate.check(said, (exhibit,), **more)
    return proof.verdict, proof.findings


@pytest.mark.parametrize(("said", "exhibit", "question"), CASES)
@pytest.mark.parametrize("earlier", EARLIER)
def test_g7_an_earlier_question_changes_no_verdict(
    said: str, exhibit: Exhibit, question: str, earlier: str
) -> None:
    alone = _verdict(said, exhibit, question=question)
    after = _verdict(said, exhibit, question=question, earlier=earlier)
    assert after == alone


def test_g7_a_cut_list_is_no_whole_one_whatever_was_asked_before() -> None:
    asked = {"question": "What are the sales by city?", "earlier": "The first 3 cities?"}
    verdict, findings = _verdict(LISTED, CUT, **asked)
    assert verdict is Verdict.BLOCK
    assert {each.code for each in findings} == {GateCode.TRUNCATION_NOT_SAID}


def test_g7_what_a_question_leaves_out_was_said_before() -> None:
    """Names and times of earlier questions are still known."""
    said = "Geneva Trading AG is not in this list; Bern sold 1,200.50."
    question, earlier = "And the others?", "What did Geneva Trading AG sell?"
    assert _verdict(said, WHOLE, question=question, earlier=earlier)[0] is not Verdict.BLOCK


@pytest.mark.parametrize("earlier", ["Which are the top 3 staff?", "Who are all our staff?"])
def test_g7_the_flow_judges_a_question_by_itself(staff: Feature, earlier: str) -> None:
    arguments = {"tableName": "staff", "fields": ["name", "salary"], "limit": 3}
    told = "Salaries: Erika Mustermann 81,250.50, Jonas Weber 74,100.00, Mia Brunner 69,900.00."
    question = "Please explain to me what our staff earn"
    turn = Turn(question=earlier, answer="Erika Mustermann and Jonas Weber.")
    cut: list[Line] = [[("queryTable", arguments)], told, told, told]
    alone, _ = asked(staff, question, *cut)
    after, _ = asked(staff, question, *cut, thread=(turn,))
    assert after.sources[0].receipt.truncated
    assert (after.text, after.kind) == (alone.text, alone.kind)
