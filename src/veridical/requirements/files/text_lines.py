"""Text: each line that is not empty is a requirement."""

from collections.abc import Iterator
from pathlib import Path

from veridical.requirements.files.entry import FileEntry
from veridical.requirements.files.source_text import text_of


def read_lines(path: Path) -> Iterator[FileEntry]:
    """The lines that are not empty."""
    for number, line in enumerate(text_of(path).split("\n"), 1):
        if line.strip():
            yield FileEntry(number, "", line.strip())
