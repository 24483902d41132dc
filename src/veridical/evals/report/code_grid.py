"""The chart of refusal and block codes, counted for each mode."""

from collections.abc import Iterable, Mapping

from veridical.evals.modes.mode import ModeName
from veridical.evals.report.chart import Chart, chart
from veridical.evals.report.escaping import fitted
from veridical.evals.report.report_data import Report
from veridical.evals.report.svg import TOP, WIDTH, box, words

_MOST_CODES = 14
_LEFT = 184
_LONGEST_CODE = 26
_ROW = 26
_FIRST_ROW = TOP + 12
_FAINTEST, _STRONGEST = 0.12, 0.55
"""How strong a cell's colour is; the figure on it stays readable."""


def failure_codes(report: Report) -> Chart:
    """The codes that came up most."""
    shown = dict(list(report.failure_codes.items())[:_MOST_CODES])
    left_out = len(report.failure_codes) - len(shown)
    told = (
        f"{code}: " + ", ".join(f"{mode} {by_mode.get(mode, 0)}" for mode in report.modes)
        for code, by_mode in shown.items()
    )
    body = list(_grid(report, shown))
    bottom = _FIRST_ROW + len(shown) * _ROW + 4
    if left_out:
        body.append(words(0, bottom + 14, f"and {left_out} rarer codes", "muted small"))
        bottom += 20
    title = "Refusals and blocked answers, by code"
    return chart(report, "codes", title, told, body, bottom)


def _grid(report: Report, shown: Mapping[str, Mapping[ModeName, int]]) -> Iterable[str]:
    width = (WIDTH - _LEFT) / len(report.modes)
    most = max(count for by_mode in shown.values() for count in by_mode.values())
    for column, mode in enumerate(report.modes):
        yield words(_LEFT + (column + 0.5) * width, TOP + 4, mode, "middle muted tiny")
    for row, (code, by_mode) in enumerate(shown.items()):
        y = _FIRST_ROW + row * _ROW
        yield words(0, y + 16, fitted(code, _LONGEST_CODE), "small")
        for column, mode in enumerate(report.modes):
            count = by_mode.get(mode, 0)
            yield from _cell(_LEFT + column * width, y, width, count, count / most)


def _cell(x: float, y: float, width: float, count: int, strength: float) -> Iterable[str]:
    middle = x + width / 2
    if not count:
        yield words(middle, y + 16, "·", "middle small muted")
        return
    opacity = _FAINTEST + (_STRONGEST - _FAINTEST) * strength
    yield box(x + 1, y, width - 2, _ROW - 2, "heat", opacity)
    yield words(middle, y + 16, str(count), "middle small")
