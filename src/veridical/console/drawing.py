"""Charts of an answer as drawings for a page, and as descriptions that Vega-Lite draws."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Any

from veridical.console.lead import Panel
from veridical.contracts.language import Language
from veridical.evals.report.svg import Axis
from veridical.facts.printing import Printer

BAR_WIDTH = 320
"""Width of the longest bar, in units of the drawing."""
WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 84, 16, 12, 28
_LONGEST_LABEL = 28
_STEPS = (1, 2, 2.5, 5, 10)
_TICKS = 4
_LABELS = 8
"""The most labels under a line."""
_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
"""The identifier of the schema; nothing is loaded from this address."""
_BAR_STEP = 26


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar."""

    label: str
    text: str
    start: float
    length: float
    is_negative: bool


@dataclass(frozen=True, slots=True)
class Bars:
    """Values as horizontal bars on one scale."""

    bars: tuple[Bar, ...]
    zero: float
    """The place of zero, from which the bars start."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on an axis."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Dot:
    """One value on a line."""

    x: float
    y: float
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """Values over time."""

    points: str
    dots: tuple[Dot, ...]
    upwards: tuple[Tick, ...]
    across: tuple[Tick, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart of an answer."""

    label: str
    unit: str
    vega: str
    """Its description for Vega-Lite, as JSON."""
    bars: Bars | None = None
    line: Line | None = None


def charts_of(panels: Sequence[Panel], language: Language) -> tuple[Chart, ...]:
    """Each panel as a chart, with the separators of the answer's figures."""
    printer = Printer(language, {panel.unit for panel in panels})
    return tuple(
        Chart(
            label=panel.label,
            unit=panel.unit,
            vega=json.dumps(vega_of(panel, printer), ensure_ascii=False),
            bars=None if panel.over_time else bars_of(panel),
            line=line_of(panel, printer) if panel.over_time else None,
        )
        for panel in panels
    )


def bars_of(panel: Panel) -> Bars:
    """Names with their values as bars."""
    values = [point.value for point in panel.points]
    lowest, highest = min(0.0, *values), max(0.0, *values)
    scale = BAR_WIDTH / (highest - lowest)
    bars = tuple(
        Bar(
            label=_fitted(point.name),
            text=point.text,
            start=round((min(point.value, 0.0) - lowest) * scale, 1),
            length=round(max(abs(point.value) * scale, 1.0), 1),
            is_negative=point.value < 0,
        )
        for point in panel.points
    )
    return Bars(bars, round(-lowest * scale, 1))


def line_of(panel: Panel, printer: Printer) -> Line:
    """Values over time as a line."""
    marks = _ticks_of(panel)
    up = Axis(marks[0], marks[-1], HEIGHT - BOTTOM, TOP)
    across = Axis(0, len(panel.points) - 1, LEFT, WIDTH - RIGHT)
    dots = tuple(
        Dot(round(across.at(at), 1), round(up.at(point.value), 1), point.name, point.text)
        for at, point in enumerate(panel.points)
    )
    every = -(-len(dots) // _LABELS)
    return Line(
        points=" ".join(f"{dot.x},{dot.y}" for dot in dots),
        dots=dots,
        upwards=tuple(
            Tick(round(up.at(value), 1), _shown(value, marks, printer)) for value in marks
        ),
        across=tuple(Tick(dot.x, _fitted(dot.label, 12)) for dot in dots[::every]),
    )


def ticks(lowest: float, highest: float) -> tuple[float, ...]:
    """Round values from below the lowest to above the highest; zero is among them unless the
    values are far from it."""
    low = 0.0 if 0 <= lowest <= highest / 2 else lowest
    high = 0.0 if highest <= 0 and lowest / 2 <= highest else highest
    span = (high - low) or abs(high) or 1.0
    power = 10.0 ** floor(log10(span / _TICKS))
    step = next(size * power for size in _STEPS if size * power * _TICKS >= span)
    first = floor(low / step)
    count = 1
    while (first + count) * step < high - step * 1e-9:
        count += 1
    return tuple(round((first + at) * step, 10) for at in range(count + 1))


def vega_of(panel: Panel, printer: Printer) -> dict[str, Any]:
    """The panel for Vega-Lite: the same values with tooltips, in the page's own separators."""
    sample = printer.number(1234.5, 1)
    names = [point.name for point in panel.points]
    name = {"field": "name", "type": "ordinal", "sort": names, "title": None}
    value = {"field": "value", "type": "quantitative", "title": None}
    tips = [
        {"field": "name", "type": "nominal", "title": ""},
        {"field": "text", "type": "nominal", "title": panel.label},
    ]
    described: dict[str, Any] = {
        "$schema": _SCHEMA,
        "usermeta": {"series": [5], "decimal": sample[-2], "thousands": sample[1]},
        "data": {
            "values": [
                {
                    "name": point.name,
                    "value": point.value,
                    "end": max(point.value, 0.0),
                    "text": point.text,
                }
                for point in panel.points
            ]
        },
    }
    if panel.over_time:
        scale = {"zero": 0.0 in _ticks_of(panel)}
        axis = {"format": ",~f", "tickCount": _TICKS}
        encoding = {
            "x": {**name, "axis": {"labelAngle": 0, "labelOverlap": True}},
            "y": {**value, "axis": axis, "scale": scale},
            "tooltip": tips,
        }
        mark = {"type": "line", "point": {"size": 50}, "strokeWidth": 2}
        return {**described, "height": HEIGHT, "mark": mark, "encoding": encoding}
    y = {**name, "axis": {"labelLimit": 220, "ticks": False, "domain": False}}
    bar = {"type": "bar", "cornerRadiusEnd": 2, "height": {"band": 0.7}}
    written = {"type": "text", "align": "left", "dx": 5}
    layers: list[dict[str, Any]] = [
        {"mark": bar, "encoding": {"x": {**value, "axis": None}, "tooltip": tips}},
        {"mark": written, "encoding": {"x": {**value, "field": "end"}, "text": {"field": "text"}}},
    ]
    return {
        **described,
        "height": _BAR_STEP * len(names),
        "view": {"stroke": None},
        "encoding": {"y": y},
        "layer": layers,
    }


def _ticks_of(panel: Panel) -> tuple[float, ...]:
    values = [point.value for point in panel.points]
    return ticks(min(values), max(values))


def _shown(value: float, marks: Sequence[float], printer: Printer) -> str:
    """A tick with as many decimals as any of them needs."""
    digits = next(each for each in range(11) if all(round(one, each) == one for one in marks))
    return printer.number(value, digits)


def _fitted(text: str, most: int = _LONGEST_LABEL) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
