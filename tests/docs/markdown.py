"""The Markdown of the project: which files there are, and what is in them."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[2]
NOT_RUN = "not-run:"
CORE = "core"
TYPED_FROM_A_CLONE = {
    ROOT / "README.md": "",
    ROOT / "docs" / "tutorial" / "first-check.md": "",
    ROOT / "docs" / "tutorial" / "own-database.md": "sqlite",
}
"""Where a reader begins, with the engine where there is a choice: ``tests/release`` types these,
and nothing else does."""
_INSTALL = re.compile(r"""pip install ["']?\.(?:\[([\w,]+)])?["']?(?:\s|$)""")
_SKIPPED = {".venv", ".git", ".pytest_cache", "build", "node_modules", "src"}


@dataclass(frozen=True)
class Fence:
    """One fenced block: its language, the words after it, its content."""

    language: str
    words: tuple[str, ...]
    content: str

    @property
    def not_run(self) -> str:
        """Why nobody runs the block here: what stands after ``not-run:``."""
        before, marked, reason = " ".join(self.words).partition(NOT_RUN)
        return reason.strip() if marked and not before else ""

    @property
    def is_run(self) -> bool:
        """Whether the examples run the block, or keep it as a file that they use."""
        return bool({"run", "background"} & set(self.words)) or self.value("file") is not None

    def value(self, name: str) -> str | None:
        """The value of ``name=value`` among the words."""
        return next(
            (word.split("=", 1)[1] for word in self.words if word.startswith(f"{name}=")), None
        )


def installed(document: Path) -> str:
    """The extras that the document has its reader install last, from a clone; ``core`` is none."""
    lines = (line for fence in fences(document) for line in fence.content.splitlines())
    typed = [found for line in lines if (found := _INSTALL.match(line))]
    return typed[-1][1] or CORE if typed else CORE


def documents() -> list[Path]:
    """Every Markdown file of the project; folders of others are not even looked into."""
    found: list[Path] = []
    for folder, inner, files in os.walk(ROOT):
        inner[:] = [name for name in inner if name not in _SKIPPED]
        found += (Path(folder, name) for name in files if name.endswith(".md"))
    return sorted(found)


def name_of(document: Path) -> str:
    """The document's path inside the project."""
    return str(document.relative_to(ROOT))


@cache
def tokens(document: Path) -> list[Token]:
    """The parsed document."""
    return MarkdownIt("commonmark").enable("table").parse(document.read_text("utf-8"))


def fences(document: Path) -> Iterator[Fence]:
    """The fenced blocks in order."""
    for token in tokens(document):
        if token.type == "fence":
            language, *words = token.info.split() or [""]
            yield Fence(language, tuple(words), token.content)


def links(document: Path) -> Iterator[str]:
    """Where the document's links and images lead."""
    for token in tokens(document):
        for child in token.children or ():
            target = child.attrs.get("href") or child.attrs.get("src")
            if isinstance(target, str):
                yield target


def anchors(document: Path) -> set[str]:
    """The fragments that the document's headings answer to."""
    parsed = tokens(document)
    titles = (
        parsed[place + 1].content
        for place, token in enumerate(parsed)
        if token.type == "heading_open"
    )
    return {re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for title in titles}
