"""Charts with error bars: accuracy, effects and latency with their intervals."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from veridical.evals.comparison.metrics import ModeMetrics
from veridical.evals.report.axis import Axis, nice_top
from veridical.evals.report.chart import QUARTERS, TICK, Chart, chart
from veridical.evals.report.number_format import percent, points, seconds
from veridical.evals.report.report_data import Report
from veridical.evals.report.svg import TOP, WIDTH, line, tag, words

_ROW = 30
_CAP = 5
_BELOW = 24
"""Room for the ticks."""


@dataclass(frozen=True, slots=True)
class _ErrorBar:
    label: str
    at: float | None
    low: float | None
    high: float | None
    text: str


def accuracy(report: Report) -> Chart:
    """The share of correct runs of each mode."""
    rows = [
        _ErrorBar(each.mode, found.share, found.low, found.high, percent(found.share))
        for each in report.metrics
        for found in (each.outcomes.correct,)
    ]
    told = (f"{row.label} {row.text}, {percent(row.low)} to {percent(row.high)}" for row in rows)
    body = _drawn(rows, Axis(0, 1, 84, WIDTH - 76), lambda tick: f"{tick * 100:.0f} %")
    title = "Correct answers, with 95 % intervals"
    return chart(report, "accuracy", title, told, body, _height(rows))


def effects(report: Report) -> Chart:
    """What each mode gains over another."""
    rows = [
        _ErrorBar(f"{each.candidate} − {each.reference}", found.effect, found.low, found.high, told)
        for each in report.comparisons
        for found in (each.correct,)
        for told in (points(found.effect),)
    ]
    reach = [abs(end) for row in rows for end in (row.low, row.high) if end is not None]
    most = min(1.0, nice_top(max(reach, default=1.0)))
    told = (f"{row.label} {row.text}, {points(row.low)} to {points(row.high)}" for row in rows)
    body = _drawn(
        rows, Axis(-most, most, 160, WIDTH - 56), lambda tick: f"{tick * 100:+.0f}" if tick else "0"
    )
    title = "Gain in correct answers, in points"
    return chart(report, "effects", title, told, body, _height(rows))


def latency(report: Report) -> Chart:
    """From the time of half of the runs to the time of nearly all."""
    rows = [
        _ErrorBar(each.mode, each.latency_p50_ms, None, each.latency_p95_ms, _span(each))
        for each in report.metrics
    ]
    longest = max((row.high or 0.0 for row in rows), default=0.0)
    body = _drawn(
        rows, Axis(0, nice_top(longest), 84, WIDTH - 116), lambda tick: f"{tick / 1000:g} s"
    )
    told = (f"{row.label} {row.text}" for row in rows)
    title = "Time of a run, median to 95th percentile"
    return chart(report, "latency", title, told, body, _height(rows))


def _span(each: ModeMetrics) -> str:
    return f"{seconds(each.latency_p50_ms)} – {seconds(each.latency_p95_ms)}"


def _drawn(rows: Sequence[_ErrorBar], axis: Axis, ticked: Callable[[float], str]) -> Iterable[str]:
    bottom = TOP + len(rows) * _ROW
    for part in QUARTERS:
        value = axis.low + (axis.high - axis.low) * part
        x = axis.at(value)
        yield line(x, TOP, x, bottom, "line" if value or not axis.low else "zero")
        yield words(x, bottom + 16, ticked(value), TICK)
    for number, row in enumerate(rows):
        y = TOP + (number + 0.5) * _ROW
        yield words(0, y + 4, row.label)
        if row.at is not None:
            yield from _whisker(row, row.at, axis, y)


def _whisker(row: _ErrorBar, at: float, axis: Axis, y: float) -> Iterable[str]:
    ends = [axis.at(end) for end in (row.low, row.high) if end is not None]
    reach = [axis.at(at), *ends]
    yield line(min(reach), y, max(reach), y, "stem")
    yield from (line(end, y - _CAP, end, y + _CAP, "stem") for end in ends)
    yield tag("circle", cx=axis.at(at), cy=y, r=5, class_="mark")
    yield words(WIDTH, y + 4, row.text, "end")


def _height(rows: Sequence[_ErrorBar]) -> float:
    return TOP + len(rows) * _ROW + _BELOW
