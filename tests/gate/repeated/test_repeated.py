"""Figures of the question in answers: what must be held back and what may be said, one line each.

A line is a language, the name of an evidence, the question and the answer, with bars between. A
line break is written as ``\\n``.
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.gate.strictly import strictly
from veridical.contracts.language import Language
from veridical.contracts.proof import Ground, Verdict
from veridical.contracts.result import Emptiness, TimeRange
from veridical.evidence.exhibit import Calculation, Exhibit

HERE = Path(__file__).parent


class Case(NamedTuple):
    language: Language
    evidence: str
    question: str
    answer: str


def cases(name: str) -> list[Case]:
    found: list[Case] = []
    for line in (HERE / name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            lead, question, answer = line.split(" | ", 2)
            language, evidence = lead.split()
            told = answer.replace("\\n", "\n")
            found.append(Case(Language(language), evidence, question, told))
    return found


@cache
def exhibits(name: str) -> tuple[Exhibit, ...]:
    told = json.loads((HERE / "evidence.json").read_text("utf-8"))
    return tuple(map(exhibit, told[name]))


def exhibit(told: dict[str, Any]) -> Exhibit:
    if "calculation" in told:
        expression, value = told["calculation"]
        return Exhibit(calculation=Calculation(expression, value))
    return Exhibit(
        columns=tuple(told["columns"]),
        rows=tuple(map(tuple, told["rows"])),
        held=told.get("held", {}),
        row_count=told.get("rowCount"),
        truncated=told.get("truncated", False),
        time_range=tuple(
            TimeRange(field=field, start=start, end=end)
            for field, start, end in told.get("timeRange", ())
        ),
        emptiness=Emptiness(told["emptiness"]) if "emptiness" in told else None,
    )


def verdict(case: Case) -> Verdict:
    proof = strictly(
        case.answer,
        exhibits(case.evidence),
        question=case.question,
        language=case.language,
    )
    return proof.verdict


def named(case: Case) -> str:
    return f"{case.language}-{case.evidence}-{case.answer[:40]}"


@pytest.mark.parametrize("case", cases("block.txt"), ids=named)
def test_a_figure_that_stands_only_in_the_question_proves_nothing(case: Case) -> None:
    assert verdict(case) is Verdict.BLOCK


FIGURES = st.integers(1_300_000, 9_999_999).filter(lambda value: value % 1000)
"""Larger than the balance, and too telling to be met by chance or by rounding."""
FORMS: tuple[Callable[[int], str], ...] = (
    str,
    lambda value: f"{value:,}",
    lambda value: f"CHF {value:,}".replace(",", "'"),
    lambda value: f"{value:,} CHF",
)


@given(FIGURES, st.sampled_from(FORMS), st.sampled_from(FORMS))
def test_however_a_figure_is_written_the_question_does_not_prove_it(
    figure: int, asked: Callable[[int], str], told: Callable[[int], str]
) -> None:
    question = f"Was the balance {asked(figure)}?"
    for answer in (f"Yes, the balance was {told(figure)}.", "Yes.", f"It was {told(figure)}."):
        assert verdict(Case(Language.EN, "bare", question, answer)) is Verdict.BLOCK


def test_a_borne_out_figure_rests_on_its_cell_and_not_on_the_question() -> None:
    question, answer = "Was the balance 1,234,567.89?", "The balance was 1,234,567.89."
    (claim,) = strictly(answer, exhibits("bare"), question=question).claims
    assert claim.binding is not None
    assert claim.binding.ground is Ground.CELL
