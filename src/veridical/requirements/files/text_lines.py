"""Text: each line that is not empty is a requirement."""

from collections.abc import Iterator
from pathlib import Path

from veridical.requirements.files.entry import Entry
from veridical.requirements.files.source_text import text_of


def read_lines(path: Path) -> Iterator[Entry]:
    """The lines that say something."""
    for number, line in enumerate(text_of(path).split("\n"), 1):
        if line.strip():
            yield Entry(number, "", line.strip())
