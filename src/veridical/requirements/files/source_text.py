"""The text of a file, or what to do where it has none."""

from pathlib import Path

from veridical.requirements.files.unreadable import UnreadableFileError


def bytes_of(path: Path) -> bytes:
    """The content of a file. Raises ``UnreadableFileError``."""
    try:
        if not path.is_file():  # a device or a pipe may never end
            raise UnreadableFileError("no_regular_file")
        return path.read_bytes()
    except OSError as error:
        raise UnreadableFileError("denied", error.strerror or "") from error


def text_of(path: Path) -> str:
    """The file as UTF-8. Raises ``UnreadableFileError``."""
    try:
        return bytes_of(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFileError("encoding") from error
