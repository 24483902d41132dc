"""The charts of a report: outcomes, intervals, codes, tokens; each with a text alternative."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from veridical.evals.comparison.metrics import ModeMetrics
from veridical.evals.modes.mode import ModeName
from veridical.evals.report.number_format import MARKS, amount, percent, points, seconds
from veridical.evals.report.report_data import Report
from veridical.evals.report.svg import (
    TOP,
    WIDTH,
    Axis,
    box,
    drawing,
    fitted,
    line,
    nice_top,
    spread_apart,
    tag,
    words,
)
from veridical.evals.scoring.record import Outcome

QUARTERS = (0, 0.25, 0.5, 0.75, 1)
"""The places of an axis's ticks."""
TICK = "middle muted small"
"""The style of a tick's text."""
_BARS_LEFT = 84
_ROW = 30
_BAR = 22
_FIRST_BAR = TOP + 24
_ROOM_FOR_TEXT = 46
_CAP = 5
_BELOW = 24
"""Room for the ticks."""
_MOST_CODES = 14
_CODES_LEFT = 184
_LONGEST_CODE = 26
_CODE_ROW = 26
_FIRST_CODE = TOP + 12
_FAINTEST, _STRONGEST = 0.12, 0.55
"""The strength of a cell's colour; the figure on it stays readable."""
_PLOT_LEFT, _PLOT_RIGHT = 46, WIDTH - 20
_PLOT_BOTTOM = TOP + 190
_UP = Axis(0, 1, _PLOT_BOTTOM, TOP + 6)
_LABEL_HEIGHT = 15
_LABEL_ROOM = 90
_OFF_THE_AXIS = 8


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart that can be embedded in a page or stand in a file of its own."""

    name: str
    title: str
    about: str
    description: str
    body: str
    height: float

    def svg(self, *, alone: bool) -> str:
        """The drawing; one that stands alone brings its colours along."""
        parts = self.title, self.about, self.description, self.body, self.height
        return drawing(*parts, alone=alone)


def chart(
    report: Report,
    name: str,
    title: str,
    texts: Iterable[str],
    body: Iterable[str],
    height: float,
) -> Chart:
    """A chart of a report's figures, which says when they are simulated."""
    description = "; ".join(texts)
    return Chart(name, report.titled(title), report.about, description, "".join(body), height)


def outcome_bars(report: Report) -> Chart:
    """Correct, refused and wrong, adding up to all runs."""
    texts = (
        f"{each.mode} " + ", ".join(f"{name} {percent(of)}" for name, of in _shares(each).items())
        for each in report.metrics
    )
    body = [*_legend()]
    for number, each in enumerate(report.metrics):
        y = _FIRST_BAR + number * _ROW
        body += [words(0, y + 15, each.mode), *_bar(each, y)]
    height = _FIRST_BAR + _ROW * len(report.metrics)
    return chart(report, "outcomes", "Correct, refused, wrong", texts, body, height)


def _legend() -> Iterable[str]:
    for number, outcome in enumerate(Outcome):
        x = _BARS_LEFT + number * 104
        yield box(x, TOP - 6, 14, 14, outcome)
        yield words(x + 20, TOP + 6, f"{MARKS[outcome]} {outcome}")


def _bar(each: ModeMetrics, y: float) -> Iterable[str]:
    axis = Axis(0, 1, _BARS_LEFT, WIDTH)
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
    texts = (f"{row.label} {row.text}, {percent(row.low)} to {percent(row.high)}" for row in rows)
    body = _whiskers(rows, Axis(0, 1, 84, WIDTH - 76), lambda tick: f"{tick * 100:.0f} %")
    title = "Correct answers, with 95 % intervals"
    return chart(report, "accuracy", title, texts, body, _whiskers_height(rows))


def effects(report: Report) -> Chart:
    """The gain of each mode over another."""
    rows = [
        _ErrorBar(
            f"{each.candidate} − {each.reference}", found.effect, found.low, found.high, texts
        )
        for each in report.comparisons
        for found in (each.correct,)
        for texts in (points(found.effect),)
    ]
    reach = [abs(end) for row in rows for end in (row.low, row.high) if end is not None]
    most = min(1.0, nice_top(max(reach, default=1.0)))
    texts = (f"{row.label} {row.text}, {points(row.low)} to {points(row.high)}" for row in rows)
    body = _whiskers(
        rows, Axis(-most, most, 160, WIDTH - 56), lambda tick: f"{tick * 100:+.0f}" if tick else "0"
    )
    title = "Gain in correct answers, in points"
    return chart(report, "effects", title, texts, body, _whiskers_height(rows))


