"""Answers that must be accepted and answers that must be rejected, in three languages."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.gate.strictly import strictly
from veridical.contracts.proof import Verdict
from veridical.gate.prove import prove
from veridical.gate.prover.words import OPEN_WORD, OWN_WORDS

FOLDER = Path(__file__).parent / "cases"
SETS: dict[str, dict[str, Any]] = {
    path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.toml"))
}


def cases(kind: str) -> list[tuple[str, str]]:
    return [(name, answer) for name, each in SETS.items() for answer in each[kind]]


@pytest.mark.parametrize(("name", "answer"), cases("accept"))
def test_a_true_answer_passes(name: str, answer: str) -> None:
    given = SETS[name]
    proven = prove(answer, given["evidence"], given["question"])
    assert not [each for each in proven.wrong if each.kind not in (OPEN_WORD, OWN_WORDS)]


@pytest.mark.parametrize(("name", "answer"), cases("reject"))
def test_a_wrong_answer_is_held_back(name: str, answer: str) -> None:
    given = SETS[name]
    proof = strictly(answer, given["evidence"], question=given["question"])
    assert proof.verdict is Verdict.BLOCK
    assert all(finding.hint for finding in proof.findings)
