"""Reads the requirements of a file by the ending of its name."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from veridical.requirements.files.csv_table import read_csv
from veridical.requirements.files.json_lines import read_json_lines
from veridical.requirements.files.markdown import read_markdown
from veridical.requirements.files.requirement import Requirement
from veridical.requirements.files.unreadable import UnreadableFileError

Read = Callable[[str], Iterable[tuple[int, str, str]]]


def _lines(text: str) -> Iterator[tuple[int, str, str]]:
    """Each line that is not empty is a requirement."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield number, "", line.strip()


READERS: Mapping[str, Read] = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".csv": read_csv,
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".txt": _lines,
}


def read_requirements(path: Path) -> list[Requirement]:
    """The requirements of a file. Raises ``UnreadableFileError``."""
    try:
        reader = READERS.get(path.suffix.lower())
        if reader is None:
            raise UnreadableFileError("ending", ", ".join(sorted(READERS)))
        if not path.is_file():
            raise UnreadableFileError("missing")
        found = list(reader(_text(path)))
    except UnreadableFileError as error:
        error.source = str(path)
        raise
    return [
        Requirement(key or str(place), str(path), line, text)
        for place, (line, key, text) in enumerate(found, 1)
        if text
    ]


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFileError("encoding") from error
