"""Answers that answer their question, and those that leave it open, as a list of cases."""

from pathlib import Path

import pytest

from benchmarks.requirements.dialogues import measure_dialogues

CASES = (Path(__file__).parent / "cases" / "answers.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("case", [line for line in CASES if not line.startswith("#")])
def test_answer(case: str) -> None:
    expected, lang, asks, about, requirement, answer = (part.strip() for part in case.split("|"))
    line = {"lang": lang, "asks": asks, "about": about, "requirement": requirement}
    found = measure_dialogues([line | {"answer": answer, "expected": expected}], misses=False)
    assert found["outcomes"]["all"]["right"] == 1
    assert found["rewrites_with_invented_figures"] == 0
