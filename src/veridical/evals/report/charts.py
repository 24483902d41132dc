"""The charts of a report, in their order."""

from veridical.evals.report.chart import Chart
from veridical.evals.report.code_grid import failure_codes
from veridical.evals.report.error_bars import accuracy, effects, latency
from veridical.evals.report.outcome_bars import outcome_bars
from veridical.evals.report.report_data import Report
from veridical.evals.report.token_chart import tokens_against_accuracy


def charts(report: Report) -> tuple[Chart, ...]:
    """All charts for which there are figures."""
    if not report.metrics:
        return ()
    drawn = [outcome_bars(report), accuracy(report)]
    if report.comparisons:
        drawn.append(effects(report))
    if report.failure_codes:
        drawn.append(failure_codes(report))
    return (*drawn, tokens_against_accuracy(report), latency(report))
