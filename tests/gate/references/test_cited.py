"""A referenced answer may quote a document: both halves are proven, each by its own evidence."""

import pytest

from veridical.contracts.chunk import Chunk
from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode, Ground, Proof, Standing, Verdict
from veridical.gate.policy import Policy, ProofPolicy
from veridical.gate.references.verdict import JudgedReferences, check_references
from veridical.gate.shapes import read_material

ROWS = [{"region": "North", "sales": 700}, {"region": "South", "sales": 500}]
POLICY = Chunk(id="doc-4#1", text="No region may sell less than 600 units. Reports are due in May.")
OTHER = Chunk(id="doc-5#1", text="Trains are taken in second class.")
FIGURE = "n = top(r1.sales)\n---\n**{n}** had [[n = top(r1.sales) | the highest sales]], {n.sales}."
QUOTED = " The rule: “No region may sell less than 600 units.” [doc-4#1]"


def checked(text: str, rows: object = ROWS) -> JudgedReferences:
    return check_references(
        text,
        read_material(rows).exhibits if rows else (),
        question="Which region had the highest sales, and what does the policy say?",
        language=Language.EN,
        policy=Policy(policy=ProofPolicy.WORDINGS),
        chunks=(POLICY, OTHER),
    )


def codes(proof: Proof) -> set[GateCode]:
    return {each.code for each in proof.findings}


def test_both_halves_are_shown_and_proven() -> None:
    judged = checked(FIGURE + QUOTED)
    assert judged.proof.verdict is Verdict.PASS, judged.proof.findings
    assert judged.shown == "**North** had the highest sales, 700." + QUOTED
    bound = [each.binding for each in judged.proof.claims if each.binding]
    assert {each.ground for each in bound} == {Ground.DERIVATION, Ground.PASSAGE}
    for claim in judged.proof.claims:
        assert judged.shown[claim.start : claim.end] == claim.text
        assert claim.standing is Standing.GROUNDED


def test_what_stands_behind_a_quotation_keeps_its_place() -> None:
    judged = checked(
        "“Trains are taken in second class.” [doc-5#1] {top(r1.sales).sales} were sold."
    )
    for claim in judged.proof.claims:
        assert judged.shown[claim.start : claim.end] == claim.text


@pytest.mark.parametrize(
    ("quoted", "code"),
    [
        (QUOTED.replace("600", "650"), GateCode.ALTERED_QUOTATION),
        (QUOTED.replace("doc-4", "doc-5"), GateCode.MISCITED_QUOTATION),
        (QUOTED.replace("doc-4#1", "doc-9#1"), GateCode.UNKNOWN_CITATION),
        (" At least 650 must be sold [doc-4#1].", GateCode.NOT_IN_CITATION),
    ],
)
def test_a_wrong_quotation_is_held_back(quoted: str, code: GateCode) -> None:
    judged = checked(FIGURE + quoted)
    assert judged.proof.verdict is Verdict.BLOCK
    assert code in codes(judged.proof)


def test_a_figure_that_is_typed_without_a_citation_is_held_back() -> None:
    assert checked(FIGURE + " At least 600 must be sold.").proof.verdict is Verdict.BLOCK


def test_a_reference_within_a_cited_sentence_is_never_shown_as_it_was_written() -> None:
    judged = checked(FIGURE + " It sold {n.sales}, as the policy asks [doc-4#1].")
    assert "{" not in judged.shown


def test_without_documents_nothing_changes() -> None:
    plain = check_references(
        FIGURE,
        read_material(ROWS).exhibits,
        question="Which region had the highest sales?",
        language=Language.EN,
        policy=Policy(policy=ProofPolicy.WORDINGS),
    )
    assert plain.proof.verdict is Verdict.PASS
    assert checked(FIGURE).shown == plain.shown
