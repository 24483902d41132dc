"""One row of a table as a requirement."""

from collections.abc import Sequence

from veridical.requirements.files.columns import Places
from veridical.requirements.files.entry import FileEntry


def entry(line: int, row: Sequence[str], found: Places, place: str = "") -> FileEntry | None:
    """The requirement in a row; none where its text is empty or the row is too short for it."""
    text = _cell(row, found.text or 0)
    if not text:
        return None
    return FileEntry(line, _cell(row, found.id), text, _cell(row, found.type), place)


def _cell(row: Sequence[str], place: int | None) -> str:
    return row[place].strip() if place is not None and place < len(row) else ""
