"""Drawings of shares with their intervals: against a cost, or over reports; for a page, and as a
description that Vega-Lite draws where people explore."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.evals.report.svg import Axis, nice_top

WIDTH, HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 16, 14, 40
_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
"""The identifier of the schema; nothing is loaded from this address."""
_SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross")
"""By the number of a series, as the page draws them."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One share, with what it is drawn over."""

    series: str
    number: int
    """The number of the series: its colour and its shape."""
    x: float
    label: str
    """Its label on the axis, or its cost."""
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Mark:
    """One share in the drawing."""

    x: float
    y: float
    low: float
    high: float
    number: int
    title: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on an axis."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Plot:
    """The drawing."""

    marks: tuple[Mark, ...]
    lines: tuple[tuple[int, str], ...]
    """Points of a line for each series that has several marks."""
    names: tuple[tuple[int, str], ...]
    """The name of each series."""
    across: tuple[Tick, ...]
    upwards: tuple[Tick, ...]
    left: int = _LEFT
    right: int = WIDTH - _RIGHT
    top: int = _TOP
    bottom: int = HEIGHT - _BOTTOM


def cost_plot(measured: Sequence[Measured]) -> Plot:
    """Shares against what a run costs."""
    highest = nice_top(max((each.x for each in measured), default=0.0))
    axis = Axis(0, highest, _LEFT, WIDTH - _RIGHT)
    ticks = tuple(Tick(axis.at(highest * part), _amount(highest * part)) for part in _QUARTERS)
    return _plot(measured, axis, ticks, joined=False)


def trend_plot(measured: Sequence[Measured]) -> Plot:
    """Shares over reports, the oldest left."""
    last = max((each.x for each in measured), default=0.0)
    axis = Axis(-0.5, last + 0.5, _LEFT, WIDTH - _RIGHT)
    names = {each.x: each.label for each in measured}
    ticks = tuple(Tick(axis.at(x), name) for x, name in sorted(names.items()))
    return _plot(measured, axis, ticks, joined=True)


def _plot(
    measured: Sequence[Measured], axis: Axis, across: tuple[Tick, ...], *, joined: bool
) -> Plot:
    up = Axis(0, 1, HEIGHT - _BOTTOM, _TOP)
    marks = tuple(_mark(each, axis, up) for each in measured)
    by_series: dict[int, list[Mark]] = {}
    for mark in marks:
        by_series.setdefault(mark.number, []).append(mark)
    return Plot(
        marks=marks,
        lines=tuple(
            (number, " ".join(f"{mark.x},{mark.y}" for mark in each))
            for number, each in by_series.items()
            if joined and len(each) > 1
        ),
        names=tuple({each.number: each.series for each in measured}.items()),
        across=across,
        upwards=tuple(Tick(up.at(part), f"{part:.0%}") for part in _QUARTERS),
    )


def _mark(each: Measured, axis: Axis, up: Axis) -> Mark:
    title = f"{each.series} · {each.label}: {each.share:.1%} [{each.low:.1%}, {each.high:.1%}]"
    x, y, low, high = axis.at(each.x), up.at(each.share), up.at(each.low), up.at(each.high)
    return Mark(round(x, 1), round(y, 1), round(low, 1), round(high, 1), each.number, title)


def _amount(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 or value == 0 else f"{value:.3g}"


def cost_chart(measured: Sequence[Measured], titles: Mapping[str, str]) -> dict[str, Any]:
    """The same for Vega-Lite: with tooltips, zoom by wheel and drag, and a clickable legend."""
    x = {
        "field": "x",
        "type": "quantitative",
        "title": titles["cost"],
        "scale": {"zero": True, "padding": 16},
    }
    return _chart(measured, titles, x, joined=False)


def trend_chart(measured: Sequence[Measured], titles: Mapping[str, str]) -> dict[str, Any]:
    """The trend for Vega-Lite."""
    order = list(dict.fromkeys(each.label for each in sorted(measured, key=lambda one: one.x)))
    x = {"field": "label", "type": "ordinal", "title": titles["report"], "sort": order}
    return _chart(measured, titles, {**x, "axis": {"labelAngle": 0}}, joined=True)


def _chart(
    measured: Sequence[Measured], titles: Mapping[str, str], x: dict[str, Any], *, joined: bool
) -> dict[str, Any]:
    share = {"type": "quantitative", "axis": {"format": ".0%"}, "title": titles["share"]}
    picked = {"param": "picked", "value": 1}
    look: dict[str, Any] = {
        "x": x,
        "color": {
            "field": "series",
            "type": "nominal",
            "title": titles["mode"],
            "sort": None,
            "legend": {"columns": 2},
        },
        "opacity": {"condition": picked, "value": 0.15},
    }
    series = {each.series: each.number for each in measured}
    drawn = {"domain": [*series], "range": [_SHAPES[number - 1] for number in series.values()]}
    shape = {**look["color"], "scale": drawn}
    tips = [
        {"field": "series", "title": titles["mode"]},
        {"field": "label", "title": titles["cost" if not joined else "report"]},
        {"field": "share", "format": ".1%", "title": titles["share"]},
        {"field": "low", "format": ".1%", "title": titles["low"]},
        {"field": "high", "format": ".1%", "title": titles["high"]},
    ]
    y = {"field": "share", "scale": {"domain": [0, 1]}, **share}
    whisker = {"y": {"field": "low", **share}, "y2": {"field": "high"}}
    layers: list[dict[str, Any]] = [
        {"mark": "rule", "encoding": {**look, **whisker}},
        {
            "mark": {"type": "point", "filled": True, "size": 90},
            "params": [
                {
                    "name": "picked",
                    "select": {"type": "point", "fields": ["series"]},
                    "bind": "legend",
                }
            ],
            "encoding": {**look, "shape": shape, "y": y, "tooltip": tips},
        },
    ]
    if joined:
        layers.insert(0, {"mark": "line", "encoding": {**look, "y": y}})
    else:
        layers[1]["params"].append({"name": "zoomed", "select": "interval", "bind": "scales"})
    values = [
        {name: getattr(each, name) for name in ("series", "x", "label", "share", "low", "high")}
        for each in measured
    ]
    return {
        "$schema": _SCHEMA,
        "usermeta": {"series": [*series.values()]},
        "height": 320,
        "data": {"values": values},
        "layer": layers,
    }
