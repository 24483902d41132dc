"""CSV: one requirement a row, in the column that its heading names."""

import csv
import io
from collections.abc import Iterator

_TEXTS = ("text", "requirement", "requirement_text", "description", "anforderung", "beschreibung")
_IDS = ("id", "key", "req_id", "nr", "number")


def read_csv(text: str) -> Iterator[tuple[int, str, str]]:
    """Line, id and text of each row; without a heading that names the text, the first column."""
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    heading = [cell.strip().lower() for cell in next(rows, [])]
    texts = next((heading.index(name) for name in _TEXTS if name in heading), None)
    ids = next((heading.index(name) for name in _IDS if name in heading), None)
    if texts is None and heading:
        yield 1, "", first.split(delimiter)[0].strip(' "')
    for row in rows:
        if len(row) > (texts or 0) and row[texts or 0].strip():
            key = row[ids].strip() if ids is not None and len(row) > ids else ""
            yield rows.line_num, key, row[texts or 0].strip()
