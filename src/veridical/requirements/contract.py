"""The JSON of evaluations, suggestions and rewrites under the names that callers know.

There a verdict is pass or fail. Near the mark the score still decides, and ``uncertain`` says that
experts would differ. Where no rule
could run it is ``not_evaluated``, and never a score of zero.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.requirements.evaluation import Evaluation, Verdict
from veridical.requirements.finding import PASS_MARK, Weight
from veridical.requirements.form import Form
from veridical.requirements.rewrite.question import ROLE, Question, finding_questions
from veridical.requirements.rewrite.rewrite import Rewrite
from veridical.requirements.vocabulary import Vocabulary


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
        "statements": fields["statements"],
    }


def rewrite_json(
    rewrite: Rewrite, place: int, language: Language, known: Vocabulary | None = None
) -> dict[str, Any]:
    """A rewrite with its evaluation and the open questions."""
    checked = evaluation_json(rewrite.evaluation, language)
    tokens, words = rewrite.source.inspection.tokens, known or Vocabulary()
    questions = [
        {
            "key": each.key,
            "question": each.text(language),
            "suggestedAnswers": list(words.answers(each, tokens)),
        }
        for each in rewrite.questions
    ]
    told = {**rewrite.as_json(place, language), "questions": questions}
    return {**told, **checked, "author": rewrite.author.value}


def suggestions_json(
    evaluation: Evaluation, language: Language, known: Vocabulary | None = None
) -> list[dict[str, Any]]:
    """The improvements, the most urgent first."""
    return [each.as_json() for each in suggestions(evaluation, language, known)]


def not_evaluated_json(language: Language) -> dict[str, Any]:
    """The result where the evaluation itself failed."""
    return {
        "score": None,
        "verdict": ContractVerdict.NOT_EVALUATED.value,
        "uncertain": True,
        "remark": message("team.not_evaluated", language),
        "evaluation": [],
    }


ADD_CRITERIA = "add_criteria"
_TYPES = {
    "add_actor": ("IMP0", "PAS", "MAN", "ISTZU", "STO", "ROL"),
    "add_metric": ("VAG", "NUM", "UNIT", "TMP", "QNT", "APX", "CMP", "SUP", "RNG", "ABS"),
    "split": ("IMP2", "ATM"),
    "name_reference": ("PRO",),
    "add_condition": ("ESC",),
    "complete_list": ("OPN",),
    "resolve_open_point": ("TBD",),
    "state_obligation": ("MODW",),
    "remove_solution": ("SOL",),
    "reword": ("SLS", "LNG", "NEG", "INF", "NOM"),
}
_TYPE_OF = {rule: name for name, rules in _TYPES.items() for rule in rules}


@dataclass(frozen=True)
class Suggestion:
    """One improvement."""

    type: str
    suggestion: str
    priority: Weight

    def as_json(self) -> dict[str, Any]:
        """As it is printed for programs."""
        return {
            "type": self.type,
            "suggestion": self.suggestion,
            "priority": self.priority.value,
        }


def suggestions(
    evaluation: Evaluation, language: Language, known: Vocabulary | None = None
) -> list[Suggestion]:
    """The improvements, the most urgent first; a role and acceptance criteria where there are none.
    What the other requirements and the glossary already say is given as an example."""
    weights = list(Weight)
    found = _suggestions(evaluation, language, known or Vocabulary())
    return sorted(found, key=lambda each: weights.index(each.priority))


def _suggestions(
    evaluation: Evaluation, language: Language, words: Vocabulary
) -> Iterator[Suggestion]:
    tokens = evaluation.inspection.tokens
    for finding in evaluation.findings:
        text = f"{finding.reason(language)} {finding.fix(language)}"
        examples = [
            each
            for question in finding_questions([finding])
            for each in words.answers(question, tokens)
        ]
        yield _suggestion(_TYPE_OF[finding.rule], text, examples, finding.weight, language)
    if evaluation.score is None:
        return
    if tokens.form is not Form.STORY and evaluation.score < PASS_MARK:
        text = message("requirements.STO_role_fix", language)
        examples = words.answers(Question(ROLE, ROLE), tokens)
        yield _suggestion("add_actor", text, examples, Weight.MEDIUM, language)
    if tokens.form is not Form.SCENARIO and not evaluation.inspection.statements:
        text = message("requirements.add_criteria", language)
        yield Suggestion(ADD_CRITERIA, text, Weight.MEDIUM)


def _suggestion(
    type_: str, text: str, examples: Sequence[str], priority: Weight, language: Language
) -> Suggestion:
    if examples:
        listed = ", ".join(f"«{each}»" for each in dict.fromkeys(examples))
        text += " " + message("requirements.known_answers", language, answers=listed)
    return Suggestion(type_, text, priority)
