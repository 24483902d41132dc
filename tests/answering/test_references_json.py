"""An answer in parts: a call under a schema of the results, judged like one in text."""

import asyncio
from dataclasses import replace
from typing import Any

from tests.answering.test_references import balance, figures
from tests.balance_asked import CALL, QUESTION
from tests.sample import ACCOUNTANT, trustee
from veridical.agent.settings import AgentSettings, AnswerForm
from veridical.answering.feature import Feature
from veridical.answering.flow import answer
from veridical.answering.session import Session
from veridical.contracts.answer import Answer
from veridical.contracts.proof import GateCode, Verdict
from veridical.contracts.question import Question
from veridical.contracts.trace import Gated
from veridical.gate.references.instruction import json_instruction
from veridical.testing.script import Line, Script

__all__ = ["balance", "trustee"]
SAID: list[dict[str, Any]] = [
    {"text": "Das Konto "},
    {"row": "r1[#1]"},
    {"text": " hatte einen closingBalance von "},
]


def final(*parts: Any) -> Line:
    return [("finalAnswer", {"text": list(parts)})]


TRUE = final(*SAID, {"row": "r1[#1]", "column": "closingBalance"}, {"text": "."})
TYPED = final(*SAID, {"text": "CHF 17.00."})


def asked(feature: Feature, *lines: Line, **settings: Any) -> tuple[Answer, list[Gated], Script]:
    script, heard = Script(lines), list[Any]()
    session = Session(feature, ACCOUNTANT, script.model, emit=heard.append)
    form = AgentSettings(answer_form=AnswerForm.REFERENCES_JSON, **settings)
    given = asyncio.run(answer(Question(text=QUESTION), replace(session, settings=form)))
    return given, [event for event in heard if isinstance(event, Gated)], script


def test_the_host_computes_what_is_shown(trustee: Feature, balance: str) -> None:
    given, gated, _ = asked(trustee, [CALL], TRUE)
    assert [event.verdict for event in gated] == [Verdict.PASS], gated
    assert balance in figures(given.text)
    assert "{" not in given.text
    assert given.proof is not None
    assert all(claim.binding for claim in given.proof.claims)


def test_the_final_answer_is_offered_with_the_columns_of_the_result(trustee: Feature) -> None:
    _, _, script = asked(trustee, [CALL], TRUE)
    first, last = script.infos
    assert first.output_tools == []  # nothing to refer to yet
    (tool,) = last.output_tools
    row = tool.parameters_json_schema["$defs"]["RowPart"]["properties"]
    assert "closingBalance" in row["column"]["enum"]
    assert "r1[1020]" in row["row"]["enum"]
    assert not last.allow_text_output
    assert json_instruction().strip() in (last.instructions or "")
    assert '"result":"r1"' in str(script.heard).replace(" ", "").replace("\\\\", "")


def test_a_typed_figure_goes_back_once_with_the_reason(trustee: Feature, balance: str) -> None:
    given, (first, second), script = asked(trustee, [CALL], TYPED, TRUE)
    assert first.verdict is Verdict.BLOCK
    assert {finding.code for finding in first.findings} == {GateCode.UNGROUNDED_CLAIM}
    assert second.verdict is Verdict.PASS
    assert "17.00" in str(script.heard[-1])
    assert balance in figures(given.text)


def test_what_is_no_part_goes_back_too(trustee: Feature, balance: str) -> None:
    given, (first, second), script = asked(trustee, [CALL], final({"sum": "r1"}), TRUE)
    assert (first.verdict, second.verdict) == (Verdict.BLOCK, Verdict.PASS)
    assert '{"sum": "r1"}' in first.findings[0].hint
    assert "sum" in str(script.heard[-1])
    assert balance in figures(given.text)


def test_what_is_typed_twice_makes_room_for_the_rows(trustee: Feature, balance: str) -> None:
    given, gated, _ = asked(trustee, [CALL], TYPED, TYPED)
    assert "17.00" not in given.text
    assert balance in figures(given.text)
    assert [event.verdict for event in gated] == [Verdict.BLOCK, Verdict.BLOCK, Verdict.PASS]


def test_parts_that_come_as_plain_text_are_read_all_the_same(
    trustee: Feature, balance: str
) -> None:
    as_text = '{"text": [{"row": "r1[#1]", "column": "closingBalance"}]}'
    in_text = "Das Konto {r1[#1]} hatte einen closingBalance von {r1[#1].closingBalance}."
    for line in (as_text, in_text):
        given, gated, _ = asked(trustee, [CALL], line, TRUE)
        assert balance in figures(given.text)
        assert gated[-1].verdict is Verdict.PASS
