"""The place of a finding in its file: line and column, as far as the file has them."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from veridical.requirements.files.requirement import Requirement
from veridical.requirements.finding import Finding

_BELOW = 80
"""Lines in which the words of a requirement are looked for."""
_MARKUP = r"[*_`]{0,3}"
_TEXTS = frozenset(
    {".csv", ".json", ".jsonl", ".markdown", ".md", ".ndjson", ".reqif", ".rst", ".sdoc"}
    | {".txt", ".yaml", ".yml"}
)


@dataclass(frozen=True)
class Region:
    """The lines and columns of a finding, counted from 1; the end is the column behind it."""

    line: int
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None


def region(requirement: Requirement, finding: Finding | None) -> Region:
    """The place of the finding's words; where they can't be found, that of the requirement."""
    if finding is None or Path(requirement.source).suffix.lower() not in _TEXTS:
        return Region(requirement.line)
    lines = _lines(requirement.source)[requirement.line - 1 : requirement.line - 1 + _BELOW]
    words = _pattern(finding.words)
    before = len(words.findall(requirement.text[: finding.end])) - 1
    text = "\n".join(lines)
    found = list(words.finditer(text))
    if not 0 <= before < len(found):
        return Region(requirement.line)
    begin, end = found[before].span()
    return Region(
        requirement.line + text.count("\n", 0, begin),
        _column(text, begin),
        requirement.line + text.count("\n", 0, end),
        _column(text, end),
    )


def _pattern(excerpt: str) -> re.Pattern[str]:
    """The words with any space or markup between them."""
    between = rf"{_MARKUP}\s+{_MARKUP}"
    return re.compile(between.join(map(re.escape, excerpt.split())) or r"(?!)")


def _column(text: str, place: int) -> int:
    """The column in UTF-16 units, which is what tools for code review count."""
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return len(line.encode("utf-16-le", "surrogatepass")) // 2 + 1


@lru_cache(maxsize=8)
def _lines(source: str) -> tuple[str, ...]:
    try:
        return tuple(Path(source).read_text("utf-8-sig").split("\n"))
    except (OSError, UnicodeDecodeError):  # gone since it was read
        return ()
