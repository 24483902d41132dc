"""StrictDoc's ``.sdoc``: nodes in brackets, each with fields; the statement is the requirement."""

import re
from collections.abc import Iterator
from pathlib import Path

from veridical.requirements.files.requirement import FileEntry, UnreadableFileError, joined, text_of

_NODE = re.compile(r"\[{1,2}(/?)([A-Z][A-Z0-9_ ]*)\]{1,2}\s*")
_FIELD = re.compile(r"([A-Z][A-Z0-9_]*):(?:\s+(.*)|\s*)")
_OPENS, _CLOSES = ">>>", "<<<"
_STATEMENTS = ("STATEMENT", "DESCRIPTION", "CONTENT")
"""The fields that a grammar may use for what is demanded."""
_NO_REQUIREMENTS = frozenset(
    {"DOCUMENT", "DOCUMENT_FROM_FILE", "FREETEXT", "GRAMMAR", "SECTION", "TEXT", "VIEW"}
)
_Field = tuple[int, str]


def read_sdoc(path: Path) -> Iterator[FileEntry]:
    """Every node with a statement. Raises ``UnreadableFileError``."""
    lines = text_of(path).split("\n")
    if not any(_is_node(line, "DOCUMENT") for line in lines):
        raise UnreadableFileError("not_sdoc")
    kind = ""
    fields: dict[str, _Field] = {}
    for number, line in (walk := _Lines(lines)):
        if node := _NODE.fullmatch(line):
            yield from _node(kind, fields)
            kind, fields = "" if node[1] else node[2], {}
        elif field := _FIELD.fullmatch(line):
            value = (field[2] or "").strip()
            at, text = walk.block(number) if value == _OPENS else (number, value)
            fields.setdefault(field[1], (at, text))
    yield from _node(kind, fields)


class _Lines:
    """The lines with their numbers, and how far they are read."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = enumerate(lines, 1)

    def __iter__(self) -> Iterator[tuple[int, str]]:
        return self._lines

    def block(self, opened: int) -> _Field:
        """The lines until the closing mark, and where the first of them stands."""
        gathered: list[str] = []
        for _, line in self._lines:
            if line.rstrip() == _CLOSES:
                return opened + 1, "\n".join(gathered)
            gathered.append(line)
        raise UnreadableFileError("unclosed", str(opened))


def _node(kind: str, fields: dict[str, _Field]) -> Iterator[FileEntry]:
    if not kind or kind in _NO_REQUIREMENTS:
        return
    statement = next((fields[name] for name in _STATEMENTS if name in fields), None)
    if statement and statement[1].strip():
        key = fields.get("UID") or fields.get("MID") or (0, "")
        yield FileEntry(statement[0], key[1], joined(statement[1]), kind)


def _is_node(line: str, kind: str) -> bool:
    node = _NODE.fullmatch(line)
    return bool(node) and node[2] == kind
