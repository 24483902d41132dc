"""One requirement as a file has it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Requirement:
    """An id that is the file's own or its place, where it stands, and its text."""

    id: str
    source: str
    line: int
    text: str
    type: str = ""
    """What the file calls this kind of requirement; nothing where it makes no difference."""
    place: str = ""
    """Where it stands when a line does not say it: the cell of a workbook, the original file."""
    is_named: bool = False
    """Whether the id is the file's own, and so stays when others come before it."""
