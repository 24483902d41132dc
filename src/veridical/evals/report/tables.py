"""The tables of a report, as values that Markdown and HTML both render."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from veridical.evals.comparison.compare import Comparison, Measure, ModeComparison
from veridical.evals.comparison.metrics import ModeMetrics, OutcomeShares
from veridical.evals.comparison.regression import Judgement
from veridical.evals.comparison.statistics import FEWEST_FOR_A_RATE
from veridical.evals.modes.mode import ModeName
from veridical.evals.report.number_format import (
    UNKNOWN,
    amount,
    counted,
    dollars,
    mean_and_spread,
    p_value,
    percent,
    points_with_interval,
    seconds,
    with_interval,
)
from veridical.evals.report.report_data import Report


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table: the first column names the row, the others are figures."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


_TOO_FEW = f"“Too few”: below {FEWEST_FOR_A_RATE} runs there is no rate, only the count."
_MEASURES = {Measure.CORRECT: "correct", Measure.NOT_WRONG: "not wrong"}
Column = tuple[str, Callable[[ModeMetrics], str]]

_OUTCOMES: tuple[Column, ...] = (
    ("runs", lambda each: str(each.n)),
    ("correct", lambda each: with_interval(each.outcomes.correct)),
    ("refused", lambda each: with_interval(each.outcomes.refused)),
    ("wrong", lambda each: with_interval(each.outcomes.wrong)),
    ("figures right", lambda each: counted(each.numeric_correctness)),
    ("expected call", lambda each: counted(each.pattern_compliance)),
    ("forbidden tools", lambda each: str(each.forbidden_tool_uses)),
)
_REPAIRS: tuple[Column, ...] = (
    ("refused calls per run", lambda each: amount(each.avg_validation_failures_per_run, 2)),
    ("runs with a refused call", lambda each: str(each.repair_triggered_count)),
    ("repaired in the next round", lambda each: counted(each.repair_conversion)),
    ("repaired ever", lambda each: counted(each.repair_ever)),
    ("deflections", lambda each: str(each.deflections)),
    ("answers blocked", lambda each: str(each.answers_blocked)),
)
_EFFORT: tuple[Column, ...] = (
    ("rounds", lambda each: amount(each.avg_rounds, 1)),
    ("tokens read", lambda each: amount(each.avg_input_tokens)),
    ("tokens written", lambda each: amount(each.avg_output_tokens)),
    ("cost, all runs", lambda each: dollars(each.cost)),
    ("time p50", lambda each: seconds(each.latency_p50_ms)),
    ("time p95", lambda each: seconds(each.latency_p95_ms)),
    ("timeouts", lambda each: str(each.timeouts)),
)
_CONSISTENCY: tuple[Column, ...] = (
    ("k", lambda each: str(each.consistency.repeats)),
    ("questions", lambda each: str(each.consistency.cases)),
    ("pass^k", lambda each: percent(each.consistency.pass_all)),
    ("pass@k", lambda each: percent(each.consistency.pass_any)),
    ("same outcome", lambda each: percent(each.consistency.same_outcome)),
    ("correct, mean ± sd", lambda each: mean_and_spread(each.accuracy_mean, each.accuracy_sd)),
)


def mode_tables(report: Report) -> tuple[ReportTable, ...]:
    """The results of each mode."""
    return (
        _by_mode(
            report,
            "Outcomes",
            _OUTCOMES,
            "Intervals of 95 % (Wilson), widened where repeats of one question end alike. “Figures "
            "right” and “expected call”: of the runs whose question asks for them, with their "
            f"number. {_TOO_FEW}",
        ),
        _by_mode(
            report,
            "Refused calls and repairs",
            _REPAIRS,
            "Repaired: of the runs in which a call was refused, those in which a call on the data "
            "worked in the round after the first refusal (repairConversionRate), and in any later "
            f"round. {_TOO_FEW}",
        ),
        _by_mode(report, "Effort", _EFFORT, "Rounds and tokens: means of a run."),
        _by_mode(
            report,
            "Consistency",
            _CONSISTENCY,
            "pass^k: correct in all k repeats; pass@k: in at least one; same outcome: all repeats "
            "correct, all refused or all wrong.",
        ),
    )


def _by_mode(report: Report, title: str, columns: tuple[Column, ...], note: str) -> ReportTable:
    return ReportTable(
        report.titled(title),
        ("mode", *(heading for heading, _ in columns)),
        tuple((each.mode.value, *(tell(each) for _, tell in columns)) for each in report.metrics),
        note,
    )


def comparison_tables(report: Report) -> tuple[ReportTable, ...]:
    """Mode against mode, and this run against the saved one."""
    tables = _judgements(report), _comparisons(report)
    return tuple(table for table in tables if table.rows)


def _judgements(report: Report) -> ReportTable:
    return ReportTable(
        report.titled("Against the saved run"),
        (
            "mode",
            "share of",
            "ruling",
            "questions",
            "difference in points",
            "p",
            "p (Holm)",
            "drop that shows",
            "questions to see",
        ),
        tuple(map(_judgement_row, report.judgements)),
        "A drop: larger than allowed, and p < 0.05 after Holm's adjustment for the number of "
        "modes. Unclear: larger than allowed, but it may be chance. Drop that shows: from so many "
        "points on, four times out of five. The last column: about how many questions a smaller "
        "one would take.",
    )


def _judgement_row(judgement: Judgement) -> tuple[str, ...]:
    found = judgement.comparison
    needed = UNKNOWN
    if judgement.target is not None:
        needed = f"{judgement.target * 100:.1f} points: {amount(judgement.cases_needed)}"
    return (
        judgement.mode,
        _MEASURES[found.of],
        f"{judgement.ruling} (at most {judgement.max_drop * 100:g})",
        str(found.cases),
        points_with_interval(found.effect, found.low, found.high),
        p_value(found.p),
        p_value(found.p_adjusted),
        UNKNOWN if judgement.visible is None else f"{judgement.visible * 100:.1f}",
        needed,
    )


def _comparisons(report: Report) -> ReportTable:
    return ReportTable(
        report.titled("Mode against mode"),
        (
            "modes",
            "share of",
            "questions",
            "pairs",
            "only the first",
            "only the second",
            "difference in points",
            "p",
            "p (Holm)",
        ),
        tuple(row for each in report.comparisons for row in _comparison_rows(each)),
        "Paired by question and repeat. Difference: the first mode less the second, with Tango's "
        "score interval of 95 %. p: McNemar's exact test, two-sided, with questions as the unit, "
        "so that repeats are not taken for new questions. p (Holm): the same, adjusted for the "
        "number of comparisons by the same share; this is the one to go by.",
    )


def _comparison_rows(each: ModeComparison) -> Iterable[tuple[str, ...]]:
    names = f"{each.candidate} − {each.reference}"
    for found in (each.correct, each.not_wrong):
        yield (names, _MEASURES[found.of], *_compared(found))


def _compared(found: Comparison) -> tuple[str, ...]:
    return (
        str(found.cases),
        str(found.pairs),
        str(found.won),
        str(found.lost),
        points_with_interval(found.effect, found.low, found.high),
        p_value(found.p),
        p_value(found.p_adjusted),
    )


def breakdown_tables(report: Report) -> tuple[ReportTable, ...]:
    """The outcomes by groups of questions, one table for each grouping."""
    tables = (
        ReportTable(
            report.titled(f"By {name}"),
            (name, "runs of a mode", *(f"{mode}" for mode in report.modes)),
            tuple(_group_row(group, by_mode) for group, by_mode in groups.items()),
            "Correct / wrong; the rest was refused.",
        )
        for name, groups in report.breakdowns.items()
    )
    return tuple(table for table in tables if table.rows)


def _group_row(group: str, by_mode: Mapping[ModeName, OutcomeShares]) -> tuple[str, ...]:
    runs = sorted({shares.correct.of for shares in by_mode.values()})
    counted_runs = str(runs[0]) if len(runs) == 1 else f"{runs[0]} to {runs[-1]}"
    return (group, counted_runs, *map(_correct_and_wrong, by_mode.values()))


def _correct_and_wrong(shares: OutcomeShares) -> str:
    if shares.correct.share is None or shares.wrong.share is None:
        return UNKNOWN
    return f"{shares.correct.share * 100:.0f} % / {shares.wrong.share * 100:.0f} %"
