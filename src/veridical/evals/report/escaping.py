"""Escapes foreign text in HTML and SVG, so that it is shown and never interpreted."""

import re
from html import escape

_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def safe(text: object) -> str:
    """Any text, for HTML and SVG."""
    return escape(_UNPRINTABLE.sub("�", str(text).replace("\r\n", "\n")))


def fitted(text: str, most: int) -> str:
    """A text with at most so many letters, the last of them a mark that there were more."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
