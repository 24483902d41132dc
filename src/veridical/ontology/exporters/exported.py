"""The result of an export: the text of a file, and notes on what is no plain copy."""

from dataclasses import dataclass, field

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.ontology.importers.imported import Fidelity, FidelityNote


class ExportFailed(ValueError):  # noqa: N818 (says what happened, as its message does)
    """Nothing was written."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A file of another tool."""

    text: str
    notes: tuple[FidelityNote, ...]


@dataclass(slots=True)
class ExportNotes:
    """Notes while a file is written."""

    language: Language = Language.EN
    all: list[FidelityNote] = field(default_factory=list[FidelityNote])

    def add(self, status: Fidelity, path: str, key: str, **values: object) -> None:
        """Note the outcome of one part."""
        text = message(f"export.{key}", self.language, **values)
        self.all.append(FidelityNote(status, path, text))
