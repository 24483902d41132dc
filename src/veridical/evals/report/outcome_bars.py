"""The chart of outcomes: one stacked bar for each mode."""

from collections.abc import Iterable, Mapping

from veridical.evals.comparison.metrics import ModeMetrics
from veridical.evals.report.axis import Axis
from veridical.evals.report.chart import Chart, chart
from veridical.evals.report.number_format import MARKS, percent
from veridical.evals.report.report_data import Report
from veridical.evals.report.svg import TOP, WIDTH, box, words
from veridical.evals.scoring.record import Outcome

_LEFT = 84
_ROW = 30
_BAR = 22
_FIRST_ROW = TOP + 24
_ROOM_FOR_TEXT = 46


def outcome_bars(report: Report) -> Chart:
    """Correct, refused and wrong, adding up to all runs."""
    told = (
        f"{each.mode} " + ", ".join(f"{name} {percent(of)}" for name, of in _shares(each).items())
        for each in report.metrics
    )
    body = [*_legend()]
    for number, each in enumerate(report.metrics):
        y = _FIRST_ROW + number * _ROW
        body += [words(0, y + 15, each.mode), *_bar(each, y)]
    height = _FIRST_ROW + _ROW * len(report.metrics)
    return chart(report, "outcomes", "Correct, refused, wrong", told, body, height)


def _legend() -> Iterable[str]:
    for number, outcome in enumerate(Outcome):
        x = _LEFT + number * 104
        yield box(x, TOP - 6, 14, 14, outcome)
        yield words(x + 20, TOP + 6, f"{MARKS[outcome]} {outcome}")


def _bar(each: ModeMetrics, y: float) -> Iterable[str]:
    axis = Axis(0, 1, _LEFT, WIDTH)
    begin = 0.0
    for outcome, share in _shares(each).items():
        if not share:
            continue
        x, width = axis.at(begin), axis.at(begin + share) - axis.at(begin)
        yield box(x, y, max(0.5, width - 1), _BAR, outcome)
        if width > _ROOM_FOR_TEXT:
            label = f"{MARKS[outcome]} {share * 100:.0f} %"
            yield words(x + width / 2, y + 15, label, "on middle")
        begin += share


def _shares(each: ModeMetrics) -> Mapping[Outcome, float | None]:
    shares = each.outcomes
    found = shares.correct.share, shares.refused.share, shares.wrong.share
    return dict(zip(Outcome, found, strict=True))
