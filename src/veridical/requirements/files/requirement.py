"""A requirement of a file, the entry that a reader finds, and the error for what can't be read."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from veridical.contracts.language import Language
from veridical.limited_process.limits import LimitError
from veridical.messages import message


@dataclass(frozen=True)
class Requirement:
    """A requirement: its id (the file's own, or its place), source and text."""

    id: str
    source: str
    line: int
    text: str
    type: str = ""
    """The file's name for this type of requirement; empty where it has no types."""
    place: str = ""
    """Its place where a line number is not enough: the cell of a workbook, the original file."""
    is_named: bool = False
    """True if the id is the file's own, and so stays when others come before it."""


class FileEntry(NamedTuple):
    """One requirement: its line, the file's own id if any, and its text."""

    line: int
    id: str
    text: str
    type: str = ""
    place: str = ""
    source: str = ""
    """Another file than the one that was named: an item of a folder."""


def joined(text: str) -> str:
    """A text on one line: where a file breaks it has no meaning."""
    return " ".join(text.split())


class UnreadableFileError(ValueError):
    """A file that can't be read: why, and where; the caller that knows the source sets it."""

    def __init__(self, kind: str, place: str = "", limit: LimitError | None = None) -> None:
        self.kind, self.place, self.source = kind, place, ""
        self.limit = limit
        """The limit that reading it exceeded."""
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """The problem in a person's language."""
        key = f"requirements.file_{self.kind}"
        place = self.limit.message(language) if self.limit else self.place
        return message(key, language, source=self.source, place=place)


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
