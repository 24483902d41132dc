"""reStructuredText within a sentence, without its marks."""

import re

_ROLE = re.compile(r":[\w:+-]+:`(?:([^`<]*?)\s*<[^`>]*>|([^`]*))`")
_MARKS = re.compile(r"``|\*\*|(?<!\w)[*`]|[*`]_{0,2}(?!\w)")


def plain(text: str) -> str:
    """The words as a reader sees them."""
    return _MARKS.sub("", _ROLE.sub(lambda found: found[1] or found[2] or "", text)).strip()
