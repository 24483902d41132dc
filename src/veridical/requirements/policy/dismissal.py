"""Dismissed findings: who dismissed which one, why and when, one JSON line each.

A dismissal is valid as long as the requirement's text is unchanged: a changed text is judged again.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import Field, ValidationError

from veridical.contracts.language import Language
from veridical.contracts.wire import Wire
from veridical.messages import message


class Dismissal(Wire):
    """One finding that a person decided to leave."""

    fingerprint: str
    wording: str
    """The hash of the requirement as it was."""
    rule: str
    id: str
    said: str
    by: str = Field(min_length=1)
    why: str = Field(min_length=1)
    on: str
    """The day."""


def read_dismissals(path: Path) -> dict[str, Dismissal]:
    """By fingerprint, the last one counting. Raises ``RecordFileError``."""
    try:
        lines = path.read_text("utf-8").split("\n") if path.exists() else []
    except (OSError, UnicodeDecodeError) as error:
        raise RecordFileError("bad_record_file", path) from error
    found: dict[str, Dismissal] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                each = Dismissal.model_validate_json(line)
            except ValidationError as error:
                raise RecordFileError("bad_dismissal", path, number) from error
            found[each.fingerprint] = each
    return found


def add_dismissals(path: Path, dismissals: Iterable[Dismissal]) -> None:
    """Appends lines: two branches that both dismiss something merge."""
    lines = "".join(f"{each.model_dump_json(by_alias=True)}\n" for each in dismissals)
    begun = path.read_text("utf-8") if path.exists() else ""
    gap = "\n" if begun and not begun.endswith("\n") else ""
    with path.open("a", encoding="utf-8") as file:
        file.write(gap + lines)


def holds(dismissals: Mapping[str, Dismissal], fingerprint: str, wording: str) -> Dismissal | None:
    """The dismissal of a finding, if the requirement still says the same."""
    found = dismissals.get(fingerprint)
    return found if found and found.wording == wording else None


class RecordFileError(ValueError):
    """The error, with the file, the line and the advice."""

    def __init__(self, kind: str, path: Path, line: int = 0) -> None:
        self._kind, self._path, self._line = kind, path, line
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """The problem in a person's language."""
        return message(f"review.{self._kind}", language, path=self._path, line=self._line)
