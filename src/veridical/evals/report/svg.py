"""SVG output: deterministic, readable on light and dark backgrounds."""

from veridical.evals.report.escaping import fitted, safe
from veridical.evals.report.style import COLOURS

WIDTH = 460
"""Narrow enough to be read on a phone, where it shrinks by a quarter."""
TOP = 56
"""Where the drawing begins, below the title and what it is about."""
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
"""How drawings look inside a page, which has the colours."""
_STANDALONE = f"<style>{COLOURS}svg{{background:var(--paper)}}{_SIZES}</style>"

_MARGIN = 14
"""Around a drawing that has no page around it."""
_TITLE, _ABOUT = 52, 76
"""How many letters fit on one line."""

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
    """A line of text; whatever it says is escaped."""
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
