"""The JSON of evaluations, suggestions and rewrites under the names that callers know.

There a verdict is pass or fail. Near the mark the score still decides, and ``uncertain`` says that
experts would differ. Where no rule
could run it is ``not_evaluated``, and never a score of zero.
"""

from enum import StrEnum
from typing import Any

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.requirements.evaluation import Evaluation, Verdict
from veridical.requirements.rewrite.rewrite import Rewrite
from veridical.requirements.suggestion import suggestions


class ContractVerdict(StrEnum):
    """The verdict for callers that only know pass and fail."""

    PASS = "pass"  # noqa: S105 # no password
    FAIL = "fail"
    NOT_EVALUATED = "not_evaluated"


def contract_verdict(evaluation: Evaluation) -> ContractVerdict:
    """The verdict without "uncertain"; a rule that failed might have objected."""
    score, passed = evaluation.score, all(each.passed for each in evaluation.criteria)
    if score is None or (passed and evaluation.inspection.not_evaluated):
        return ContractVerdict.NOT_EVALUATED
    return ContractVerdict.PASS if passed else ContractVerdict.FAIL


def evaluation_json(evaluation: Evaluation, language: Language) -> dict[str, Any]:
    """An evaluation with its criteria."""
    fields = evaluation.as_json(language)
    return {
        "score": fields["score"],
        "verdict": contract_verdict(evaluation).value,
        "uncertain": evaluation.verdict is Verdict.UNCERTAIN,
        "remark": fields["remark"],
        "evaluation": fields["evaluation"],
    }


def rewrite_json(rewrite: Rewrite, place: int, language: Language) -> dict[str, Any]:
    """A rewrite with its evaluation and the open questions."""
    checked = evaluation_json(rewrite.evaluation, language)
    return {**rewrite.as_json(place, language), **checked, "author": rewrite.author.value}


def suggestions_json(evaluation: Evaluation, language: Language) -> list[dict[str, Any]]:
    """The improvements, the most urgent first."""
    return [each.as_json() for each in suggestions(evaluation, language)]


def not_evaluated_json(language: Language) -> dict[str, Any]:
    """The result where the evaluation itself failed."""
    return {
        "score": None,
        "verdict": ContractVerdict.NOT_EVALUATED.value,
        "uncertain": True,
        "remark": message("team.not_evaluated", language),
        "evaluation": [],
    }
