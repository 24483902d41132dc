"""The view of requirements: marks where rules found something, the rewrite beside the source, and
the relations of requirements."""

import pickle  # between this program and a process that it started itself
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from veridical.console.form import Upload
from veridical.console.relation_graph import Graph, Link, graph_of, links_of
from veridical.console.review_run import Change, changes
from veridical.contracts.language import Language
from veridical.limited_process.job import run_limited
from veridical.limited_process.limits import limits_for
from veridical.requirements.evaluation import Evaluation, Verdict
from veridical.requirements.files.readers import READERS, TABLES
from veridical.requirements.files.reading import read_requirements
from veridical.requirements.files.requirement import Requirement, UnreadableFileError
from veridical.requirements.finding import Finding, Weight
from veridical.requirements.lexicon import samples
from veridical.requirements.review import Review, Reviewed, review
from veridical.requirements.rewrite.rewrite import Rewrite, rewrite_requirement

_WORK = "veridical.console.requirement_view:view_request"
_SECONDS = 5.0
_SECONDS_PER_MB = 60.0
_MOODS = {Weight.HIGH: "bad", Weight.MEDIUM: "open", Weight.LOW: "note"}
VERDICT_MOODS = {Verdict.PASS: "good", Verdict.FAIL: "bad", Verdict.UNCERTAIN: "open"}


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a text; with findings where rules found something."""

    text: str
    mood: str = ""
    findings: tuple[Finding, ...] = ()


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
    links: tuple[Link, ...]
    graph: Graph | None


def limited_view(requirements: Sequence[Requirement], language: Language) -> ReviewView:
    """The review of these requirements by rules, in a process of its own. Raises ``LimitError``."""
    request = pickle.dumps((tuple(requirements), language))
    limits = limits_for(len(request), _SECONDS, _SECONDS_PER_MB)
    # Only rules of our own have looked at the texts there, no parser.
    return pickle.loads(run_limited(_WORK, request, limits))  # noqa: S301


def view_request(request: bytes) -> bytes:
    """The entry point of the process: a pickled request and its result."""
    return pickle.dumps(review_view(*pickle.loads(request)))  # noqa: S301


def warm() -> None:
    """Load the words of all languages, before the first process begins."""
    for text in samples():
        review_view([Requirement("1", "", 1, text)], Language.EN)


def review_view(requirements: Sequence[Requirement], language: Language) -> ReviewView:
    """The review of these requirements by rules."""
    found = review(requirements)
    links = links_of(pair.as_json(language) for pair in found.pairs)
    views = tuple(map(_view, found.reviewed))
    return ReviewView(found, views, VERDICT_MOODS, links, graph_of(links))


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


ENDINGS = tuple(sorted((*READERS, *TABLES)))
_LONGEST_NAME = 100


def pasted(lines: Sequence[str]) -> list[Requirement]:
    """One requirement for each line with text."""
    texts = [(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]
    return [
        Requirement(f"R{place}", "", number, line) for place, (number, line) in enumerate(texts, 1)
    ]


def uploaded(upload: Upload) -> list[Requirement]:
    """The requirements of a file. Raises ``UnreadableFileError``; only the ending of its name is
    used."""
    name = Path(upload.name.replace("\\", "/")).name[:_LONGEST_NAME]
    ending = Path(name).suffix.lower()
    if ending not in ENDINGS:
        error = UnreadableFileError("ending", ", ".join(ENDINGS))
        error.source = name
        raise error
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"requirements{ending}"
        path.write_bytes(upload.content)
        try:
            return [replace(each, source=name) for each in read_requirements(path)]
        except UnreadableFileError as error:
            error.source = name
            raise
