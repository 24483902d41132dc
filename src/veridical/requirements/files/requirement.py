"""One requirement as a file has it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Requirement:
    """An id that is the file's own or its place, where it stands, and its text."""

    id: str
    source: str
    line: int
    text: str
