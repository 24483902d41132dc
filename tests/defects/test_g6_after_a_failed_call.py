"""After a call that failed, no data is given, and nobody reads that there is none."""

import pytest

from tests.defects.staff import asked, sql, staff
from veridical import gate
from veridical.answering.feature import Feature
from veridical.contracts.answer import AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode, Verdict
from veridical.contracts.result import ToolRun
from veridical.contracts.violation import Mode
from veridical.messages import message

__all__ = ["staff"]

FAILED = ToolRun(tool="queryTable", success=False, error="TIMEOUT")
READ = ToolRun(tool="queryTable", success=True)
ROWS = [{"name": "Erika Mustermann", "team": "Sales", "people": 3}]
DATA = (
    ("There are 3 open invoices.", Language.EN),
    ("The owner is Peter Huber.", Language.EN),
    ("Our customers are Peter Huber, Sara Frei and Tom Baker.", Language.EN),
    ("Es gibt vier offene Rechnungen.", Language.DE),
    ("Die Inhaberin heisst Petra Huber.", Language.DE),
    ("有3张未付发票。", Language.ZH),
    ("所有者是张伟。", Language.ZH),
    ("All invoices are paid.", Language.EN),
    ("There is nobody in Sales.", Language.EN),
)
SILENT = (
    "The query failed 3 times. Please try again in 5 minutes.",
    "I could not read the data just now.",
    "Die Abfrage ist leider fehlgeschlagen. Bitte versuchen Sie es später noch einmal.",
    "抱歉，刚才无法读取数据，请稍后再试。",
)


@pytest.mark.parametrize(("said", "language"), DATA)
def test_g6_the_failure_is_the_reason(said: str, language: Language) -> None:
    proof = gate.check(said, (), runs=[FAILED], language=language)
    codes = {each.code for each in proof.findings if each.mode is Mode.BLOCK}
    assert GateCode.AFTER_TOOL_ERROR in codes
    assert gate.friendly(proof, language) == message("gate.friendly_AFTER_TOOL_ERROR", language)


@pytest.mark.parametrize("said", SILENT)
def test_g6_to_speak_of_the_failure_is_no_data(said: str) -> None:
    proof = gate.check(said, (), runs=[FAILED])
    assert GateCode.AFTER_TOOL_ERROR not in {each.code for each in proof.findings}


@pytest.mark.parametrize(
    ("said", "mode"),
    [
        ("Erika Mustermann is in Sales.", Mode.WARN),
        ("There are 3 people in Sales.", Mode.WARN),
        ("The owner is Peter Huber.", Mode.BLOCK),
        ("There are 4 people in Sales.", Mode.BLOCK),
    ],
)
def test_g6_an_earlier_result_supports_only_what_it_has(said: str, mode: Mode) -> None:
    proof = gate.check(said, ROWS, runs=[READ, FAILED])
    assert {e.mode for e in proof.findings if e.code is GateCode.AFTER_TOOL_ERROR} == {mode}


def test_g6_the_flow_says_that_the_data_could_not_be_read(staff: Feature) -> None:
    broken = sql("SELECT surname FROM staff")
    told = "The owner is Peter Huber."
    given, _ = asked(staff, "Please tell me who owns us", [broken], told, told, told)
    assert given.kind is AnswerKind.UNKNOWN
    assert given.text == message("gate.friendly_AFTER_TOOL_ERROR", Language.EN)
    assert given.proof is not None
    assert given.proof.verdict is Verdict.BLOCK
