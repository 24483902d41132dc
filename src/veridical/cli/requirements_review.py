"""Implementation of ``veridical requirements``: judges files by the policy of the project, and
shows findings, pairs and a scorecard."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from veridical.cli.error_reporting import UsageError, as_cell, err, mistaken_setting, printable
from veridical.cli.search_ingest import configured_embedder
from veridical.cli.terminal import counted_bar
from veridical.contracts.extras import MissingExtraError
from veridical.contracts.language import Language
from veridical.contracts.violation import Mode
from veridical.messages import message
from veridical.requirements.evaluation import UnknownCriterionError, Verdict
from veridical.requirements.files.reading import read_requirements
from veridical.requirements.files.requirement import Requirement, UnreadableFileError
from veridical.requirements.files.table import Columns
from veridical.requirements.finding import PASS_MARK, Weight
from veridical.requirements.lexicon import samples
from veridical.requirements.policy.baseline import read_baseline
from veridical.requirements.policy.dismissal import RecordFileError, read_dismissals
from veridical.requirements.policy.issue import Issue, IssueState
from veridical.requirements.policy.judgement import Judgement, judge
from veridical.requirements.policy.review_policy import ReviewPolicy, read_review_policy
from veridical.requirements.relations.meaning import Embed
from veridical.requirements.review import Review, Reviewed, review
from veridical.search.embeddings.embedder import EmbeddingError

_SHOWN = 50
"""Requirements and pairs that are printed; all of them are in the JSON."""
_BAR = 20
_STYLES = {Verdict.PASS: "green", Verdict.FAIL: "red", Verdict.UNCERTAIN: "yellow"}
_WEIGHTS = {Weight.HIGH: "red", Weight.MEDIUM: "yellow", Weight.LOW: "dim"}


@dataclass(frozen=True)
class Request:
    """Files to review, and the options of the review."""

    files: Sequence[Path]
    criteria: Iterable[str] = ()
    columns: Columns = field(default_factory=Columns)
    mode: Mode | None = None
    baseline: Path | None = None
    """A baseline that goes before the one of the project."""
    is_compared: bool = True
    """Whether a baseline is looked at."""


def project_policy(language: Language) -> ReviewPolicy:
    """The policy of ``veridical.toml`` in this folder. Raises ``UsageError``."""
    try:
        return read_review_policy()
    except ValidationError as error:
        raise mistaken_setting(error, language) from error


def embedding(language: Language) -> Embed | None:
    """The embedding model of ``[search.embedder]``. Where none is set, or it is unavailable, a note
    on a terminal says that requirements are compared by their words. Raises ``UsageError``."""
    try:
        found = configured_embedder(language)
        if found is not None:
            found.embed([samples()[0]])
            return found.embed
    except (EmbeddingError, MissingExtraError) as error:
        err.print(printable(str(error)), style="yellow", soft_wrap=True)
    if err.is_terminal:
        err.print(message("requirements.compared_by_words", language), style="dim", soft_wrap=True)
    return None


def judged(request: Request, policy: ReviewPolicy, language: Language) -> Judgement:
    """Reads, reviews and judges. Raises ``UsageError``."""
    effective = policy.model_copy(update={"mode": request.mode}) if request.mode else policy
    baseline = request.baseline or (Path(policy.baseline) if policy.baseline else None)
    try:
        known = read_baseline(baseline) if baseline and request.is_compared else None
        dismissals = read_dismissals(Path(policy.dismissed))
        columns = Columns(
            request.columns.text or policy.text_column, request.columns.id or policy.id_column
        )
        found = [each for path in request.files for each in read_requirements(path, columns)]
        return judge(_reviewed(found, request.criteria, language), effective, known, dismissals)
    except (UnreadableFileError, UnknownCriterionError, RecordFileError) as error:
        raise UsageError(error.message(language)) from error


def _reviewed(
    requirements: Sequence[Requirement], criteria: Iterable[str], language: Language
) -> Review:
    """Review with a progress bar for the requirements and their comparison."""
    embed = embedding(language)
    with counted_bar() as bar:
        total = len(requirements)
        task = bar.add_task(message("requirements.reviewing", language), total=total)
        seen = 0

        def see() -> None:
            nonlocal seen
            seen += 1
            bar.advance(task)
            if seen == total:
                bar.update(task, description=message("review.comparing", language))

        return review(requirements, criteria, see, embed)


def scorecard(judgement: Judgement, language: Language) -> Iterator[RenderableType]:
    """The findings, the requirements that need work first, then the totals."""
    review, issues = judgement.review, judgement.by_requirement()
    weak = [place for place, each in enumerate(review.reviewed) if each.evaluation.score != 1.0]
    weak.sort(key=lambda place: review.reviewed[place].evaluation.score or 0.0)
    for place in weak[:_SHOWN]:
        yield from _requirement(review.reviewed[place], issues.get(place, ()), language)
    if len(weak) > _SHOWN:
        yield message("requirements.more", language, count=len(weak) - _SHOWN)
    yield from _pairs(judgement, language)
    yield _criteria(review, language)
    counts = " · ".join(
        f"{message(f'requirements.verdict_{verdict}', language)} {count}"
        for verdict, count in review.verdicts.items()
    )
    total = message(
        "requirements.total", language, count=len(review.reviewed), score=_two(review.score)
    )
    yield Text(f"{total} {counts}")
    states = {state.value: count for state, count in judgement.states.items()}
    if any(count for state, count in states.items() if state != IssueState.NEW):
        yield Text(message("review.states", language, **states))


def _requirement(each: Reviewed, issues: Sequence[Issue], language: Language) -> Iterator[Text]:
    evaluation, place = each.evaluation, each.requirement
    verdict = evaluation.verdict
    named = message(f"requirements.verdict_{verdict}", language)
    yield Text.assemble(
        (f"{named} {_two(evaluation.score)} ", _STYLES[verdict]),
        (f"{printable(place.id)} ", "bold"),
        (f"{printable(place.source)}:{place.line}", "dim"),
        (f" {printable(place.place)}" if place.place else "", "dim"),
    )
    yield Text(f"  {printable(place.text)}")
    for issue in issues:
        if issue.other is None:
            yield Text.assemble(
                (f"  {issue.rule} ", _WEIGHTS[issue.weight]),
                (_state(issue, language), "bold"),
                printable(f"{issue.reason(language)} {issue.fix(language)}"),
            )
    for conflict in (each for part in evaluation.criteria for each in part.conflicts):
        yield Text.assemble(("  ≠ ", "red"), printable(conflict.reason(language)))
    if remark := evaluation.remark(language):
        yield Text(f"  {remark}", style="yellow")


def _state(issue: Issue, language: Language) -> str:
    """The mark of an issue that blocks or was known before."""
    if issue.blocks:
        return f"[{message('review.html_blocks', language)}] "
    return f"[{message('review.html_known', language)}] " if issue.state is IssueState.KNOWN else ""


def _pairs(judgement: Judgement, language: Language) -> Iterator[Text]:
    reviewed = judgement.review.reviewed
    pairs = [
        (each, each.other) for each in judgement.issues if each.counts and each.other is not None
    ]
    for each, other in pairs[:_SHOWN]:
        kind = message(f"requirements.kind_{each.rule.lower()}", language)
        first, second = (reviewed[place].requirement.id for place in (each.place, other))
        yield Text.assemble(
            (f"{kind} ", _WEIGHTS[each.weight]),
            (_state(each, language), "bold"),
            printable(f"{first} ↔ {second}: {each.reason(language)}"),
        )
    if len(pairs) > _SHOWN:
        yield Text(message("requirements.more_pairs", language, count=len(pairs) - _SHOWN))


def _criteria(found: Review, language: Language) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 1))
    for criterion, mean in found.means().items():
        bar = "█" * round(mean * _BAR)
        style = "green" if mean >= PASS_MARK else "red"
        name = message(f"requirements.criterion_{criterion}", language)
        table.add_row(as_cell(name), Text(bar.ljust(_BAR, "░"), style=style), as_cell(_two(mean)))
    return table


def _two(score: float | None) -> str:
    return "–" if score is None else f"{score:.2f}"
