"""A review under a policy: each finding with its state, and the scores of those that count."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.violation import Mode, weaker
from veridical.requirements.evaluation import Evaluation, evaluated, with_conflicts
from veridical.requirements.finding import Finding
from veridical.requirements.policy.dismissal import Dismissal, holds
from veridical.requirements.policy.issue import Fingerprints, Issue, IssueState, digest, wording
from veridical.requirements.policy.review_policy import ReviewPolicy
from veridical.requirements.relations.relation import Relation, RelationKind
from veridical.requirements.review import Review, Reviewed


@dataclass(frozen=True)
class Judgement:
    """The review with the scores of what counts, and every finding that no rule's mode hides."""

    review: Review
    issues: tuple[Issue, ...]
    has_baseline: bool = False

    @property
    def blocking(self) -> tuple[Issue, ...]:
        """The findings that fail a build."""
        return tuple(each for each in self.issues if each.blocks)

    @property
    def states(self) -> dict[IssueState, int]:
        """The number of findings in each state."""
        counts = Counter(each.state for each in self.issues)
        return {state: counts[state] for state in IssueState}

    def by_requirement(self) -> dict[int, list[Issue]]:
        """The issues that count, by the place of their requirement; a pair is with its first."""
        found: defaultdict[int, list[Issue]] = defaultdict(list)
        for each in self.issues:
            if each.counts:
                found[each.place].append(each)
        return found

    def as_json(self, language: Language) -> dict[str, Any]:
        """As it is printed for programs."""
        reviewed = self.review.reviewed
        issues = [each.as_json(reviewed[each.place].requirement, language) for each in self.issues]
        return {**self.review.as_json(language), "issues": issues}


def judge(
    review: Review,
    policy: ReviewPolicy,
    known: Collection[str] | None = None,
    dismissals: Mapping[str, Dismissal] | None = None,
) -> Judgement:
    """Judges a review; ``known`` are the fingerprints of a baseline."""
    found = tuple(
        _recorded(each, review, known or (), dismissals or {}) for each in _issues(review, policy)
    )
    issues = tuple(each for each in found if each.mode is not Mode.OFF)
    return Judgement(_counting(review, found, policy), issues, known is not None)


def _recorded(
    issue: Issue, review: Review, known: Collection[str], dismissals: Mapping[str, Dismissal]
) -> Issue:
    """The finding with its entries in the project's baseline and dismissals."""
    dismissal = None
    if issue.fingerprint in dismissals:
        dismissal = holds(dismissals, issue.fingerprint, _wordings(review, issue))
    if dismissal is None and issue.fingerprint not in known:
        return issue
    return replace(issue, is_known=issue.fingerprint in known, dismissal=dismissal)


def dismissal_of(review: Review, issue: Issue, by: str, why: str, on: str) -> Dismissal:
    """The record that a person dismissed a finding on a day."""
    return Dismissal(
        fingerprint=issue.fingerprint,
        wording=_wordings(review, issue),
        rule=issue.rule,
        id=review.reviewed[issue.place].requirement.id,
        said=issue.excerpt,
        by=by,
        why=why,
        on=on,
    )


def _wordings(review: Review, issue: Issue) -> str:
    """The hash of the requirements of a finding: a dismissal is valid for this wording."""
    places = (issue.place,) if issue.other is None else (issue.place, issue.other)
    hashes = sorted(wording(review.reviewed[place].requirement) for place in places)
    return hashes[0] if len(hashes) == 1 else digest(*hashes)


def _issues(review: Review, policy: ReviewPolicy) -> Iterator[Issue]:
    prints = Fingerprints()
    for place, each in enumerate(review.reviewed):
        requirement = each.requirement
        for finding in each.evaluation.findings:
            mode = policy.mode_of(finding.rule, requirement.type)
            mark = prints.of(finding.rule, finding.words, requirement)
            yield Issue(finding.rule, place, finding, finding.words, mode, mark)
    for pair in review.pairs:
        if pair.relation.kind is RelationKind.RELATED:
            continue
        first, second = (review.reviewed[at].requirement for at in (pair.first, pair.second))
        rule = pair.relation.kind.value.upper()
        mode = weaker(policy.mode_of(rule, first.type), policy.mode_of(rule, second.type))
        mark = prints.of(rule, "", first, second)
        yield Issue(rule, pair.first, pair.relation, second.id, mode, mark, pair.second)


def _counting(review: Review, issues: tuple[Issue, ...], policy: ReviewPolicy) -> Review:
    """The same review, scored again where something in it does not count."""
    findings: defaultdict[int, list[Finding]] = defaultdict(list)
    conflicts: defaultdict[int, list[Relation]] = defaultdict(list)
    silent: set[tuple[int, int]] = set()
    changed = {
        place
        for place, each in enumerate(review.reviewed)
        if each.evaluation.inspection.not_evaluated
    }
    for each in issues:
        places = (each.place,) if each.other is None else (each.place, each.other)
        if not each.counts:
            changed.update(places)
            if each.other is not None:
                silent.add((each.place, each.other))
        elif isinstance(each.cause, Finding):
            findings[each.place].append(each.cause)
        elif each.cause.kind is RelationKind.CONFLICT:
            for place in places:
                conflicts[place].append(each.cause)
    return Review(
        tuple(
            replace(each, evaluation=_scored(each, findings[place], conflicts[place], policy))
            if place in changed
            else each
            for place, each in enumerate(review.reviewed)
        ),
        tuple(pair for pair in review.pairs if (pair.first, pair.second) not in silent),
    )


def _scored(
    each: Reviewed, findings: list[Finding], conflicts: list[Relation], policy: ReviewPolicy
) -> Evaluation:
    inspection = each.evaluation.inspection
    failed = tuple(
        rule
        for rule in inspection.not_evaluated
        if policy.mode_of(rule, each.requirement.type) in (Mode.WARN, Mode.BLOCK)
    )
    counted = replace(inspection, findings=tuple(findings), not_evaluated=failed)
    criteria = tuple(part.criterion for part in each.evaluation.criteria)
    scored = evaluated(counted, criteria)
    return with_conflicts(scored, conflicts) if conflicts else scored
