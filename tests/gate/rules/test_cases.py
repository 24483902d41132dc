"""Answers that each rule must let pass and must find, as plain text: adding one is one line.

A line is ``!`` (must be found) or ``+`` (must pass), a language, the name of an evidence, and the
answer; a line break is written as ``\\n``.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from veridical import gate
from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode, Proof
from veridical.contracts.result import Emptiness, ToolRun
from veridical.contracts.violation import Mode
from veridical.evidence.column import Additivity
from veridical.evidence.exhibit import Exhibit, Measure
from veridical.gate import rules
from veridical.gate.rules import OF_RUN, no_evidence

CASES = Path(__file__).with_name("cases")
MUST_FIND, MUST_PASS = "!", "+"
CODES = {
    GateCode.AFTER_TOOL_ERROR,
    GateCode.EMPTINESS_MISREPORTED,
    GateCode.NO_EVIDENCE,
    GateCode.REQUIRED_TOOL_MISSING,
    GateCode.STALENESS_NOT_SAID,
    GateCode.TRUNCATION_NOT_SAID,
}


class Case(NamedTuple):
    code: GateCode
    language: Language
    evidence: str
    answer: str


def _cases(wanted: str) -> list[Case]:
    return [
        Case(GateCode(file.stem), Language(language), evidence, answer)
        for file in sorted(CASES.glob("*.txt"))
        for line in file.read_text("utf-8").splitlines()
        for kind, language, evidence, answer in [line.split(" ", 3)]
        if kind == wanted
    ]


@cache
def _evidence() -> dict[str, Any]:
    return json.loads((CASES / "evidence.json").read_text("utf-8"))


def _exhibit(told: dict[str, Any]) -> Exhibit:
    measures = {
        column: Measure(
            labels=tuple(each["labels"]),
            additivity=Additivity(each["additivity"]),
        )
        for column, each in told.get("measures", {}).items()
    }
    return Exhibit(
        columns=tuple(told.get("columns", ())),
        rows=tuple(tuple(row) for row in told.get("rows", ())),
        record=told.get("record"),
        measures=measures,
        row_count=told.get("row_count"),
        truncated=told.get("truncated", False),
        emptiness=Emptiness(told["emptiness"]) if "emptiness" in told else None,
    )


def _proof(case: Case) -> Proof:
    told = _evidence()[case.evidence]
    return gate.check(
        case.answer.replace("\\n", "\n"),
        tuple(_exhibit(each) for each in told.get("exhibits", ())),
        language=case.language,
        runs=[ToolRun(**each) for each in told.get("runs", ())],
    )


def _named(case: Case) -> str:
    return f"{case.code}-{case.language}-{case.answer[:40]}"


@pytest.mark.parametrize("case", _cases(MUST_FIND), ids=_named)
def test_it_finds_what_is_wrong(case: Case) -> None:
    found = [each for each in _proof(case).findings if each.code is case.code]
    assert found
    assert all(0 < len(each.hint) <= 160 for each in found)
    least = Mode.WARN if case.code is GateCode.NO_EVIDENCE else Mode.BLOCK  # all is marked there
    assert any(each.mode is least for each in found)


@pytest.mark.parametrize("case", _cases(MUST_PASS), ids=_named)
def test_it_lets_good_answers_pass(case: Case) -> None:
    proof = _proof(case)
    assert [each for each in proof.findings if each.code is case.code] == []
    assert [each for each in proof.findings if each.mode is Mode.BLOCK] == [] or (
        case.evidence in {"fileHalfRead", "failed", "nothing"}
    )


@pytest.mark.parametrize("code", sorted(CODES))
def test_each_rule_has_cases_of_both_kinds_in_every_language(code: GateCode) -> None:
    for wanted in (MUST_PASS, MUST_FIND):
        spoken = {case.language for case in _cases(wanted) if case.code is code}
        assert spoken == set(Language), (code, wanted)


def test_every_file_with_a_rule_is_run() -> None:
    files = Path(rules.__file__).parent.glob("*.py")
    written = {file.stem for file in files if "\ndef find(" in file.read_text("utf-8")}
    assert written == {rule.__module__.rpartition(".")[2] for rule in (*OF_RUN, no_evidence.find)}
