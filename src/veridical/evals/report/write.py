"""Writes the files of a report."""

from pathlib import Path

from veridical.evals.report.charts import charts
from veridical.evals.report.html import as_html
from veridical.evals.report.markdown import CHARTS, as_markdown
from veridical.evals.report.report_data import Report


def write_report(folder: Path, report: Report) -> None:
    """Write ``report.md``, ``report.html`` and ``charts/*.svg``; alike for the same report."""
    (folder / CHARTS).mkdir(parents=True, exist_ok=True)
    _write(folder / "report.md", as_markdown(report))
    _write(folder / "report.html", as_html(report))
    for chart in charts(report):
        _write(folder / CHARTS / f"{chart.name}.svg", chart.svg(alone=True) + "\n")


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8", errors="replace", newline="\n")
