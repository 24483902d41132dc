"""Markdown: each list item and each paragraph is a requirement; an id may stand before it."""

import re
from collections.abc import Iterator
from pathlib import Path

from veridical.requirements.files.entry import FileEntry
from veridical.requirements.files.source_text import text_of

_FENCE = re.compile(r"\s*(```|~~~)")
_SKIPPED = re.compile(r"\s*(#{1,6}\s|\||>|<!--|---+\s*$|===+\s*$|!\[)")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.*)")
_ID = re.compile(r"\**\[?([A-Z][A-Z0-9]*[-_.][A-Z0-9._-]*\d)\]?\**\s*[:.–—-]?\**\s+(?=\S)")


def read_markdown(path: Path) -> Iterator[FileEntry]:
    """Each item and paragraph; headings, tables, quotations and code are none."""
    gathered: list[str] = []
    begun, fenced = 0, False
    for number, line in enumerate([*text_of(path).split("\n"), ""], 1):
        fence = _FENCE.match(line)
        fenced ^= bool(fence)
        item = None if fenced else _ITEM.fullmatch(line)
        ends = fenced or fence or item or not line.strip() or _SKIPPED.match(line)
        if ends and gathered:
            yield FileEntry(begun, *_split(" ".join(gathered)))
            gathered = []
        if item:
            gathered, begun = [item[1].strip()], number
        elif not ends:
            begun = begun if gathered else number
            gathered.append(line.strip())


def _split(text: str) -> tuple[str, str]:
    plain = re.sub(r"(\*\*|__|`)", "", text).strip()
    found = _ID.match(plain)
    return (found[1], plain[found.end() :]) if found else ("", plain)
