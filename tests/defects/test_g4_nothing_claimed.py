"""What claims nothing is not shown as proven, and that there is nothing needs a result that says
so."""

from typing import Any

import pytest

from tests.defects.staff import asked, sql, staff
from veridical import gate
from veridical.answering.feature import Feature
from veridical.cli.answer_view import show_answer
from veridical.console.answer_view import answer_view
from veridical.contracts.answer import AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode, Standing, Verdict
from veridical.messages import message

__all__ = ["staff"]

ROWS = [{"month": "2025-11", "amount": 33360.75}, {"month": "2025-12", "amount": 41870.5}]
QUESTION = "Is the amount of December 2025 above 500,000?"
EMPTY_HANDED = (
    ("I do not know.", Language.EN),
    ("Das weiss ich leider nicht.", Language.DE),
    ("我不知道。", Language.ZH),
    ("You asked whether the amount of December 2025 is above 500,000. I do not know.", Language.EN),
    ("Whether the amount of December 2025 is above 500,000 I do not know.", Language.EN),
)


@pytest.mark.parametrize(("said", "language"), EMPTY_HANDED)
@pytest.mark.parametrize("rows", [ROWS, [], ()])
def test_g4_what_claims_nothing_proves_nothing(said: str, language: Language, rows: Any) -> None:
    proof = gate.check(said, rows, question=QUESTION, language=language)
    assert not proof.proves
    assert not any(each.standing is Standing.GROUNDED for each in proof.claims)
    assert gate.friendly(proof, language) != message("gate.friendly_PASS", language)
    passed = message("gate.verdict_pass", language)
    assert gate.as_text(proof, language).splitlines()[0] != passed
    assert f'<p class="verdict">{passed}</p>' not in gate.as_html(proof, said, language)


def test_g4_a_figure_of_the_question_is_not_proven_by_it() -> None:
    said = "The amount of December 2025 is 41,870.50, which is not above 500,000."
    proof = gate.check(said, ROWS, question=QUESTION)
    standing = {each.text: each.standing for each in proof.claims}
    assert standing["500,000"] is not Standing.GROUNDED
    assert standing["41,870.50"] is Standing.GROUNDED
    assert proof.proves


@pytest.mark.parametrize(
    "said",
    [
        "This value does not exist.",
        "The amount of December 2025 does not exist.",
        "There is none in December 2025.",
        "Im Dezember 2025 gibt es keine.",
    ],
)
def test_g4_that_there_is_nothing_needs_a_result_that_says_so(said: str) -> None:
    question = "What was the amount of December 2025?"
    held_back = gate.check(said, ROWS, question=question)
    assert held_back.is_marked
    assert GateCode.EMPTINESS_MISREPORTED in {each.code for each in held_back.findings}
    for empty in ([], [{"month": "2025-12", "invoices": 0}]):
        shown = gate.check(said, empty, question=question)
        assert shown.verdict is not Verdict.BLOCK, shown.findings


@pytest.mark.parametrize("said", ["I do not know.", "Sorry, I can't say."])
def test_g4_an_agent_that_does_not_know_has_not_answered(
    staff: Feature, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    call = sql("SELECT month, amount FROM invoices ORDER BY month")
    question = "Please explain the amount of 500,000 in December 2025"
    given, _ = asked(staff, question, [call], said, said, said)
    assert given.kind is AnswerKind.UNKNOWN
    assert not given.ok
    view = answer_view(given)
    assert not view.trust.is_proven
    assert view.verdict == message("gate.verdict_nothing", Language.EN)
    show_answer(given, proof=True)
    assert "PASS" not in capsys.readouterr().out.upper()


def test_g4_what_a_result_supports_is_still_proven(staff: Feature) -> None:
    call = sql("SELECT month, amount FROM invoices ORDER BY month")
    said = "In December 2025 the amount was 41,870.50."
    given, _ = asked(staff, "Please explain the amount of December 2025", [call], said)
    assert given.ok
    view = answer_view(given)
    assert view.trust.figures >= 1
    assert view.verdict == message("gate.verdict_pass", Language.EN)
