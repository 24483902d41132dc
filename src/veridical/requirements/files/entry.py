"""An entry that a reader finds in a file, before its name and numbering are known."""

from typing import NamedTuple


class FileEntry(NamedTuple):
    """One requirement: its line, the file's own id if any, and its text."""

    line: int
    id: str
    text: str
    type: str = ""
    place: str = ""
    source: str = ""
    """Another file than the one that was named: an item of a folder."""


def joined(text: str) -> str:
    """A text on one line: where a file breaks it has no meaning."""
    return " ".join(text.split())
