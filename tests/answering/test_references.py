"""An answer in references: computed, checked and rendered between model and user."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from tests.balance_asked import CALL, QUESTION
from tests.sample import ACCOUNTANT, trustee
from veridical.agent.settings import AgentSettings, AnswerForm
from veridical.answering.feature import Feature
from veridical.answering.flow import answer
from veridical.answering.session import Session
from veridical.contracts.answer import Answer
from veridical.contracts.progress import Progress
from veridical.contracts.proof import GateCode, Verdict
from veridical.contracts.question import Question
from veridical.contracts.trace import Gated
from veridical.gate.references.instruction import instruction
from veridical.testing.script import Line, Script

__all__ = ["trustee"]
TRUE = "Das Konto {r1[#1]} hatte einen closingBalance von {r1[#1].closingBalance}."
TYPED = "Das Konto {r1[#1]} hatte einen closingBalance von CHF 17.00."


def asked(feature: Feature, *lines: Line, **settings: Any) -> tuple[Answer, list[Any], Script]:
    script, heard = Script(lines), list[Any]()
    session = Session(feature, ACCOUNTANT, script.model, emit=heard.append)
    form = AgentSettings(answer_form=AnswerForm.REFERENCES, **settings)
    given = asyncio.run(answer(Question(text=QUESTION), replace(session, settings=form)))
    return given, heard, script


@pytest.fixture(scope="module")
def balance(trustee: Feature) -> str:
    rows = trustee.toolbox(ACCOUNTANT).call(*CALL).data["rows"]
    return f"{float(rows[0][3]):,.2f}".replace(",", "'")


def figures(text: str) -> str:
    return text.translate(str.maketrans({"’": "'"}))


def test_the_host_computes_what_is_shown(trustee: Feature, balance: str) -> None:
    given, heard, _ = asked(trustee, [CALL], TRUE)
    found = [event for event in heard if isinstance(event, Gated)]
    assert [event.verdict for event in found] == [Verdict.PASS], found
    assert balance in figures(given.text)
    assert "{" not in given.text
    assert given.proof is not None
    assert all(claim.binding for claim in given.proof.claims)


def test_a_typed_figure_goes_back_once_with_the_reason(trustee: Feature, balance: str) -> None:
    given, heard, script = asked(trustee, [CALL], TYPED, TRUE)
    first, second = [event for event in heard if isinstance(event, Gated)]
    assert first.verdict is Verdict.BLOCK
    assert {finding.code for finding in first.findings} == {GateCode.UNGROUNDED_CLAIM}
    assert second.verdict is Verdict.PASS
    assert "17.00" in str(script.heard[-1])
    assert balance in figures(given.text)


def test_what_is_typed_twice_is_never_shown(trustee: Feature) -> None:
    given, _, _ = asked(trustee, [CALL], TYPED, TYPED)
    assert "17.00" not in given.text


def test_the_model_reads_the_instruction_and_the_names_of_results(trustee: Feature) -> None:
    _, _, script = asked(trustee, [CALL], TRUE)
    told = f"{script.heard} {script.infos}"
    assert instruction().strip() in (script.infos[0].instructions or "")
    assert '"result":"r1"' in told.replace(" ", "").replace("\\\\", "")


def test_nothing_is_streamed_before_it_is_rendered(trustee: Feature, balance: str) -> None:
    given, heard, _ = asked(trustee, [CALL], TRUE, stream=True)
    pieces = [each.text for each in heard if isinstance(each, Progress) and each.stage == "writing"]
    assert "".join(pieces) == given.text
    assert balance in figures(given.text)
