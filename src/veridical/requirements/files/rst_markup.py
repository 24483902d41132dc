"""reStructuredText within a sentence, without its marks."""

import re

_ROLE = re.compile(r"(?<![\w:+-]):[\w:+-]+:`(?:([^`<]*)<[^`>]*>|([^`]*))`")
_MARKS = re.compile(r"``|\*\*|(?<!\w)[*`]|[*`]_{0,2}(?!\w)")


def plain(text: str) -> str:
    """The words as a reader sees them."""
    return _MARKS.sub("", _ROLE.sub(_shown, text)).strip()


def _shown(role: re.Match[str]) -> str:
    return (role[1] or "").rstrip() or role[2] or ""
