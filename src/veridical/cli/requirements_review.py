"""Reads and judges files of requirements for the commands, by the policy of the project."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from veridical.cli.counted_bar import counted_bar
from veridical.cli.error_reporting import UsageError, mistaken_setting
from veridical.contracts.language import Language
from veridical.contracts.violation import Mode
from veridical.messages import message
from veridical.requirements.evaluation import UnknownCriterionError
from veridical.requirements.files.columns import Columns
from veridical.requirements.files.reading import read_requirements
from veridical.requirements.files.requirement import Requirement
from veridical.requirements.files.unreadable import UnreadableFileError
from veridical.requirements.policy.baseline import read_baseline
from veridical.requirements.policy.dismissal import read_dismissals
from veridical.requirements.policy.judgement import Judgement, judge
from veridical.requirements.policy.record_file import RecordFileError
from veridical.requirements.policy.review_policy import ReviewPolicy, read_review_policy
from veridical.requirements.review import Review, review


@dataclass(frozen=True)
class Request:
    """What a command was asked to review, and how."""

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


def judged(request: Request, policy: ReviewPolicy, language: Language) -> Judgement:
    """Reads, reviews and judges. Raises ``UsageError``."""
    held = policy.model_copy(update={"mode": request.mode}) if request.mode else policy
    baseline = request.baseline or (Path(policy.baseline) if policy.baseline else None)
    try:
        known = read_baseline(baseline) if baseline and request.is_compared else None
        dismissals = read_dismissals(Path(policy.dismissed))
        columns = Columns(
            request.columns.text or policy.text_column, request.columns.id or policy.id_column
        )
        found = [each for path in request.files for each in read_requirements(path, columns)]
        return judge(_reviewed(found, request.criteria, language), held, known, dismissals)
    except (UnreadableFileError, UnknownCriterionError, RecordFileError) as error:
        raise UsageError(error.message(language)) from error


def _reviewed(
    requirements: Sequence[Requirement], criteria: Iterable[str], language: Language
) -> Review:
    """With a bar that counts the requirements, and then says that they are compared."""
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

        return review(requirements, criteria, see)
