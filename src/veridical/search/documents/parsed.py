"""What every parser returns: sections of plain text, and what the file says about itself."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Section:
    """Text under the same headings."""

    text: str
    heading: str = ""
    """The headings above it, outermost first."""


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document's text."""

    sections: tuple[Section, ...]
    title: str = ""
    detected_date: datetime | None = None
    """With a time zone."""
    source: str = ""
    """An address that the file states, such as that of a feed's entry."""


class UnreadableError(Exception):
    """A file can't be read as what its name says; the text says why."""
