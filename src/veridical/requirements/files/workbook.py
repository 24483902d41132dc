"""XLSX: one requirement a row, on every sheet whose heading names a column for the text."""

import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from veridical.limited_process.limits import ensure_unpacked
from veridical.requirements.files.requirement import FileEntry, UnreadableFileError
from veridical.requirements.files.table import Columns, Places, entry, no_column, places

_ABOVE = 20
"""Rows of titles that may stand above the heading."""
_PROLOGUE = 65_536
"""A document type, which no workbook has, would stand among the first bytes of a part."""


def read_workbook(path: Path, columns: Columns) -> Iterator[FileEntry]:
    """The rows of all sheets. Raises ``UnreadableFileError``."""
    from openpyxl import load_workbook  # slow to load: only for those who have workbooks

    _refuse_bombs(path)
    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except Exception as error:  # any error of the library in a file that is no workbook
        raise UnreadableFileError("not_workbook") from error
    try:
        yield from _sheets(book.worksheets, columns)
    finally:
        book.close()


def _refuse_bombs(path: Path) -> None:
    """A workbook is an archive of XML files, and either can be made to fill the memory."""
    try:
        with zipfile.ZipFile(path) as archive:
            ensure_unpacked(archive, path.stat().st_size)
            for each in archive.infolist():
                if each.filename.endswith((".xml", ".rels")):
                    with archive.open(each) as part:
                        if b"<!DOCTYPE" in part.read(_PROLOGUE):
                            raise UnreadableFileError("document_type")
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise UnreadableFileError("not_workbook") from error


def _sheets(sheets: Sequence[Any], columns: Columns) -> Iterator[FileEntry]:
    seen: list[str] = []
    known = False
    for sheet in sheets:
        rows = _rows(sheet)
        if heading := _heading(rows, columns, seen):
            known = True
            yield from _entries(sheet.title, rows, heading)
    if not known:
        raise no_column(seen)


def _rows(sheet: Any) -> Iterator[tuple[int, list[str]]]:
    sheet.reset_dimensions()  # the declared size may be a million empty rows
    try:
        for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
            yield number, ["" if value is None else str(value) for value in row]
    except Exception as error:  # a part of the archive that is damaged
        raise UnreadableFileError("not_workbook") from error


def _heading(
    rows: Iterator[tuple[int, list[str]]], columns: Columns, seen: list[str]
) -> Places | None:
    """The places of the columns, from the first row that names one for the text."""
    for _, row in islice(rows, _ABOVE):
        if not seen:
            seen.extend(cell for cell in row if cell.strip())
        with suppress(UnreadableFileError):  # another row or sheet may have the column
            found = places(row, columns)
            if found.text is not None:
                return found
    return None


def _entries(
    title: str, rows: Iterator[tuple[int, list[str]]], found: Places
) -> Iterator[FileEntry]:
    from openpyxl.utils import get_column_letter

    column = get_column_letter((found.text or 0) + 1)
    for number, row in rows:
        if each := entry(number, row, found, f"{title}!{column}{number}"):
            yield each
