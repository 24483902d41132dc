"""Requirements as they are looked at: marks where rules found something, the rewrite beside the
source, and which requirements meet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from veridical.requirements.evaluation import Evaluation, Verdict
from veridical.requirements.files.requirement import Requirement
from veridical.requirements.finding import Finding, Weight
from veridical.requirements.review import Review, Reviewed, review
from veridical.requirements.rewrite.rewrite import Rewrite, rewrite_requirement

_MOODS = {Weight.HIGH: "bad", Weight.MEDIUM: "open", Weight.LOW: "note"}
VERDICT_MOODS = {Verdict.PASS: "good", Verdict.FAIL: "bad", Verdict.UNCERTAIN: "open"}


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a text; with findings where rules found something."""

    text: str
    mood: str = ""
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of a rewrite: ``same``, ``added``, ``gone`` or ``asked``."""

    kind: str
    text: str


@dataclass(frozen=True)
class RequirementView:
    """One requirement."""

    requirement: Requirement
    evaluation: Evaluation
    stretches: tuple[Stretch, ...]
    rewrite: Rewrite
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class ReviewView:
    """A whole review."""

    review: Review
    requirements: tuple[RequirementView, ...]
    moods: Mapping[Verdict, str]


def review_view(lines: Sequence[str], most: int) -> ReviewView:
    """The review of what somebody pasted: one requirement for each line that says something."""
    said = [(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]
    found = review(
        [
            Requirement(f"R{place}", "", number, line)
            for place, (number, line) in enumerate(said[:most], 1)
        ]
    )
    return ReviewView(found, tuple(map(_view, found.reviewed)), VERDICT_MOODS)


def _view(each: Reviewed) -> RequirementView:
    rewrite = rewrite_requirement(each.requirement.text)
    return RequirementView(
        requirement=each.requirement,
        evaluation=each.evaluation,
        stretches=tuple(_stretches(each.requirement.text, each.evaluation.findings)),
        rewrite=rewrite,
        changes=tuple(changes(each.requirement.text, rewrite.text)),
    )


def _stretches(text: str, findings: tuple[Finding, ...]) -> list[Stretch]:
    found: list[Stretch] = []
    at = 0
    for group in _groups(findings):
        start, end = group[0].start, max(each.end for each in group)
        if not at <= start < end <= len(text):
            continue
        if start > at:
            found.append(Stretch(text[at:start]))
        worst = min((each.weight for each in group), key=list(Weight).index)
        found.append(Stretch(text[start:end], _MOODS[worst], tuple(group)))
        at = end
    if at < len(text):
        found.append(Stretch(text[at:]))
    return found


def _groups(findings: tuple[Finding, ...]) -> list[list[Finding]]:
    """Findings that overlap, together."""
    groups: list[list[Finding]] = []
    for each in sorted(findings, key=lambda each: (each.start, -each.end)):
        if groups and each.start < max(one.end for one in groups[-1]):
            groups[-1].append(each)
        else:
            groups.append([each])
    return groups


def changes(before: str, after: str) -> list[Change]:
    """The rewrite with what it keeps, adds and asks for; what is gone from the source."""
    old, new = before.split(), after.split()
    found: list[Change] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for kind, start, end, new_start, new_end in matcher.get_opcodes():
        if kind in ("delete", "replace"):
            found.append(Change("gone", " ".join(old[start:end])))
        if kind in ("insert", "replace"):
            found += _added(" ".join(new[new_start:new_end]))
        if kind == "equal":
            found.append(Change("same", " ".join(new[new_start:new_end])))
    return found


def _added(text: str) -> list[Change]:
    """What is new, with placeholders apart: they are questions."""
    found: list[Change] = []
    rest = text
    while "[" in rest and "]" in rest[rest.index("[") :]:
        start = rest.index("[")
        end = rest.index("]", start) + 1
        if rest[:start].strip():
            found.append(Change("added", rest[:start].strip()))
        found.append(Change("asked", rest[start:end]))
        rest = rest[end:]
    if rest.strip():
        found.append(Change("added", rest.strip()))
    return found
