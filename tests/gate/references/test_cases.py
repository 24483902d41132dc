"""Referenced answers that must be accepted, and those that must be held back and why."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from veridical.contracts.language import Language
from veridical.gate.references.check import check_referenced

CASES = Path(__file__).with_name("cases")


def _cases(kind: str) -> list[Any]:
    found: list[Any] = []
    for path in sorted(CASES.glob("*.toml")):
        raw = tomllib.loads(path.read_text("utf-8"))
        for number, case in enumerate(raw[kind], start=1):
            filled = {"evidence": raw["evidence"], "question": raw["question"], **case}
            found.append(pytest.param(path.stem, filled, id=f"{path.stem}-{kind}-{number}"))
    return found


@pytest.mark.parametrize(("language", "case"), _cases("accept"))
def test_accepted(language: str, case: dict[str, Any]) -> None:
    answer = check_referenced(case["text"], case["evidence"], case["question"], language)
    assert answer.ok, answer.message(Language(language))
    if "shown" in case:
        assert answer.shown == case["shown"]


@pytest.mark.parametrize(("language", "case"), _cases("reject"))
def test_held_back(language: str, case: dict[str, Any]) -> None:
    answer = check_referenced(case["text"], case["evidence"], case["question"], language)
    assert case["problem"] in {each.problem.value for each in answer.findings}
    assert answer.message(Language(language))
