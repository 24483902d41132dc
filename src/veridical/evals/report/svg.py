"""Drawings as SVG: escaped texts, shapes, the axis, light and dark backgrounds."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import floor, log10

_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def safe(text: object) -> str:
    """Any text, for HTML and SVG."""
    return escape(_UNPRINTABLE.sub("�", str(text).replace("\r\n", "\n")))


def fitted(text: str, most: int) -> str:
    """A text with at most so many letters, the last of them a mark that there were more."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


@dataclass(frozen=True, slots=True)
class Axis:
    """A linear scale from ``low``–``high`` to ``start``–``end``."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The place of a value."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def nice_top(largest: float) -> float:
    """A round end of an axis that has room for the largest value, with round quarters."""
    if largest <= 0:
        return 1.0
    power = 10.0 ** floor(log10(largest))
    return next(step * power for step in (1.2, 2, 4, 6, 8, 12) if step * power >= largest)


def spread_apart(places: Sequence[float], gap: float, lowest: float) -> list[float]:
    """The places, each so far from the one above it: moved down, and where that ends below the
    lowest that there is room for, up again."""
    moved = list(places)
    downwards = sorted(range(len(places)), key=lambda each: (places[each], each))
    for above, number in pairwise(downwards):
        moved[number] = max(moved[number], moved[above] + gap)
    floor_of_next = lowest
    for number in reversed(downwards):
        moved[number] = min(moved[number], floor_of_next)
        floor_of_next = moved[number] - gap
    return moved


_LIGHT = (
    "--paper:#fff;--panel:#f5f6f8;--ink:#1b1f24;--muted:#59636e;--line:#d4d9e0;--on:#fff;"
    "--correct:#0a6aa8;--refused:#69707a;--wrong:#b34700;--accent:#5b3f9e;--link:#0a5a94"
)
_DARK = (
    "--paper:#14171b;--panel:#1d2127;--ink:#e8eaed;--muted:#a3acb8;--line:#3a414b;--on:#11151a;"
    "--correct:#5cb6ee;--refused:#9aa3ae;--wrong:#ff9b61;--accent:#b9a3f5;--link:#7cc4f5"
)
COLOURS = (
    f":root{{color-scheme:light;{_LIGHT}}}"
    f"@media (prefers-color-scheme:dark){{:root{{color-scheme:dark;{_DARK}}}}}"
)

WIDTH = 460
"""Narrow enough to be read on a phone, where it shrinks by a quarter."""
TOP = 56
"""The top of the drawing, below its title and subtitle."""
_SIZES = (
    "text{font:13px system-ui,sans-serif;fill:var(--ink)}"
    ".title{font-weight:600;font-size:15px}.muted{fill:var(--muted)}.small{font-size:11px}"
    ".tiny{font-size:10px}"
    ".on{fill:var(--on);font-weight:600;font-size:12px}"
    ".end{text-anchor:end}.middle{text-anchor:middle}.line{stroke:var(--line);fill:none}"
    ".zero{stroke:var(--muted)}.mark{stroke:var(--accent);fill:var(--accent)}.stem{stroke:var(--accent);stroke-width:2}"
    ".correct{fill:var(--correct)}.refused{fill:var(--refused)}.wrong{fill:var(--wrong)}"
    ".heat{fill:var(--accent)}"
)
DRAWING_STYLE = _SIZES
"""The style of drawings inside a page, which has the colours."""
_STANDALONE = f"<style>{COLOURS}svg{{background:var(--paper)}}{_SIZES}</style>"

_MARGIN = 14
"""Around a drawing that has no page around it."""
_TITLE, _ABOUT = 52, 76
"""The number of letters that fit on one line."""

Attribute = str | float


def tag(name: str, *children: str, **attributes: Attribute) -> str:
    """An element; ``class_`` and ``text_anchor`` stand for the names with a dash or a keyword."""
    text = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{safe(_value(value))}"'
        for key, value in attributes.items()
    )
    return f"<{name}{text}>{''.join(children)}</{name}>" if children else f"<{name}{text}/>"


def _value(value: Attribute) -> str:
    return value if isinstance(value, str) else f"{round(value, 2):g}"


def words(x: float, y: float, text: str, class_: str = "") -> str:
    """A line of text, escaped."""
    return tag("text", safe(text), x=x, y=y, class_=class_)


def line(x1: float, y1: float, x2: float, y2: float, class_: str = "line") -> str:
    """A straight line."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def box(x: float, y: float, width: float, height: float, class_: str, opacity: float = 1) -> str:
    """A filled rectangle."""
    shape = {"x": x, "y": y, "width": width, "height": height}
    faded: dict[str, Attribute] = {} if opacity == 1 else {"fill_opacity": opacity}
    return tag("rect", **shape, class_=class_, **faded)


def drawing(
    title: str, about: str, description: str, body: str, height: float, *, alone: bool
) -> str:
    """A whole drawing with its title; one that stands alone brings its colours along."""
    head = (
        tag("title", safe(title)),
        tag("desc", safe(description)),
        _STANDALONE if alone else "",
        words(0, 18, fitted(title, _TITLE), "title"),
        words(0, 36, fitted(about, _ABOUT), "muted small"),
    )
    margin = _MARGIN if alone else 0
    width, tall = WIDTH + 2 * margin, height + 2 * margin
    size: dict[str, Attribute] = {"width": width, "height": tall} if alone else {}
    return tag(
        "svg",
        *head,
        body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{-margin} {-margin} {width} {tall:g}",
        role="img",
        **size,
    )
