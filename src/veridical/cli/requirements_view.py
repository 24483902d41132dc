"""The review of requirements on a terminal: a bar while it runs, then findings and a scorecard."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rich.console import RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from veridical.cli.error_reporting import UsageError, as_cell, err, printable
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.requirements.evaluation import PASS_MARK, UnknownCriterionError, Verdict
from veridical.requirements.files.reading import read_requirements
from veridical.requirements.files.unreadable import UnreadableFileError
from veridical.requirements.finding import Weight
from veridical.requirements.relations.relation import Kind
from veridical.requirements.review import Review, Reviewed, review

_SHOWN = 50
"""Requirements and pairs that are printed; all of them are in the JSON."""
_BAR = 20
_STYLES = {Verdict.PASS: "green", Verdict.FAIL: "red", Verdict.UNCERTAIN: "yellow"}
_WEIGHTS = {Weight.HIGH: "red", Weight.MEDIUM: "yellow", Weight.LOW: "dim"}


def reviewed(files: Sequence[Path], criteria: Iterable[str], language: Language) -> Review:
    """Reads and reviews the files. Raises ``UsageError``."""
    try:
        requirements = [each for path in files for each in read_requirements(path)]
        with _progress() as bar:
            task = bar.add_task(
                message("requirements.reviewing", language), total=len(requirements)
            )
            return review(requirements, criteria, lambda: bar.advance(task))
    except (UnreadableFileError, UnknownCriterionError) as error:
        raise UsageError(error.message(language)) from error


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=err,
        disable=not err.is_terminal,
        transient=True,
    )


def scorecard(found: Review, language: Language) -> Iterator[RenderableType]:
    """What was found, the requirements that need work first, then the sums."""
    named = [each for each in found.reviewed if each.evaluation.score != 1.0]
    for each in sorted(named, key=lambda each: each.evaluation.score or 0.0)[:_SHOWN]:
        yield from _requirement(each, language)
    if len(named) > _SHOWN:
        yield message("requirements.more", language, count=len(named) - _SHOWN)
    yield from _pairs(found, language)
    yield _criteria(found, language)
    counts = " · ".join(
        f"{message(f'requirements.verdict_{verdict}', language)} {count}"
        for verdict, count in found.verdicts.items()
    )
    total = message(
        "requirements.total", language, count=len(found.reviewed), score=_two(found.score)
    )
    yield Text(f"{total} {counts}")


def _requirement(each: Reviewed, language: Language) -> Iterator[Text]:
    evaluation, place = each.evaluation, each.requirement
    verdict = evaluation.verdict
    named = message(f"requirements.verdict_{verdict}", language)
    yield Text.assemble(
        (f"{named} {_two(evaluation.score)} ", _STYLES[verdict]),
        (f"{printable(place.id)} ", "bold"),
        (f"{printable(place.source)}:{place.line}", "dim"),
    )
    yield Text(f"  {printable(place.text)}")
    for finding in evaluation.findings:
        yield Text.assemble(
            (f"  {finding.rule} ", _WEIGHTS[finding.weight]),
            printable(f"{finding.reason(language)} {finding.fix(language)}"),
        )
    for conflict in (each for part in evaluation.criteria for each in part.conflicts):
        yield Text.assemble(("  ≠ ", "red"), printable(conflict.reason(language)))
    if remark := evaluation.remark(language):
        yield Text(f"  {remark}", style="yellow")


def _pairs(found: Review, language: Language) -> Iterator[Text]:
    told = [pair for pair in found.pairs if pair.relation.kind is not Kind.RELATED]
    for pair in told[:_SHOWN]:
        kind = message(f"requirements.kind_{pair.relation.kind}", language)
        first, second = (
            found.reviewed[place].requirement.id for place in (pair.first, pair.second)
        )
        style = "red" if pair.relation.kind is Kind.CONFLICT else "yellow"
        reason = pair.relation.reason(language)
        yield Text.assemble((f"{kind} ", style), printable(f"{first} ↔ {second}: {reason}"))
    if len(told) > _SHOWN:
        yield Text(message("requirements.more_pairs", language, count=len(told) - _SHOWN))


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
