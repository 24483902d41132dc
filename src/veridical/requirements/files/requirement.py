"""One requirement as a file has it."""

from dataclasses import dataclass


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
