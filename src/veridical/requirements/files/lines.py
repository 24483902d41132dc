"""Texts with a requirement for each line: plain, as JSON, or as Markdown."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from veridical.requirements.files.requirement import FileEntry, UnreadableFileError, text_of


def read_lines(path: Path) -> Iterator[FileEntry]:
    """The lines that are not empty."""
    for number, line in enumerate(text_of(path).split("\n"), 1):
        if line.strip():
            yield FileEntry(number, "", line.strip())


def read_json_lines(path: Path) -> Iterator[FileEntry]:
    """The requirement of each line. Raises ``UnreadableFileError`` with the line."""
    for number, line in enumerate(text_of(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            read: Any = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            raise UnreadableFileError("not_json", str(number)) from error
        if isinstance(read, str):
            yield FileEntry(number, "", read)
        elif isinstance(read, dict) and isinstance(read.get("text"), str):
            yield FileEntry(
                number, str(read.get("id", "")), read["text"], str(read.get("type", ""))
            )
        else:
            raise UnreadableFileError("no_text", str(number))


_FENCE = re.compile(r"\s*(```|~~~)")
_SKIPPED = re.compile(r"\s*(#{1,6}\s|\||>|<!--|---+\s*$|===+\s*$|!\[)")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.*)")
_ID = re.compile(r"\**\[?([A-Z][A-Z0-9]*(?:[-_.][A-Z0-9._-]*)?\d)\]?\**\s*[:.–—-]?\**\s+(?=\S)")


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
