"""A table is its own sheet: only rows of uneven length are evened out."""

from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.evidence.sheet import Sheet


def sheet_from_table(exhibit_index: int, exhibit: Exhibit) -> Sheet:
    """The sheet of a table."""
    width = len(exhibit.columns) or max(map(len, exhibit.rows), default=0)
    columns = exhibit.columns or ("",) * width
    rows = exhibit.rows
    if set(map(len, rows)) - {width}:
        rows = tuple((row + (None,) * width)[:width] for row in rows)
    return Sheet(exhibit_index, columns, rows, exhibit, title=exhibit.name)
