"""Copies the code blocks of an English page into its translations.

The text is a translator's; commands, files and outputs are the English page's, whose examples are
run. A block of a translation says so instead of being run again. Diagrams have words and belong to
the translator. With ``--check`` nothing is written, and a stale translation fails.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
LANGUAGES = ("de", "zh")
ENGLISH = (
    ROOT / "README.md",
    ROOT / "docs/tutorial/first-check.md",
    ROOT / "docs/tutorial/own-database.md",
)
_BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.M | re.S)
_RUN = re.compile(r"^(\w+) (?:run|background)\b.*")


def main(check: bool) -> int:
    """Fill the blocks of all translations; the number of those that were stale."""
    stale = 0
    for english, translation in pairs():
        old = translation.read_text("utf-8")
        new = filled(english, translation)
        if new != old:
            stale += 1
            name = translation.relative_to(ROOT)
            print(f"{name}: {'stale, run `make reference`' if check else 'written'}")
            if not check:
                translation.write_text(new, "utf-8")
    return stale if check else 0


def pairs() -> Iterator[tuple[Path, Path]]:
    """Each English page with each of its translations."""
    for english in ENGLISH:
        for language in LANGUAGES:
            if english.parent == ROOT:
                yield english, english.with_suffix(f".{language}.md")
            else:
                yield english, english.parent / language / english.name


def filled(english: Path, translation: Path) -> str:
    """The translation with the blocks of the English page. Raises where their number differs."""
    text = translation.read_text("utf-8")
    blocks = list(_BLOCK.finditer(english.read_text("utf-8")))
    if len(blocks) != len(_BLOCK.findall(text)):
        name = translation.relative_to(ROOT)
        raise SystemExit(f"{name} has not the code blocks of {english.name}: translate what is new")
    waiting = iter(blocks)

    def fill(own: re.Match[str]) -> str:
        block = next(waiting)
        if block[1] == "mermaid":
            return own[0]
        words = _RUN.sub(rf"\1 not-run: the same as in {english.name}", block[1])
        return f"```{words}\n{block[2]}```"

    return _BLOCK.sub(fill, text)


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
