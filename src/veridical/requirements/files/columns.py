"""The columns of a table, or attributes of an object, with a requirement's text, id and type."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from veridical.requirements.files.unreadable import UnreadableFileError
from veridical.word_file import word_file


@dataclass(frozen=True)
class Columns:
    """Names that a person gave; where there is none, the usual ones are looked for."""

    text: str = ""
    id: str = ""


class Places(NamedTuple):
    """The places of the columns in a row; no place where a column is not there."""

    text: int | None
    id: int | None
    type: int | None


def places(heading: Sequence[str], columns: Columns) -> Places:
    """The places of the columns. Raises ``UnreadableFileError`` where a given name is not there."""
    names = [name.strip().lower() for name in heading]
    return Places(
        _place(names, columns.text, "text"),
        _place(names, columns.id, "id"),
        _place(names, "", "type"),
    )


def no_column(heading: Sequence[str]) -> UnreadableFileError:
    """The error that no column has the text, with the columns that exist."""
    known = ", ".join(name.strip() for name in heading if name.strip())
    return UnreadableFileError("no_column", known or "–")


def _place(names: Sequence[str], given: str, kind: str) -> int | None:
    if given:
        if given.strip().lower() not in names:
            raise no_column(names)
        return names.index(given.strip().lower())
    return next((names.index(name) for name in _usual()[kind] if name in names), None)


def _usual() -> dict[str, list[str]]:
    return word_file("veridical.requirements.files", "columns.toml")
