"""What a feature's policy makes of an answer: marked, held back, let through."""

import asyncio
from typing import Any

import pytest

from tests.balance_asked import CALL, INVENTED, QUESTION
from tests.sample import ACCOUNTANT, trustee
from veridical.answering.feature import Feature
from veridical.answering.flow import answer
from veridical.answering.session import Session
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode, Standing, Verdict
from veridical.contracts.question import Question
from veridical.contracts.trace import Gated
from veridical.gate.policy import Policy, ProofPolicy
from veridical.gate.proof_marks import SIGN
from veridical.messages import message
from veridical.testing.script import Line, Script
from veridical.trace.recorder import Recorder

__all__ = ["trustee"]
NOTE = message("proof.unproven_note", Language.DE, sign=SIGN)


def asked(
    feature: Feature, policy: ProofPolicy, *lines: Line, question: str = QUESTION
) -> tuple[Answer, list[Verdict]]:
    recorder = Recorder("run")
    session = Session(
        feature,
        ACCOUNTANT,
        Script(lines).model,
        emit=recorder.emit,
        policy=Policy(policy=policy),
    )
    given = asyncio.run(answer(Question(text=question), session))
    judged = [event.verdict for event in recorder.trace.events if isinstance(event, Gated)]
    return given, judged


@pytest.fixture(scope="session")
def balance(trustee: Feature) -> str:
    """The true balance, from the books."""
    row = trustee.toolbox(ACCOUNTANT).call(*CALL).data["rows"][0]
    return f"CHF {float(row[3]):,.2f}".replace(",", "'")


@pytest.mark.parametrize("policy", list(ProofPolicy))
def test_a_true_answer_is_shown_as_it_is(
    trustee: Feature, balance: str, policy: ProofPolicy
) -> None:
    told = f"Konto 1020 stand Ende 2024 bei {balance}."
    given, judged = asked(trustee, policy, [CALL], told)
    assert (given.text, judged) == (told, [Verdict.PASS])
    assert given.proof is not None
    cells = [cell for claim in given.proof.claims if claim.binding for cell in claim.binding.cells]
    assert any(cell.column == "closingBalance" for cell in cells)


def test_what_is_unproven_is_shown_with_a_mark(trustee: Feature, balance: str) -> None:
    told = f"Konto 1020 stand Ende 2024 bei {balance}, das sind 4'711 Buchungen."
    given, judged = asked(trustee, ProofPolicy.MARKED, [CALL], told)
    assert judged == [Verdict.WARN]
    marked = f"Konto 1020 stand Ende 2024 bei {balance}, das sind 4'711{SIGN} Buchungen."
    assert given.text == f"{marked}\n\n{NOTE}"
    assert given.proof is not None
    open_claims = [x for x in given.proof.claims if x.standing is Standing.UNGROUNDED]
    assert [given.text[x.start : x.end] for x in open_claims] == ["4'711"]


def test_what_is_contradicted_is_shown_with_a_mark(trustee: Feature) -> None:
    wrong = "Konto 1020: closingBalance CHF 987'654.32."
    given, judged = asked(trustee, ProofPolicy.MARKED, [CALL], wrong)
    assert judged == [Verdict.WARN]
    assert f"CHF 987'654.32{SIGN}" in given.text
    assert given.text.endswith(NOTE)


def test_what_nobody_read_is_held_back(trustee: Feature) -> None:
    given, judged = asked(trustee, ProofPolicy.MARKED, INVENTED, INVENTED)
    assert judged[:2] == [Verdict.BLOCK, Verdict.BLOCK]
    assert "987'654.32" not in given.text


def test_without_a_gate_all_is_shown_and_reported(trustee: Feature) -> None:
    given, judged = asked(trustee, ProofPolicy.OFF, [CALL], INVENTED)
    assert (given.text, judged) == (INVENTED, [Verdict.PASS])
    assert given.proof is not None
    assert any(claim.standing is not Standing.GROUNDED for claim in given.proof.claims)


def test_evidence_about_something_else_is_held_back_by_any_policy(trustee: Feature) -> None:
    tool, arguments = CALL
    filters: list[Any] = [
        {**each, "value": 2023} if each["field"] == "periodYear" else each
        for each in list[Any](arguments["filters"])
    ]
    other = (tool, {**arguments, "filters": filters})
    told = "Das Konto 1020 hatte einen Saldo."
    given, judged = asked(trustee, ProofPolicy.MARKED, [other], told, told)
    assert Verdict.BLOCK in judged
    assert given.kind is AnswerKind.UNKNOWN
    assert given.proof is not None
    assert GateCode.QUESTION_NOT_COVERED in {each.code for each in given.proof.findings}


def test_a_known_question_is_answered_under_the_policy(trustee: Feature) -> None:
    question = "Wie hoch war der Saldo von Konto 1020 Ende 2024?"
    plain, _ = asked(trustee, ProofPolicy.OFF, question=question)
    given, judged = asked(trustee, ProofPolicy.MARKED, question=question)
    assert given.kind is AnswerKind.PATTERN
    assert judged == [Verdict.PASS]
    assert given.text == plain.text
