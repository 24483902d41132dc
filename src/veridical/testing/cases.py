"""Cases written as text, a line each, under the language that they are in."""

from collections.abc import Iterator
from pathlib import Path

from veridical.contracts.language import Language


def by_language(path: Path) -> Iterator[tuple[Language, str]]:
    """Each line with the language of its section, ``[de]``; a ``#`` begins a remark."""
    language = Language.EN
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("["):
            language = Language(line.strip("[]"))
        elif line and not line.startswith("#"):
            yield language, line
