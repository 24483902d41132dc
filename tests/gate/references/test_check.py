"""A referenced answer is checked without ever raising, and says what stands behind each claim."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from veridical.contracts.language import Language
from veridical.gate.prover.claim import Stand
from veridical.gate.references.check import check_referenced

pytestmark = pytest.mark.slow

EVIDENCE = [
    {"region": "North", "revenue_eur": 1200.5, "orders": 31},
    {"region": "South", "revenue_eur": 830.0, "orders": 54},
]
PIECES = st.sampled_from(
    [
        "{r1[North]}", "{r1[South].orders}", "[[r1[North] = top(r1.orders) | most]]", "{", "}}",
        "<<x in r1: - {x}: {x.orders}>>", "[[", "|", "]]", "<<", ">>", "\n", "---", "a = r1[#1]\n",
        "{a}", "{q: North}", "{sum(r1.revenue_eur) : m}", "{r1 : %}", "more", "12", "½", "二个",
        "{r1[North] as Nord}", "{count(r1) : w}", "[[all(r1.orders > 3) | all]]", "{1/0}",
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=12).map(" ".join), st.sampled_from(list(Language)))
@settings(max_examples=examples(200), deadline=None)
def test_no_text_breaks_the_check(text: str, language: Language) -> None:
    answer = check_referenced(text, EVIDENCE, "How many orders?", language)
    assert answer == check_referenced(text, EVIDENCE, "How many orders?", language)
    assert all(0 <= claim.start <= claim.end <= len(answer.shown) for claim in answer.claims)
    assert answer.ok is (not answer.message(language))


@given(st.text(max_size=120))
@settings(max_examples=examples(200), deadline=None)
def test_any_text_at_all(text: str) -> None:
    check_referenced(text, EVIDENCE, text, Language.EN)


def test_a_claim_says_its_expression_and_its_cells() -> None:
    text = "{r1[South]} had [[r1[South] = top(r1.orders) | the most orders]], {r1[South].orders}."
    answer = check_referenced(text, EVIDENCE, "Who had the most orders?", "en")
    assert answer.ok
    figure = next(claim for claim in answer.claims if claim.expression == "r1[South].orders")
    assert answer.shown[figure.start : figure.end] == figure.text == "54"
    assert [(cell.row, cell.column) for cell in figure.cells] == [(1, 2)]
    assert "orders" in figure.words
    assert {claim.stand for claim in answer.claims} == {Stand.PROVEN}


def test_what_the_evidence_speaks_against_is_contradicted() -> None:
    text = "{r1[North]} had [[r1[North] = top(r1.orders) | the most orders]]."
    answer = check_referenced(text, EVIDENCE, "Who had the most orders?", "en")
    assert Stand.CONTRADICTED in {claim.stand for claim in answer.claims}
