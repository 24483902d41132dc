"""CSV: one requirement a row, in the column that its heading names."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from veridical.requirements.files.columns import Columns, places
from veridical.requirements.files.entry import FileEntry
from veridical.requirements.files.source_text import text_of
from veridical.requirements.files.table_row import entry
from veridical.requirements.files.unreadable import UnreadableFileError


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
