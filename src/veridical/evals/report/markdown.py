"""The report as Markdown, with its charts as files beside it."""

import re
from collections.abc import Iterator

from veridical.evals.report.charts import charts
from veridical.evals.report.number_format import MARKS, SIMULATED, UNKNOWN
from veridical.evals.report.report_data import CaseRuns, Report
from veridical.evals.report.tables import (
    ReportTable,
    breakdown_tables,
    comparison_tables,
    mode_tables,
)

CHARTS = "charts"
"""The folder of the drawings, beside the page."""
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#!~$&])")


def as_markdown(report: Report) -> str:
    """The whole page."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    header = report.header
    yield f"# {report.titled(plain(f'{header.gold}: {header.model}'))}"
    yield ""
    if header.simulated:
        yield f"**Simulated model.** {SIMULATED}"
        yield ""
    yield from _about(report)
    for chart in charts(report):
        yield f"![{plain(chart.title)}: {plain(chart.description)}]({CHARTS}/{chart.name}.svg)"
        yield ""
    for table in mode_tables(report):
        yield from _table(table)
    compared = comparison_tables(report)
    for table in (*compared, *breakdown_tables(report), _questions(report)):
        yield from _table(table)
    yield f"Marks: {', '.join(f'{mark} {outcome}' for outcome, mark in MARKS.items())}. Answers and"
    yield "the story of each run are in [report.html](report.html)."


def _about(report: Report) -> Iterator[str]:
    header = report.header
    yield f"- Gold set: {plain(header.gold)}, {header.cases} questions × {header.repeats} repeats"
    yield f"- Model: {plain(header.model_label)}"
    yield f"- Runs: {len(report.records)}"
    settings = ", ".join(
        f"{name} {UNKNOWN if value is None else value}"
        for name, value in sorted(header.settings.items())
    )
    if settings:
        yield f"- Settings: {plain(settings)}"
    yield f"- Veridical {plain(header.version)}"
    yield ""


def _questions(report: Report) -> ReportTable:
    return ReportTable(
        report.titled("Each question in each mode"),
        ("question", *report.modes),
        tuple(_question_row(report, case) for case in report.cases),
    )


def _question_row(report: Report, case: CaseRuns) -> tuple[str, ...]:
    marks = (
        "".join(MARKS[run.score.outcome] for run in case.runs.get(mode, ()))
        for mode in report.modes
    )
    return (f"{case.case}: {case.question}", *marks)


def _table(table: ReportTable) -> Iterator[str]:
    yield f"## {plain(table.title)}"
    yield ""
    yield _row(table.headings)
    yield _row(("---", *("--:" for _ in table.headings[1:])), is_plain=True)
    yield from map(_row, table.rows)
    yield ""
    if table.note:
        yield plain(table.note)
        yield ""


def _row(cells: tuple[str, ...], *, is_plain: bool = False) -> str:
    return f"| {' | '.join(cells if is_plain else map(plain, cells))} |"


def plain(text: str) -> str:
    """Text without any effect in Markdown, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