def latency(report: Report) -> Chart:
    """From the time of half of the runs to the time of nearly all."""
    rows = [
        _ErrorBar(each.mode, each.latency_p50_ms, None, each.latency_p95_ms, _span(each))
        for each in report.metrics
    ]
    longest = max((row.high or 0.0 for row in rows), default=0.0)
    body = _whiskers(
        rows, Axis(0, nice_top(longest), 84, WIDTH - 116), lambda tick: f"{tick / 1000:g} s"
    )
    texts = (f"{row.label} {row.text}" for row in rows)
    title = "Time of a run, median to 95th percentile"
    return chart(report, "latency", title, texts, body, _whiskers_height(rows))


def _span(each: ModeMetrics) -> str:
    return f"{seconds(each.latency_p50_ms)} – {seconds(each.latency_p95_ms)}"


def _whiskers(
    rows: Sequence[_ErrorBar], axis: Axis, ticked: Callable[[float], str]
) -> Iterable[str]:
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


def _whiskers_height(rows: Sequence[_ErrorBar]) -> float:
    return TOP + len(rows) * _ROW + _BELOW


def failure_codes(report: Report) -> Chart:
    """The codes that came up most."""
    shown = dict(list(report.failure_codes.items())[:_MOST_CODES])
    left_out = len(report.failure_codes) - len(shown)
    texts = (
        f"{code}: " + ", ".join(f"{mode} {by_mode.get(mode, 0)}" for mode in report.modes)
        for code, by_mode in shown.items()
    )
    body = list(_grid(report, shown))
    bottom = _FIRST_CODE + len(shown) * _CODE_ROW + 4
    if left_out:
        body.append(words(0, bottom + 14, f"and {left_out} rarer codes", "muted small"))
        bottom += 20
    title = "Refusals and blocked answers, by code"
    return chart(report, "codes", title, texts, body, bottom)


def _grid(report: Report, shown: Mapping[str, Mapping[ModeName, int]]) -> Iterable[str]:
    width = (WIDTH - _CODES_LEFT) / len(report.modes)
    most = max(count for by_mode in shown.values() for count in by_mode.values())
    for column, mode in enumerate(report.modes):
        yield words(_CODES_LEFT + (column + 0.5) * width, TOP + 4, mode, "middle muted tiny")
    for row, (code, by_mode) in enumerate(shown.items()):
        y = _FIRST_CODE + row * _CODE_ROW
        yield words(0, y + 16, fitted(code, _LONGEST_CODE), "small")
        for column, mode in enumerate(report.modes):
            count = by_mode.get(mode, 0)
            yield from _cell(_CODES_LEFT + column * width, y, width, count, count / most)


def _cell(x: float, y: float, width: float, count: int, strength: float) -> Iterable[str]:
    middle = x + width / 2
    if not count:
        yield words(middle, y + 16, "·", "middle small muted")
        return
    opacity = _FAINTEST + (_STRONGEST - _FAINTEST) * strength
    yield box(x + 1, y, width - 2, _CODE_ROW - 2, "heat", opacity)
    yield words(middle, y + 16, str(count), "middle small")


def tokens_against_accuracy(report: Report) -> Chart:
    """A dot for each mode: the further up and left, the better."""
    most = max((each.avg_tokens or 0.0 for each in report.metrics), default=0.0)
    across = Axis(0, nice_top(most), _PLOT_LEFT, _PLOT_RIGHT)
    texts = (
        f"{each.mode} {amount(each.avg_tokens)} tokens, {percent(each.accuracy)} correct"
        for each in report.metrics
    )
    body = (*_ticks(across), *_dots(report, across))
    title = "Correct answers against tokens"
    return chart(report, "tokens", title, texts, body, _PLOT_BOTTOM + 44)


def _ticks(across: Axis) -> Iterable[str]:
    for part in QUARTERS:
        y, tokens = _UP.at(part), across.high * part
        yield line(_PLOT_LEFT, y, _PLOT_RIGHT, y)
        yield words(_PLOT_LEFT - 6, y + 4, f"{part * 100:.0f} %", "end muted small")
        named = f"{tokens / 1000:g} k" if tokens >= 1000 else f"{tokens:g}"
        yield words(across.at(tokens), _PLOT_BOTTOM + 18, named, TICK)
    yield words(
        (_PLOT_LEFT + _PLOT_RIGHT) / 2, _PLOT_BOTTOM + 36, "tokens of a run, read and written", TICK
    )


def _dots(report: Report, across: Axis) -> Iterable[str]:
    dots = [
        (across.at(each.avg_tokens), _UP.at(each.accuracy), each.mode)
        for each in report.metrics
        if each.avg_tokens is not None and each.accuracy is not None
    ]
    heights = spread_apart([y for _, y, _ in dots], _LABEL_HEIGHT, _PLOT_BOTTOM - _OFF_THE_AXIS)
    for (x, y, mode), label_y in zip(dots, heights, strict=True):
        is_at_the_edge = x > _PLOT_RIGHT - _LABEL_ROOM
        yield tag("circle", cx=x, cy=y, r=5, class_="mark")
        yield words(
            x - 10 if is_at_the_edge else x + 10, label_y + 4, mode, "end" if is_at_the_edge else ""
        )


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
