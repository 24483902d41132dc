"""Annotations that prove their text, and those that prove nothing."""

from typing import Any

import pytest

from tests.gate.annotation.annotated_texts import annotated_texts
from veridical.contracts.language import Language
from veridical.contracts.proof import Finding, GateCode, Proof, Standing, Verdict
from veridical.gate.annotation.check import (
    CheckedAnnotation,
    check_annotation,
    is_unproven_only,
)
from veridical.gate.policy import DEFAULT
from veridical.gate.shapes import read_material

ROWS = [
    {"region": "North", "revenue_eur": 1200.5, "orders": 31},
    {"region": "South", "revenue_eur": 830.0, "orders": 54},
]
TEXT = "North  had 31 orders and South\u00a054 orders.\n"
ANNOTATION = "{r1[North]} had {r1[North].orders} orders and {r1[South]} {r1[South].orders} orders."


def checked(
    text: str,
    annotation: str,
    *,
    evidence: Any = ROWS,
    question: str = "How did the regions do?",
    language: Language = Language.EN,
) -> CheckedAnnotation:
    return check_annotation(
        text,
        annotation,
        read_material(evidence).exhibits,
        question=question,
        language=language,
        policy=DEFAULT,
    )


@pytest.mark.parametrize("item", annotated_texts(), ids=lambda item: item.id)
def test_an_honest_annotation_proves_a_true_text(item: Any) -> None:
    found = checked(
        item.text,
        item.annotation,
        evidence=item.evidence,
        question=item.question,
        language=item.language,
    )
    assert found.proof is not None, found.reasons
    assert found.proof.verdict is Verdict.PASS
    assert {claim.standing for claim in found.proof.claims} == {Standing.GROUNDED}


def test_the_proof_is_about_the_places_of_the_text() -> None:
    proof = checked(TEXT, ANNOTATION).proof
    assert proof is not None
    said = [(claim.text, TEXT[claim.start : claim.end]) for claim in proof.claims]
    assert said == [(each, each) for each in ("North", "31", "South", "54")]


@pytest.mark.parametrize(
    ("text", "annotation"),
    [
        pytest.param(TEXT.replace("31", "32"), ANNOTATION, id="another figure"),
        pytest.param(TEXT.replace("31", "31.0"), ANNOTATION, id="more digits"),
        pytest.param(TEXT.replace("31", "311"), ANNOTATION, id="a digit more"),
        pytest.param(TEXT.replace("had", "has"), ANNOTATION, id="another word"),
        pytest.param(TEXT + "Well done.", ANNOTATION, id="more text"),
        pytest.param(TEXT, ANNOTATION + " Well done.", id="more annotation"),
        pytest.param(TEXT, TEXT, id="nothing annotated"),
        pytest.param(TEXT, "", id="nothing at all"),
        pytest.param(
            TEXT.replace("31", "54").replace("South\u00a054", "South 31"),
            "{r1[North]} had {r1[South].orders} orders and {r1[South]} {r1[North].orders} orders.",
            id="swapped",
        ),
        pytest.param(
            "North had 1,200.50 orders.",
            "{r1[North]} had {r1[North].revenue_eur : bare 2} orders.",
            id="another measure",
        ),
    ],
)  # fmt: skip
def test_what_proves_nothing(text: str, annotation: str) -> None:
    found = checked(text, annotation)
    assert found.proof is None
    assert found.reasons


@pytest.mark.parametrize("said", ["{q: 500}", "500"])
def test_a_figure_of_the_question_proves_no_answer(said: str) -> None:
    question = "Did North have 500 orders?"
    text = "{r1[North]} had " + said + " orders."
    found = checked("North had 500 orders.", text, question=question)
    assert found.proof is None
    assert any("500" in reason for reason in found.reasons)


def test_a_year_of_the_question_may_be_repeated() -> None:
    question = "How many orders did North have in 2025?"
    annotation = "In {q: 2025}, {r1[North]} had {r1[North].orders} orders."
    assert checked("In 2025, North had 31 orders.", annotation, question=question).proof


def test_a_condition_must_be_about_what_the_sentence_speaks_of() -> None:
    rows = [{**row, "staff": staff} for row, staff in zip(ROWS, (9, 4), strict=True)]
    text = "South is the smallest, with 54 orders."
    claim = "[[r1[South] = bottom(r1.staff) | the smallest]]"
    told = "{r1[South]} is " + claim + ", with {r1[South].orders} orders."
    found = checked(text, told, evidence=rows)
    assert found.proof is None
    assert any("r1.staff" in reason for reason in found.reasons)


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        pytest.param("r1[South] = top(r1.orders)", "the most", id="another row is"),
        pytest.param("r1[North] = nth(r1.orders, -2)", "the most", id="a rank that is not said"),
        pytest.param("bottom(r1.orders, 2)", "the fewest", id="rows by a rank"),
        pytest.param("r1[North] in r1[orders > 3]", "more", id="a limit that is not said"),
    ],
)
def test_a_condition_must_be_about_what_its_words_say(condition: str, said: str) -> None:
    annotation = "{r1[North]} had {r1[North].orders} orders, [[" + condition + " | " + said + "]]."
    found = checked(f"North had 31 orders, {said}.", annotation)
    assert found.proof is None
    assert any(condition in reason for reason in found.reasons)


def test_a_sentence_without_a_name_goes_on_about_the_row_of_its_figures() -> None:
    question = "How many orders did North have?"
    text = "North had 31 orders. With 31 orders it had the most."
    claim = "[[r1[South] = top(r1.orders) | the most]]"
    told = "{r1[North]} had {r1[North].orders} orders. With {r1[North].orders} orders it had "
    assert checked(text, told + claim + ".", question=question).proof is None


def test_a_ratio_says_its_measures() -> None:
    text = "{r1[North]} had a revenue of {r1[North].revenue_eur / r1[North].orders : 0 bare}."
    found = checked("North had a revenue of 39.", text)
    assert any("r1[North].revenue_eur / r1[North].orders" in each for each in found.reasons)


def test_a_factor_of_ones_own_proves_nothing() -> None:
    found = checked("North had 62 orders.", "{r1[North]} had {r1[North].orders * 2} orders.")
    assert found.proof is None
    assert any("r1[North].orders * 2" in reason for reason in found.reasons)


def _proof(*codes: GateCode) -> Proof:
    findings = tuple(Finding(code=code, hint="") for code in codes)
    return Proof(verdict=Verdict.BLOCK if codes else Verdict.PASS, findings=findings)


def test_only_what_lacks_a_proof_can_be_proven() -> None:
    assert is_unproven_only(_proof(GateCode.UNGROUNDED_CLAIM))
    assert not is_unproven_only(_proof())
    assert not is_unproven_only(_proof(GateCode.UNGROUNDED_CLAIM, GateCode.CONTRADICTED_CLAIM))
    assert not is_unproven_only(_proof(GateCode.TRUNCATION_NOT_SAID))
