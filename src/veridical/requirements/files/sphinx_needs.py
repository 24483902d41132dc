"""sphinx-needs: the needs of a ``needs.json``, and directives in reStructuredText."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from veridical.requirements.files.requirement import FileEntry, UnreadableFileError, joined, text_of

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


_DIRECTIVE = re.compile(r"(\s*)\.\.\s+([A-Za-z][\w-]*)::(?:\s+(.*))?\s*")
_OPTION = re.compile(r"\s+:([\w-]+):(?:\s+(.*))?\s*")
_NEEDS = frozenset({"need", "req", "requirement", "spec", "story"})
"""Directives that are needs even without an id; others are where they have one."""


@dataclass
class _Need:
    kind: str
    indent: int
    line: int
    title: str
    options: dict[str, str] = field(default_factory=dict[str, str])
    content: list[str] = field(default_factory=list[str])
    begun: int = 0
    in_head: bool = True

    def take(self, number: int, line: str) -> None:
        """One line below the directive: an option, or a line of its content."""
        option = _OPTION.fullmatch(line) if self.in_head else None
        if option:
            self.options[option[1]] = (option[2] or "").strip()
        elif line.strip():
            self.in_head = False
            self.begun = self.begun or number
            self.content.append(line.strip())
        elif self.options or self.content:
            self.in_head = False


def read_rst(path: Path) -> Iterator[FileEntry]:
    """Every need, also one within another."""
    opened: list[_Need] = []
    found: list[_Need] = []
    for number, line in enumerate(text_of(path).expandtabs().split("\n"), 1):
        indent = len(line) - len(line.lstrip())
        if line.strip():
            while opened and indent <= opened[-1].indent:
                opened.pop()
        if directive := _DIRECTIVE.fullmatch(line):
            need = _Need(directive[2], indent, number, (directive[3] or "").strip())
            opened.append(need)
            found.append(need)
        elif opened:
            opened[-1].take(number, line)
    return (entry for need in found for entry in _entries(need))


def _entries(need: _Need) -> Iterator[FileEntry]:
    is_need = need.kind in _NEEDS or "id" in need.options
    if not is_need or need.kind in NO_REQUIREMENTS:
        return
    text = plain(joined(" ".join(need.content))) or plain(need.title)
    if text:
        line = need.begun or need.line
        yield FileEntry(line, need.options.get("id", ""), text, need.kind)


_ROLE = re.compile(r"(?<![\w:+-]):[\w:+-]+:`(?:([^`<]*)<[^`>]*>|([^`]*))`")
_MARKS = re.compile(r"``|\*\*|(?<!\w)[*`]|[*`]_{0,2}(?!\w)")


def plain(text: str) -> str:
    """The words as a reader sees them."""
    return _MARKS.sub("", _ROLE.sub(_shown, text)).strip()


def _shown(role: re.Match[str]) -> str:
    return (role[1] or "").rstrip() or role[2] or ""
