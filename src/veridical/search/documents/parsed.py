"""The result of every parser: sections of plain text, and the file's own metadata."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from veridical.contracts.language import Language


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
    """An address that the file states, such as that of a feed's entry. It is not verified."""
    part: str = ""
    """Which document of its file it is, where there are several."""


class UnreadableError(Exception):
    """A file can't be read in the format of its name; the text says why."""

    def __init__(self, reason: str = "", say: Callable[[Language], str] | None = None) -> None:
        super().__init__(reason or (say(Language.EN) if say else ""))
        self._say = say

    def message(self, language: Language) -> str:
        """The reason, in a person's language; a library's own reasons are not translated."""
        return self._say(language) if self._say else str(self)


def aware(moment: datetime) -> datetime:
    """The moment in UTC."""
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)


def read_date(text: str | None) -> datetime | None:
    """The date that a text states in ISO 8601 or as mail and feeds do; none where it states none.

    A bare year is none: it would say the first of January.
    """
    stated = (text or "").strip()
    if len(stated) < len("2026-11"):
        return None
    try:
        return aware(datetime.fromisoformat(stated))
    except ValueError:
        pass
    try:
        return aware(parsedate_to_datetime(stated))
    except ValueError:
        return None
