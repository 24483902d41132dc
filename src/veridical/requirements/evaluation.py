"""Scores from findings: each criterion, the requirement, and a verdict that may abstain.

A criterion begins at 1 and loses a share for each finding that concerns it, by its weight. The
weakest criterion is the requirement's score: a requirement that can't be measured does not get
better by being short. Experts who rate the same requirement agree on pass or fail little more often
than not, so that near the limit a verdict would be noise: there it is ``uncertain``.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import prod
from typing import Any

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.requirements.finding import PASS_MARK, Criterion, Finding, Weight
from veridical.requirements.inspection import Inspection, Lack, inspect
from veridical.requirements.relations.relation import Relation
from veridical.requirements.rules import RULES

BAND = 0.08
"""The distance from the mark that a verdict needs: 0.62 to 0.78 is ``uncertain``."""
ALL = "all"
"""The key for all criteria."""
KEPT = {Weight.HIGH: 0.5, Weight.MEDIUM: 0.8, Weight.LOW: 0.9}
"""The share of a criterion's score that is left after one finding of this weight."""

_LACKING = {Lack.CRITERION: KEPT[Weight.LOW], Lack.EVERYTHING: KEPT[Weight.HIGH]}
"""The share of the testability that is left where nothing says when a requirement is met."""
_CRITERIA_OF = {rule.id: frozenset(rule.criteria) for rule in RULES}


class Verdict(StrEnum):
    """Whether a requirement is good enough."""

    PASS = "pass"  # noqa: S105 # no password
    FAIL = "fail"
    UNCERTAIN = "uncertain"


class UnknownCriterionError(ValueError):
    """A key that names no criterion."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """The unknown key and the known ones, as a message."""
        known = ", ".join((*Criterion, ALL))
        return message("requirements.unknown_criterion", language, name=self.key, known=known)


@dataclass(frozen=True)
class CriterionScore:
    """One criterion: its score, and the findings that lowered it; no score where no rule ran."""

    criterion: Criterion
    score: float | None
    findings: tuple[Finding, ...]
    conflicts: tuple[Relation, ...] = ()
    """Conflicts with other requirements of the same review."""
    lack: Lack | None = None
    """What nothing in the requirement says."""

    @property
    def passed(self) -> bool:
        """True if the score reaches the mark."""
        return self.score is not None and self.score >= PASS_MARK

    def feedback(self, language: Language) -> str:
        """The reasons, or a note that there are none."""
        if self.score is None:
            return message("requirements.not_evaluated", language)
        reasons = [each.effect(self.criterion, language) for each in self.findings]
        reasons += [each.reason(language) for each in self.conflicts]
        if self.lack:
            reasons.append(message(f"requirements.{self.lack}", language))
        return " ".join(dict.fromkeys(reasons)) or message("requirements.nothing_found", language)


@dataclass(frozen=True)
class Evaluation:
    """A requirement with its findings, scores and verdict."""

    inspection: Inspection
    criteria: tuple[CriterionScore, ...]

    @property
    def text(self) -> str:
        """The requirement as it was given."""
        return self.inspection.tokens.text

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, including those of criteria that were not chosen."""
        return self.inspection.findings

    @property
    def score(self) -> float | None:
        """The score of the weakest criterion; none where nothing could be evaluated."""
        return min((each.score for each in self.criteria if each.score is not None), default=None)

    def statements(self) -> Iterator[tuple[str, float]]:
        """The requirement and each of its acceptance criteria with the score of its own; nothing
        where it has no criteria."""
        for place in self.inspection.statements:
            here = [each for each in self.findings if each.start in place]
            bearing = (
                [f for f in here if each.criterion in _CRITERIA_OF[f.rule]]
                for each in self.criteria
            )
            score = min(map(_kept, bearing), default=1.0)
            yield self.text[place.start : place.stop], round(score, 4)

    @property
    def verdict(self) -> Verdict:
        """The verdict; ``uncertain`` near the mark, and where a rule that might object failed."""
        score = self.score
        if score is None:
            return Verdict.UNCERTAIN
        if score < PASS_MARK - BAND:
            return Verdict.FAIL
        if score <= PASS_MARK + BAND or self.inspection.not_evaluated:
            return Verdict.UNCERTAIN
        return Verdict.PASS

    def remark(self, language: Language) -> str:
        """Why the verdict abstains; nothing where it does not."""
        if not self.inspection.is_readable:
            return message("requirements.unread_language", language)
        if self.verdict is not Verdict.UNCERTAIN:
            return ""
        if self.inspection.not_evaluated:
            rules = ", ".join(self.inspection.not_evaluated)
            return message("requirements.rules_failed", language, rules=rules)
        low, high = PASS_MARK - BAND, PASS_MARK + BAND
        return message("requirements.near_mark", language, low=f"{low:.2f}", high=f"{high:.2f}")

    def as_json(self, language: Language) -> dict[str, Any]:
        """As it is printed for programs, with the names that callers know."""
        return {
            "score": self.score,
            "verdict": self.verdict.value,
            "remark": self.remark(language),
            "evaluation": [
                {
                    "criterion": each.criterion.value,
                    "score": each.score,
                    "passed": each.passed,
                    "feedback": each.feedback(language),
                }
                for each in self.criteria
            ],
            "statements": [{"text": text, "score": score} for text, score in self.statements()],
            "findings": [finding.as_json(language) for finding in self.findings],
            "notEvaluated": list(self.inspection.not_evaluated),
        }


