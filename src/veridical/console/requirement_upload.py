"""Pasted or uploaded requirements, in any format that the command line reads."""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from veridical.console.upload import Upload
from veridical.requirements.files.readers import READERS, TABLES
from veridical.requirements.files.reading import read_requirements
from veridical.requirements.files.requirement import Requirement
from veridical.requirements.files.unreadable import UnreadableFileError

ENDINGS = tuple(sorted((*READERS, *TABLES)))
_LONGEST_NAME = 100


def pasted(lines: Sequence[str]) -> list[Requirement]:
    """One requirement for each line with text."""
    texts = [(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]
    return [
        Requirement(f"R{place}", "", number, line) for place, (number, line) in enumerate(texts, 1)
    ]


def uploaded(upload: Upload) -> list[Requirement]:
    """The requirements of a file. Raises ``UnreadableFileError``; only the ending of its name is
    used."""
    name = Path(upload.name.replace("\\", "/")).name[:_LONGEST_NAME]
    ending = Path(name).suffix.lower()
    if ending not in ENDINGS:
        error = UnreadableFileError("ending", ", ".join(ENDINGS))
        error.source = name
        raise error
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"requirements{ending}"
        path.write_bytes(upload.content)
        try:
            return [replace(each, source=name) for each in read_requirements(path)]
        except UnreadableFileError as error:
            error.source = name
            raise
