"""Atomic file writes."""

import os
from pathlib import Path

_BINARY = getattr(os, "O_BINARY", 0)


def write(path: Path, content: bytes, how: int) -> None:
    """Write with ``os.O_TRUNC`` or ``os.O_APPEND``: a run writes two such files, and a file object
    for each takes longer than the writing."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | how | _BINARY, 0o644)
    try:
        if os.write(handle, content) < len(content):
            raise OSError(f"no room for {path}")
    finally:
        os.close(handle)
