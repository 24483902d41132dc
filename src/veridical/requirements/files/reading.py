"""Reads the requirements of a file or of a doorstop folder, in a process of its own: what is wrong
with a file ends that process and no other."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path

from veridical.limited_process.job import run_limited
from veridical.limited_process.limits import (
    LARGEST_FILE,
    BrokenWorkError,
    LimitError,
    limits_for,
)
from veridical.requirements.files.doorstop import ENDINGS
from veridical.requirements.files.readers import LIBRARIES
from veridical.requirements.files.requirement import Requirement, UnreadableFileError
from veridical.requirements.files.table import Columns

_WORK = "veridical.requirements.files.readers:read_request"
_USUAL = Columns()

_log = logging.getLogger("veridical.requirements")


def read_requirements(path: Path, columns: Columns = _USUAL) -> list[Requirement]:
    """The requirements of a file or doorstop folder. Raises ``UnreadableFileError``."""
    size = _size(path)
    if size > LARGEST_FILE:
        raise _refused(UnreadableFileError("large", f"{LARGEST_FILE // 1_000_000}"), path)
    work = f"{_WORK} {LIBRARIES.get(path.suffix.lower(), '')}"
    request = {
        "folder": str(Path.cwd()),
        "path": str(path),
        "columns": (columns.text, columns.id),
    }
    try:
        answer = json.loads(run_limited(work, json.dumps(request).encode(), limits_for(size)))
    except LimitError as error:
        if isinstance(error, BrokenWorkError):
            _log.warning("the reader of %s broke: %s", path, error.details)
        raise _refused(UnreadableFileError("limit", limit=error), path) from error
    if "kind" in answer:
        error = UnreadableFileError(answer["kind"], answer["place"])
        raise _refused(error, answer["source"])
    return [Requirement(*each) for each in answer["requirements"]]


def _refused(error: UnreadableFileError, source: Path | str) -> UnreadableFileError:
    error.source = str(source)
    return error


def _size(path: Path) -> int:
    """Bytes of a file, or of all items in a folder; 0 where it can't be read: the reader
    reports that."""
    try:
        return sum(map(_file_size, _items(path))) if path.is_dir() else _file_size(path)
    except OSError:
        return 0


def _items(folder: Path) -> Iterator[Path]:
    return (each for each in folder.rglob("*") if each.suffix in ENDINGS)


def _file_size(path: Path) -> int:
    return path.stat().st_size
