"""The review of many requirements: each evaluated, all compared, and what came out in figures."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from veridical.contracts.language import Language
from veridical.requirements.evaluation import (
    Evaluation,
    Verdict,
    chosen_criteria,
    evaluated,
    with_conflicts,
)
from veridical.requirements.files.requirement import Requirement
from veridical.requirements.finding import Criterion
from veridical.requirements.inspection import inspect
from veridical.requirements.relations.meaning import Embed, near_texts
from veridical.requirements.relations.pairs import RelatedPair, related_pairs
from veridical.requirements.relations.relation import Relation, RelationKind


@dataclass(frozen=True)
class Reviewed:
    """A requirement with its evaluation."""

    requirement: Requirement
    evaluation: Evaluation


@dataclass(frozen=True)
class Review:
    """All requirements of a review, and the pairs of them that relate."""

    reviewed: tuple[Reviewed, ...]
    pairs: tuple[RelatedPair, ...]

    @property
    def score(self) -> float | None:
        """The mean of the scores; none where nothing could be evaluated."""
        scores = [each.evaluation.score for each in self.reviewed]
        known = [score for score in scores if score is not None]
        return round(sum(known) / len(known), 4) if known else None

    @property
    def verdicts(self) -> dict[Verdict, int]:
        """The number of requirements with each verdict."""
        counts = Counter(each.evaluation.verdict for each in self.reviewed)
        return {verdict: counts[verdict] for verdict in Verdict}

    @property
    def rules(self) -> Counter[str]:
        """The number of findings of each rule."""
        return Counter(
            finding.rule for each in self.reviewed for finding in each.evaluation.findings
        )

    @property
    def kinds(self) -> dict[RelationKind, int]:
        """The number of pairs of each kind."""
        counts = Counter(pair.relation.kind for pair in self.pairs)
        return {kind: counts[kind] for kind in RelationKind}

    def means(self) -> dict[Criterion, float]:
        """The mean score of each criterion."""
        scores: dict[Criterion, list[float]] = {}
        for each in self.reviewed:
            for criterion in each.evaluation.criteria:
                if criterion.score is not None:
                    scores.setdefault(criterion.criterion, []).append(criterion.score)
        return {name: round(sum(each) / len(each), 4) for name, each in scores.items()}

    def as_json(self, language: Language) -> dict[str, Any]:
        """As it is printed for programs."""
        return {
            "score": self.score,
            "verdicts": {verdict.value: count for verdict, count in self.verdicts.items()},
            "criteria": {criterion.value: mean for criterion, mean in self.means().items()},
            "requirements": [
                {
                    "id": each.requirement.id,
                    "source": each.requirement.source,
                    "line": each.requirement.line,
                    "text": each.requirement.text,
                    **each.evaluation.as_json(language),
                }
                for each in self.reviewed
            ],
            "pairs": [pair.as_json(language) for pair in self.pairs],
        }


def review(
    requirements: Sequence[Requirement],
    criteria_keys: Iterable[str] = (),
    see: Callable[[], None] = lambda: None,
    embed: Embed | None = None,
) -> Review:
    """Reviews requirements; ``see`` is called after each, ``embed`` finds those that say the same
    in other words. Raises ``UnknownCriterionError``."""
    criteria = chosen_criteria(tuple(criteria_keys))
    reviewed: list[Reviewed] = []
    for requirement in requirements:
        inspection = inspect(requirement.text)
        reviewed.append(Reviewed(requirement, evaluated(inspection, criteria)))
        see()
    near = near_texts([each.text for each in requirements], embed) if embed else None
    pairs = related_pairs([each.evaluation.inspection.tokens for each in reviewed], near)
    return Review(tuple(_contradicted(reviewed, pairs)), tuple(pairs))


def _contradicted(reviewed: Sequence[Reviewed], pairs: Sequence[RelatedPair]) -> Iterator[Reviewed]:
    """The requirements, those that contradict each other less consistent."""
    conflicts: defaultdict[int, list[Relation]] = defaultdict(list)
    for pair in pairs:
        if pair.relation.kind is RelationKind.CONFLICT:
            conflicts[pair.first].append(pair.relation)
            conflicts[pair.second].append(pair.relation)
    for place, each in enumerate(reviewed):
        if place in conflicts:
            yield replace(each, evaluation=with_conflicts(each.evaluation, conflicts[place]))
        else:
            yield each
