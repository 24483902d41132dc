"""sphinx-needs in ``.rst``: directives such as ``.. req:: Title`` with options and content."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from veridical.requirements.files.entry import FileEntry, joined
from veridical.requirements.files.needs_json import NO_REQUIREMENTS
from veridical.requirements.files.rst_markup import plain
from veridical.requirements.files.source_text import text_of

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
