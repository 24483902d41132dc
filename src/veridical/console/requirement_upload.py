"""Requirements that somebody pasted or uploaded, in any format that the command line reads."""

import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from veridical.console.upload import Upload
from veridical.requirements.files.reading import READERS, TABLES, read_requirements
from veridical.requirements.files.requirement import Requirement
from veridical.requirements.files.unreadable import UnreadableFileError

ENDINGS = tuple(sorted((*READERS, *TABLES)))
LARGEST_UNPACKED = 50_000_000
"""Bytes of what is in an archive: the server reads it for somebody who may only ask."""
_LONGEST_NAME = 100


def pasted(lines: Sequence[str]) -> list[Requirement]:
    """One requirement for each line that says something."""
    said = [(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]
    return [
        Requirement(f"R{place}", "", number, line) for place, (number, line) in enumerate(said, 1)
    ]


def uploaded(upload: Upload) -> list[Requirement]:
    """The requirements of a file. Raises ``UnreadableFileError``; only the ending of its name is
    believed."""
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
            _refuse_large(path)
            return [replace(each, source=name) for each in read_requirements(path)]
        except UnreadableFileError as error:
            error.source = name
            raise


def _refuse_large(path: Path) -> None:
    if not zipfile.is_zipfile(path):
        return
    with zipfile.ZipFile(path) as archive:
        if sum(each.file_size for each in archive.infolist()) > LARGEST_UNPACKED:
            raise UnreadableFileError("large", f"{LARGEST_UNPACKED // 1_000_000}")
