"""JSON lines: a string, or an object with ``text`` and perhaps ``id``, on each line."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from veridical.requirements.files.entry import FileEntry
from veridical.requirements.files.source_text import text_of
from veridical.requirements.files.unreadable import UnreadableFileError


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
