"""Every format that is read, with what is known to be hostile in it, and who reads it."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from benchmarks.hostile_files.archives import DOCX, REQIFZ, XLSX
from benchmarks.hostile_files.pdf import PDF
from benchmarks.hostile_files.texts import DOCUMENTS, REQUIREMENTS
from veridical.requirements.files.reading import read_requirements
from veridical.requirements.files.requirement import UnreadableFileError
from veridical.search.document_reading import IngestOptions, read_documents
from veridical.search.documents.parsed import UnreadableError


class Recipe(Protocol):
    """How a fragment becomes a file."""

    @property
    def fragments(self) -> tuple[str, ...]:
        """Those to begin with."""
        ...

    def made(self, fragment: str, size: int) -> bytes:
        """A file of at most this many bytes."""
        ...


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file, and its reader, which reads it or says why not."""

    ending: str
    recipes: Sequence[Recipe]
    read: Callable[[Path], bool]

    def judged(self, content: bytes) -> bool:
        """Whether such a file was read; else it was refused. Raises whatever nobody foresaw."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"A1{self.ending}"
            if self.ending in (".yml", ".yaml"):
                (path.parent / ".doorstop.yml").write_text("settings:\n  prefix: A\n")
            path.write_bytes(content)
            return self.read(path)


def _is_document(path: Path) -> bool:
    try:
        return bool(list(read_documents(path, IngestOptions())))
    except UnreadableError:
        return False


def _is_requirements(path: Path) -> bool:
    try:
        read_requirements(path)
    except UnreadableFileError:
        return False
    return True


def formats() -> dict[str, Format]:
    """All of them, by a name."""
    documents = {**DOCUMENTS, ".pdf": PDF, ".docx": DOCX}
    requirements = {**REQUIREMENTS, ".xlsx": XLSX, ".reqifz": REQIFZ}
    found = {
        f"document{each}": Format(each, made, _is_document) for each, made in documents.items()
    }
    for each, made in requirements.items():
        found[f"requirements{each}"] = Format(each, made, _is_requirements)
    return found
