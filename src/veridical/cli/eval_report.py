"""Implementation of ``veridical eval report``, and the summary table at the end of every run."""

from collections.abc import Sequence
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from veridical.cli.error_reporting import out
from veridical.contracts.language import Language
from veridical.evals.comparison.metrics import ModeMetrics, measure_modes
from veridical.evals.comparison.regression import Judgement
from veridical.evals.comparison.statistics import Proportion
from veridical.evals.report.report_data import build_report
from veridical.evals.report.write import write_report
from veridical.evals.scoring.record import RunRecord
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
