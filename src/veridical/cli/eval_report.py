"""Implementation of ``veridical eval report``, and the summary table at the end of every run."""

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from veridical.cli.error_reporting import err, out
from veridical.contracts.language import Language
from veridical.evals.comparison.metrics import ModeMetrics, measure_modes
from veridical.evals.comparison.regression import Judgement
from veridical.evals.comparison.statistics import Proportion
from veridical.evals.report.html import write_report
from veridical.evals.report.report_data import build_report
from veridical.evals.scoring.record import Outcome, RunRecord, ScoredRun
from veridical.evals.storage.folder import RunFolder
from veridical.evals.storage.setup import RunHeader
from veridical.messages import message
from veridical.ontology.errors import LoadError


def write_run_report(
    folder: Path, into: Path, language: Language, judgements: Sequence[Judgement] = ()
) -> None:
    """Write the report and print its main table. Raises ``LoadError``."""
    runs = RunFolder(folder)
    header, records = runs.setup().header, runs.results.read()
    if not records:
        raise LoadError(f"no runs in {folder} yet")
    write_report(into, build_report(header, records, runs.all_traces(), judgements))
    out.print(_shown(header, records, language))
    written = message("evals.written", language, path=into / "report.html")
    out.print(written, highlight=False, markup=False, soft_wrap=True)


def _shown(header: RunHeader, records: Sequence[RunRecord], language: Language) -> Table:
    simulated = f" ({message('evals.simulated', language)})" if header.simulated else ""
    title = f"{header.gold} · {header.model or '–'}{simulated}"
    table = Table(title=escape(title), title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in ("mode", "runs", "correct", "refused", "wrong", "time"):
        table.add_column(message(f"evals.{name}", language), justify="right")
    table.columns[0].justify = "left"
    for metrics in measure_modes(records):
        table.add_row(*_row(metrics))
    return table


def _row(metrics: ModeMetrics) -> tuple[str, ...]:
    outcomes = metrics.outcomes
    median = metrics.latency_p50_ms
    return (
        str(metrics.mode),
        str(metrics.n),
        _percent(outcomes.correct),
        _percent(outcomes.refused),
        _percent(outcomes.wrong),
        "–" if median is None else f"{median / 1000:.1f} s",
    )


def _percent(share: Proportion) -> str:
    if share.share is None or share.low is None or share.high is None:
        return "–"
    return f"{share.share:.0%} ({share.low:.0%}–{share.high:.0%})"


_WHOLE_RUN = 7 * 24 * 3600.0
"""The remaining time is estimated from all runs so far."""
_STYLES = {Outcome.CORRECT: "green", Outcome.REFUSED: "yellow", Outcome.WRONG: "red"}


class RunProgress:
    """Counts the runs as they end."""

    def __init__(self, language: Language, *, quiet: bool = False) -> None:
        """A quiet one writes no lines where there is no terminal for the bar."""
        self._language = language
        self._lines = not (quiet or err.is_terminal)
        self._counts = dict.fromkeys(Outcome, 0)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=err,
            disable=not err.is_terminal,
            speed_estimate_period=_WHOLE_RUN,
        )
        self._task = self._bar.add_task("", total=None)

    def __enter__(self) -> Self:
        """Show the bar."""
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave the last state on the screen."""
        self._bar.stop()

    def begin(self, before: int, left: int) -> None:
        """Set the number of runs."""
        self._bar.reset(self._task, total=left, description=self._described())
        if before:
            text = message("evals.goes_on", self._language, before=before, left=left)
            err.print(text, style="dim")

    def see(self, judged: ScoredRun) -> None:
        """Count one finished run."""
        record = judged.record
        self._counts[record.score.outcome] += 1
        self._bar.update(self._task, advance=1, description=self._described())
        if self._lines:
            seconds = record.counters.elapsed_ms / 1000
            key = record.key
            line = f"{key.mode} {key.case} {key.repeat} {record.score.outcome} {seconds:.1f} s"
            err.print(f"{line} {record.detail}".rstrip(), highlight=False, markup=False)

    def _described(self) -> str:
        return " ".join(
            f"[{style}]{self._label(outcome)} {self._counts[outcome]}[/{style}]"
            for outcome, style in _STYLES.items()
        )

    def _label(self, outcome: Outcome) -> str:
        return message(f"evals.{outcome}", self._language)
