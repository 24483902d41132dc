"""JSON lines: a string, or an object with ``text`` and perhaps ``id``, on each line."""

import json
from collections.abc import Iterator
from typing import Any

from veridical.requirements.files.unreadable import UnreadableFileError


def read_json_lines(text: str) -> Iterator[tuple[int, str, str]]:
    """Line, id and text of each. Raises ``UnreadableFileError`` with the line."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            read: Any = json.loads(line)
        except json.JSONDecodeError as error:
            raise UnreadableFileError("not_json", str(number)) from error
        if isinstance(read, str):
            yield number, "", read
        elif isinstance(read, dict) and isinstance(read.get("text"), str):
            yield number, str(read.get("id", "")), read["text"]
        else:
            raise UnreadableFileError("no_text", str(number))