def evaluate_requirement(
    text: str, criteria_keys: Collection[str] | None = None, language: str | None = None
) -> Evaluation:
    """Evaluates one requirement by these criteria, or by all. Raises ``UnknownCriterionError``."""
    return evaluated(inspect(text, language), chosen_criteria(criteria_keys))


def evaluated(inspection: Inspection, criteria: Sequence[Criterion]) -> Evaluation:
    """The scores of a requirement whose findings are known."""
    return Evaluation(inspection, tuple(_scores(inspection, criteria)))


def with_conflicts(evaluation: Evaluation, conflicts: Sequence[Relation]) -> Evaluation:
    """The same evaluation where other requirements contradict: each lowers the consistency."""
    return replace(
        evaluation,
        criteria=tuple(
            replace(
                each,
                score=round(each.score * KEPT[Weight.HIGH] ** len(conflicts), 4),
                conflicts=tuple(conflicts),
            )
            if each.criterion is Criterion.CONSISTENCY and each.score is not None
            else each
            for each in evaluation.criteria
        ),
    )


def chosen_criteria(keys: Collection[str] | None) -> tuple[Criterion, ...]:
    """The criteria that these keys name, in their usual order. Raises ``UnknownCriterionError``."""
    for key in keys or ():
        if key != ALL and key not in set(Criterion):
            raise UnknownCriterionError(key)
    return tuple(each for each in Criterion if not keys or ALL in keys or each in keys)


def _scores(inspection: Inspection, criteria: Sequence[Criterion]) -> Iterator[CriterionScore]:
    failed = set(inspection.not_evaluated)
    for criterion in criteria:
        bearing = {rule for rule, each in _CRITERIA_OF.items() if criterion in each}
        if bearing <= failed:
            yield CriterionScore(criterion, None, ())
            continue
        findings = tuple(each for each in inspection.findings if each.rule in bearing)
        lack = inspection.lack if criterion is Criterion.TESTABILITY else None
        score = _LACKING[lack] if lack else 1.0
        score *= min(_kept(each) for each in _by_statement(inspection, findings))
        yield CriterionScore(criterion, round(score, 4), findings, lack=lack)


def _by_statement(
    inspection: Inspection, findings: Sequence[Finding]
) -> Iterator[Sequence[Finding]]:
    """The findings of the requirement and of each of its criteria, which are scored apart."""
    if not inspection.statements:
        yield findings
    for place in inspection.statements:
        yield [each for each in findings if each.start in place]


def _kept(findings: Iterable[Finding]) -> float:
    return prod(KEPT[each.weight] for each in findings)
