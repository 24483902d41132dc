"""A second model proves what nobody could, and can do no harm."""

import asyncio
from typing import Any

import pytest
from pydantic_ai.messages import UserPromptPart

from tests.balance_asked import CALL, QUESTION
from tests.sample import ACCOUNTANT, trustee
from veridical.answering.annotator import NOTHING_TO_REFER_TO, annotate
from veridical.answering.feature import Feature
from veridical.answering.flow import answer
from veridical.answering.session import Session
from veridical.contracts.answer import Answer
from veridical.contracts.language import Language
from veridical.contracts.proof import Standing, Verdict
from veridical.contracts.question import Question
from veridical.contracts.trace import Gated
from veridical.gate.annotation.check import CheckedAnnotation
from veridical.gate.annotation.prompt import annotation_instruction
from veridical.gate.policy import Policy, ProofPolicy
from veridical.gate.proof_marks import SIGN
from veridical.gate.shapes import read_material
from veridical.testing.script import Line, Script

__all__ = ["trustee"]
SEVERAL = (
    CALL[0],
    {
        **CALL[1],
        "filters": [
            {"field": "accountNumber", "op": "in", "value": ["1020", "1100", "1200"]},
            *CALL[1]["filters"][1:],
        ],
    },
)
HONEST = (
    "Der Saldo von Konto {r1[1020]} liegt CHF "
    "{r1[1020].closingBalance - mean(r1.closingBalance) : 2} "
    "[[r1[1020].closingBalance > mean(r1.closingBalance) | über]] dem durchschnittlichen Saldo."
)
WRONG = "Der Saldo von Konto 1020 ist CHF 12'345.67."
LAZY = "Der Saldo von Konto 1020 liegt irgendwo."


@pytest.fixture(scope="module")
def told(trustee: Feature) -> str:
    """A true text, by a derivation that the search leaves unproven."""
    rows = trustee.toolbox(ACCOUNTANT).call(*SEVERAL).data["rows"]
    balances = {row[0]: float(row[3]) for row in rows}
    above = balances["1020"] - sum(balances.values()) / len(balances)
    shown = f"{above:,.2f}".replace(",", "'")
    return f"Der Saldo von Konto 1020 liegt CHF {shown} über dem durchschnittlichen Saldo."


def asked(
    feature: Feature, text: str, annotator: Script | None, policy: ProofPolicy = ProofPolicy.MARK
) -> tuple[Answer, Gated]:
    heard = list[Any]()
    session = Session(
        feature,
        ACCOUNTANT,
        Script([[SEVERAL], text]).model,
        emit=heard.append,
        policy=Policy(policy=policy, annotator_seconds=5),
        annotator=annotator.model if annotator else None,
        regenerations=0,
    )
    given = asyncio.run(answer(Question(text=QUESTION), session))
    return given, next(event for event in heard if isinstance(event, Gated))


def test_without_an_annotator_it_is_marked(trustee: Feature, told: str) -> None:
    given, gated = asked(trustee, told, None)
    assert SIGN in given.text
    assert gated.annotation is None


@pytest.mark.parametrize("policy", [ProofPolicy.MARK, ProofPolicy.STRICT, ProofPolicy.WORDINGS])
def test_an_annotation_proves_it(trustee: Feature, told: str, policy: ProofPolicy) -> None:
    script = Script([HONEST])
    given, gated = asked(trustee, told, script, policy)
    assert (given.text, gated.verdict) == (told, Verdict.PASS)
    assert given.proof is not None
    assert {claim.standing for claim in given.proof.claims} == {Standing.GROUNDED}
    assert all(told[claim.start : claim.end] == claim.text for claim in given.proof.claims)
    assert gated.annotation is not None
    assert (gated.annotation.accepted, gated.annotation.calls) == (True, 1)
    assert given.usage.model_calls == 3
    assert annotation_instruction() in (script.infos[0].instructions or "")
    (part,) = script.heard[0][0].parts
    assert isinstance(part, UserPromptPart)
    assert told in str(part.content)
    assert "268075.34" in str(part.content)


def test_what_is_wrong_with_it_goes_back_once(trustee: Feature, told: str) -> None:
    script = Script([LAZY, HONEST])
    _, gated = asked(trustee, told, script)
    assert gated.verdict is Verdict.PASS
    assert gated.annotation is not None
    assert gated.annotation.calls == 2
    assert "irgendwo" in str(script.heard[1])


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([LAZY, LAZY], "irgendwo"),
        ([ConnectionError("refused")], "connection"),
        ([LAZY, TimeoutError()], "timeout"),
        ([""], "unreadable"),
    ],
)
def test_whatever_else_it_does_leaves_the_verdict(
    trustee: Feature, told: str, lines: list[Line], reason: str
) -> None:
    given, gated = asked(trustee, told, Script(lines))
    without, same = asked(trustee, told, None)
    assert (given.text, gated.verdict, gated.findings) == (
        without.text,
        same.verdict,
        same.findings,
    )
    assert gated.annotation is not None
    assert not gated.annotation.accepted
    assert reason in gated.annotation.reason


def test_what_is_proven_or_contradicted_needs_no_annotator(trustee: Feature) -> None:
    for text in (WRONG, "Konto 1020 hat einen Saldo."):
        script = Script([])
        _, gated = asked(trustee, text, script)
        assert gated.annotation is None
        assert script.heard == []


def test_a_wrong_text_stays_unproven(trustee: Feature, told: str) -> None:
    wrong = told.replace("über", "unter")
    script = Script([HONEST, HONEST.replace("| über", "| unter")])
    given, gated = asked(trustee, wrong, script)
    assert gated.verdict is not Verdict.PASS
    assert given.text != wrong


def _checked(annotation: str) -> CheckedAnnotation:
    raise AssertionError(f"nobody answered in time: {annotation}")


class _Slow(Script):
    async def _speak(self, messages: Any, info: Any) -> Any:
        await asyncio.sleep(5)
        return await super()._speak(messages, info)


def _annotated(evidence: Any, script: Script) -> Any:
    return asyncio.run(
        annotate(
            "North had 31 orders.",
            read_material(evidence).exhibits,
            _checked,
            model=script.model,
            seconds=0.05,
            question="How many?",
            language=Language.EN,
        )
    )


def test_it_has_no_more_than_its_time() -> None:
    found = _annotated([{"region": "North", "orders": 31}], _Slow([HONEST]))
    assert (found.proof, found.record.reason) == (None, "timeout")
    assert found.record.elapsed_ms < 2_000


def test_without_results_it_is_not_asked() -> None:
    script = Script([])
    found = _annotated([], script)
    assert (found.proof, found.record.reason) == (None, NOTHING_TO_REFER_TO)
    assert script.heard == []
