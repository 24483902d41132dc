"""The text of a file, or what to do where it has none."""

from pathlib import Path

from veridical.requirements.files.unreadable import UnreadableFileError

LARGEST = 200_000_000
"""Bytes: several times what 100,000 requirements take."""


def bytes_of(path: Path) -> bytes:
    """What a file holds. Raises ``UnreadableFileError``."""
    try:
        if path.stat().st_size > LARGEST:
            raise UnreadableFileError("large", f"{LARGEST // 1_000_000}")
        return path.read_bytes()
    except OSError as error:
        raise UnreadableFileError("denied", error.strerror or "") from error


def text_of(path: Path) -> str:
    """The file as UTF-8. Raises ``UnreadableFileError``."""
    try:
        return bytes_of(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFileError("encoding") from error
