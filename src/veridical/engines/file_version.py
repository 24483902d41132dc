"""The version of a file's data: the same text only while its content is the same."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

_HEADERS = 3 * 4096
"""The headers of a DuckDB file: each change of its data counts up a number in them."""


def content_version(files: Mapping[str, Path]) -> str:
    """The version of files that are read whole, by the names of their tables."""
    found = hashlib.sha256()
    for name, path in sorted(files.items()):
        with path.open("rb") as file:
            found.update(f"{name!r} {hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
    return found.hexdigest()


def database_version(path: Path) -> str:
    """The version of a DuckDB file, which may be too large to be read for this: its headers, sizes
    and times."""
    found = hashlib.sha256()
    for each in (path, path.with_name(f"{path.name}.wal")):
        if each.exists():
            about = each.stat()
            found.update(f"{about.st_size} {about.st_mtime_ns} ".encode())
            with each.open("rb") as file:
                found.update(file.read(_HEADERS))
    return found.hexdigest()
