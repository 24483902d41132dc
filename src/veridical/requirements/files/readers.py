"""The readers of files, by the ending of the name.

It runs in the process that ``reading`` starts for each file.
"""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

from veridical.limited_process.child import ensure_memory
from veridical.requirements.files import doorstop
from veridical.requirements.files.lines import read_json_lines, read_lines, read_markdown
from veridical.requirements.files.reqif_exchange import read_reqif, read_reqif_archive
from veridical.requirements.files.requirement import FileEntry, Requirement, UnreadableFileError
from veridical.requirements.files.sdoc import read_sdoc
from veridical.requirements.files.sphinx_needs import read_needs_json, read_rst
from veridical.requirements.files.table import Columns, read_csv
from veridical.requirements.files.workbook import read_workbook

LONGEST = 20_000
"""Characters: a longer text is not one requirement, and comparing its words would take hours."""

READERS: Mapping[str, Callable[[Path], Iterable[FileEntry]]] = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".txt": read_lines,
    ".sdoc": read_sdoc,
    ".json": read_needs_json,
    ".rst": read_rst,
}
TABLES: Mapping[str, Callable[[Path, Columns], Iterable[FileEntry]]] = {
    ".csv": read_csv,
    ".xlsx": read_workbook,
    ".xlsm": read_workbook,
    ".reqif": read_reqif,
    ".reqifz": read_reqif_archive,
}
LIBRARIES: Mapping[str, str] = {
    ".xlsx": "openpyxl",
    ".xlsm": "openpyxl",
    ".reqif": "reqif.parser",
    ".reqifz": "reqif.parser",
}
"""Libraries that are slow to load, by the file type whose reader needs them."""


def read_request(request: bytes) -> bytes:
    """The requirements of the file that a request names, or what is wrong with it, as JSON."""
    wanted = json.loads(request)
    os.chdir(wanted["folder"])  # the names of files are relative to it
    try:
        found = found_requirements(Path(wanted["path"]), Columns(*wanted["columns"]))
    except UnreadableFileError as error:
        ensure_memory(error)
        return json.dumps(
            {"kind": error.kind, "place": error.place, "source": error.source}
        ).encode()
    return json.dumps({"requirements": [_row(each) for each in found]}).encode()


def _row(each: Requirement) -> tuple[str | int | bool, ...]:
    return each.id, each.source, each.line, each.text, each.type, each.place, each.is_named


def found_requirements(path: Path, columns: Columns) -> list[Requirement]:
    """The requirements of a file or doorstop folder. Raises ``UnreadableFileError``."""
    try:
        found = [each for each in _reader(path, columns)() if each.text.strip()]
        for each in found:
            if len(each.text) > LONGEST:
                raise UnreadableFileError("long", str(each.line))
    except UnreadableFileError as error:
        error.source = error.source or str(path)
        raise
    return [
        Requirement(
            each.id or str(place),
            each.source or str(path),
            each.line,
            each.text,
            each.type,
            each.place,
            bool(each.id),
        )
        for place, each in enumerate(found, 1)
    ]


def _reader(path: Path, columns: Columns) -> Callable[[], Iterable[FileEntry]]:
    ending = path.suffix.lower()
    if path.is_dir():
        return partial(doorstop.read_doorstop, path)
    if not path.is_file() and (ending in READERS or ending in TABLES):
        raise UnreadableFileError("missing")
    if doorstop.is_item(path):
        return partial(doorstop.read_item, path)
    if ending in TABLES:
        return partial(TABLES[ending], path, columns)
    if ending in READERS:
        return partial(READERS[ending], path)
    raise UnreadableFileError("ending", ", ".join(sorted((*READERS, *TABLES))))
