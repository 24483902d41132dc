"""The chart of tokens against accuracy."""

from collections.abc import Iterable

from veridical.evals.report.axis import Axis, nice_top, spread_apart
from veridical.evals.report.chart import QUARTERS, TICK, Chart, chart
from veridical.evals.report.number_format import amount, percent
from veridical.evals.report.report_data import Report
from veridical.evals.report.svg import TOP, WIDTH, line, tag, words

_LEFT, _RIGHT = 46, WIDTH - 20
_BOTTOM = TOP + 190
_UP = Axis(0, 1, _BOTTOM, TOP + 6)
_LABEL_HEIGHT = 15
_LABEL_ROOM = 90
_OFF_THE_AXIS = 8


def tokens_against_accuracy(report: Report) -> Chart:
    """A dot for each mode: the further up and left, the better."""
    most = max((each.avg_tokens or 0.0 for each in report.metrics), default=0.0)
    across = Axis(0, nice_top(most), _LEFT, _RIGHT)
    told = (
        f"{each.mode} {amount(each.avg_tokens)} tokens, {percent(each.accuracy)} correct"
        for each in report.metrics
    )
    body = (*_ticks(across), *_dots(report, across))
    title = "Correct answers against tokens"
    return chart(report, "tokens", title, told, body, _BOTTOM + 44)


def _ticks(across: Axis) -> Iterable[str]:
    for part in QUARTERS:
        y, tokens = _UP.at(part), across.high * part
        yield line(_LEFT, y, _RIGHT, y)
        yield words(_LEFT - 6, y + 4, f"{part * 100:.0f} %", "end muted small")
        named = f"{tokens / 1000:g} k" if tokens >= 1000 else f"{tokens:g}"
        yield words(across.at(tokens), _BOTTOM + 18, named, TICK)
    yield words((_LEFT + _RIGHT) / 2, _BOTTOM + 36, "tokens of a run, read and written", TICK)


def _dots(report: Report, across: Axis) -> Iterable[str]:
    dots = [
        (across.at(each.avg_tokens), _UP.at(each.accuracy), each.mode)
        for each in report.metrics
        if each.avg_tokens is not None and each.accuracy is not None
    ]
    heights = spread_apart([y for _, y, _ in dots], _LABEL_HEIGHT, _BOTTOM - _OFF_THE_AXIS)
    for (x, y, mode), label_y in zip(dots, heights, strict=True):
        is_at_the_edge = x > _RIGHT - _LABEL_ROOM
        yield tag("circle", cx=x, cy=y, r=5, class_="mark")
        yield words(
            x - 10 if is_at_the_edge else x + 10, label_y + 4, mode, "end" if is_at_the_edge else ""
        )
