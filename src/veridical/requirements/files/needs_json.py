"""sphinx-needs' ``needs.json``: the needs of its current version."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from veridical.requirements.files.entry import FileEntry, joined
from veridical.requirements.files.rst_markup import plain
from veridical.requirements.files.source_text import text_of
from veridical.requirements.files.unreadable import UnreadableFileError

NO_REQUIREMENTS = frozenset({"impl", "test"})
"""Types of sphinx-needs for work on a requirement, such as tests; no requirements."""
_KEY = re.compile(r'\s*"((?:[^"\\]|\\.)*)"\s*:\s*\{')


def read_needs_json(path: Path) -> Iterator[FileEntry]:
    """Every need with a text. Raises ``UnreadableFileError``."""
    text = text_of(path)
    try:
        needs = _needs(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise UnreadableFileError("not_needs") from error
    lines = {
        found[1]: number
        for number, line in enumerate(text.split("\n"), 1)
        if (found := _KEY.match(line))
    }
    for key, need in needs.items():
        if not isinstance(need, dict):
            raise UnreadableFileError("not_needs")
        kind = str(need.get("type") or "")
        content = need.get("content") or need.get("description") or need.get("title") or ""
        if kind in NO_REQUIREMENTS or need.get("is_external") or not str(content).strip():
            continue
        yield FileEntry(
            lines.get(key, 1),
            str(need.get("id") or key),
            plain(joined(str(content))),
            kind,
            _origin(need),
        )


def _needs(read: Any) -> dict[str, Any]:
    """The needs of the current version, or of the only one."""
    versions = read.get("versions") if isinstance(read, dict) else None
    if not isinstance(versions, dict) or not versions:
        raise UnreadableFileError("not_needs")
    current = versions.get(read.get("current_version")) or list(versions.values())[-1]
    needs = current.get("needs") if isinstance(current, dict) else None
    if not isinstance(needs, dict):
        raise UnreadableFileError("not_needs")
    return needs


def _origin(need: dict[str, Any]) -> str:
    """The document that the need was written in."""
    name = need.get("docname")
    if not isinstance(name, str):
        return ""
    line = need.get("lineno")
    return f"{name}:{line}" if isinstance(line, int) else name
