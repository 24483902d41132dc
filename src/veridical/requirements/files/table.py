"""Tables: their columns by name, a row as a requirement, and CSV."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from veridical.requirements.files.requirement import FileEntry, UnreadableFileError, text_of
from veridical.word_file import word_file


@dataclass(frozen=True)
class Columns:
    """Names that a person gave; where there is none, the usual ones are looked for."""

    text: str = ""
    id: str = ""


class Places(NamedTuple):
    """The places of the columns in a row; no place where a column is not there."""

    text: int | None
    id: int | None
    type: int | None


def places(heading: Sequence[str], columns: Columns) -> Places:
    """The places of the columns. Raises ``UnreadableFileError`` where a given name is not there."""
    names = [name.strip().lower() for name in heading]
    return Places(
        _place(names, columns.text, "text"),
        _place(names, columns.id, "id"),
        _place(names, "", "type"),
    )


def no_column(heading: Sequence[str]) -> UnreadableFileError:
    """The error that no column has the text, with the columns that exist."""
    known = ", ".join(name.strip() for name in heading if name.strip())
    return UnreadableFileError("no_column", known or "–")


def _place(names: Sequence[str], given: str, kind: str) -> int | None:
    if given:
        if given.strip().lower() not in names:
            raise no_column(names)
        return names.index(given.strip().lower())
    return next((names.index(name) for name in _usual()[kind] if name in names), None)


def _usual() -> dict[str, list[str]]:
    return word_file("veridical.requirements.files", "columns.toml")


def entry(line: int, row: Sequence[str], found: Places, place: str = "") -> FileEntry | None:
    """The requirement in a row; none where its text is empty or the row is too short for it."""
    text = _cell(row, found.text or 0)
    if not text:
        return None
    return FileEntry(line, _cell(row, found.id), text, _cell(row, found.type), place)


def _cell(row: Sequence[str], place: int | None) -> str:
    return row[place].strip() if place is not None and place < len(row) else ""


def read_csv(path: Path, columns: Columns) -> Iterator[FileEntry]:
    """Each row; without a heading that names the text, the first column of every line."""
    text = text_of(path)
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    begun = 1
    try:
        heading = next(rows, [])
        found = places(heading, columns)
        if found.text is None and (first := entry(1, heading, found)):
            yield first
        begun = rows.line_num + 1
        for row in rows:
            if each := entry(begun, row, found):
                yield each
            begun = rows.line_num + 1
    except csv.Error as error:  # a field without an end, or longer than the reader takes
        raise UnreadableFileError("not_csv", str(begun)) from error
