"""Answers to gold questions, written from the truth of the case or from what its trap gives."""

from decimal import Decimal
from typing import Any

from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.trace import AgentTrace
from veridical.evals.gold.case import Case
from veridical.evals.gold.oracle import CaseTruth
from veridical.evals.scoring.record import Score
from veridical.evals.scoring.score import score


def right_answer(case: Case, truth: CaseTruth) -> str:
    """The expected values and texts of the case, and nothing else."""
    return _told(case, truth, truth.truth.values(*case.expected_answer_numeric))


def trapped_answer(case: Case, truth: CaseTruth) -> str:
    """The same answer with the figures of somebody who stepped into the trap."""
    wrong = tuple(value for row in truth.wrong.rows for value in row if value is not None)
    return _told(case, truth, wrong)


def judged(case: Case, truth: CaseTruth, text: str, asked: str) -> Score:
    """The verdict on this text as an answer to the case, asked in these words."""
    answer = Answer(kind=AnswerKind.AGENT, text=text, language=case.language, trace_id="")
    return score(case, asked, truth, answer, AgentTrace(trace_id=""))


def _told(case: Case, truth: CaseTruth, figures: tuple[Any, ...]) -> str:
    unit = "%" if "percent" in case.expected_answer_numeric else ""
    texts = [
        *(wanted.partition("|")[0] for wanted in case.expected_answer_contains),
        *(str(name) for name in truth.truth.values(*case.expected_answer_names)),
        *(f"{_written(figure, case.language)}{unit}" for figure in figures),
    ]
    return "; ".join(texts)


def _written(figure: Any, language: Language) -> str:
    if not isinstance(figure, Decimal):
        return str(figure)
    digits = f"{figure:,.2f}" if figure.as_tuple().exponent != -6 else f"{figure:.4f}"
    return digits.replace(",", "'") if language is Language.DE else digits
