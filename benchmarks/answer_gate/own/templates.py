"""Answers as people and models write them: read from text files, filled from a story.

A file holds sections ``[type]`` with templates between lines ``--``. A line that begins with
``@rows`` is repeated for every row, ``<rows: ...>`` repeats inside a sentence. A line ``@said``
tells of a limit of the result and is left out by a writer who hides it; ``@instead`` is what such
a writer says.
"""

import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path as FilePath
from typing import Any

from benchmarks.answer_gate.own.story import Path, Story
from benchmarks.answer_gate.own.values import Locale, Value, show
from benchmarks.answer_gate.sample import Half

FOLDER = FilePath(__file__).parent / "answers"
_INLINE = re.compile(r"<rows: (.+?)>")
_SWISS = (("gröss", "größ"), ("Gröss", "Größ"))


@dataclass(frozen=True, slots=True)
class Template:
    """One way to phrase an answer."""

    id: str
    type: str
    half: Half
    text: str


@dataclass(frozen=True, slots=True)
class Use:
    """A value as it came to stand in an answer."""

    path: Path
    style: str
    shown: str


@dataclass(frozen=True, slots=True)
class Written:
    """An answer and all values in it."""

    text: str
    uses: tuple[Use, ...]


@cache
def templates(language: str) -> tuple[Template, ...]:
    """All phrasings of a language, both halves."""
    halves: tuple[Half, Half] = ("read", "held_out")
    return tuple(
        Template(f"{kind}/{language}/{half}/{number}", kind, half, text)
        for half in halves
        for kind, texts in _phrasings(half, language).items()
        for number, text in enumerate(texts)
    )


def _phrasings(half: Half, language: str) -> dict[str, list[str]]:
    """Those of all files of the language."""
    found: dict[str, list[str]] = {}
    for file in sorted((FOLDER / half).glob(f"{language}*.txt")):
        for kind, texts in _sections(file).items():
            found.setdefault(kind, []).extend(texts)
    return found


@cache
def questions() -> dict[str, dict[str, str]]:
    """By type and language."""
    found = _sections(FOLDER / "questions.txt")
    return {
        kind: dict(line.split(": ", 1) for line in text.splitlines())
        for kind, (text,) in found.items()
    }


def _sections(file: FilePath) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    kind = ""
    for line in file.read_text("utf-8").splitlines():
        if not kind and line.startswith("#"):
            continue  # further down it is a heading of an answer
        if line.startswith("[") and line.endswith("]"):
            kind = line.strip("[]")
            found[kind] = [""]
        elif line == "--":
            found[kind].append("")
        else:
            found[kind][-1] += line + "\n"
    return {name: [text.strip("\n") for text in texts] for name, texts in found.items()}


def write(template: str, story: Story, locale: Locale, *, hide: bool = False) -> Written:
    """The answer that the template and the story make."""
    pen = _Pen(story, locale)
    lines: list[str] = []
    for line in template.splitlines():
        command, _, rest = line.partition(" ")
        if command == "@rows":
            lines += [pen.fill(rest, number) for number in range(len(story.rows))]
        elif command in ("@said", "@instead"):
            if hide == (command == "@instead"):
                lines.append(pen.sentence(rest))
        else:
            lines.append(pen.sentence(line))
    text = "\n".join(lines).strip("\n").replace("..", ".")  # after an abbreviation
    if locale.name == "de-DE":
        for swiss, german in _SWISS:
            text = text.replace(swiss, german)
    return Written(text, tuple(pen.uses))


class _Pen(string.Formatter):
    """Fills slots and notes which values it wrote."""

    def __init__(self, story: Story, locale: Locale) -> None:
        self.uses: list[Use] = []
        self._story = story
        self._locale = locale
        self._row: int | None = None

    def sentence(self, text: str) -> str:
        """A line with its lists inside."""
        done = ""
        position = 0
        for found in _INLINE.finditer(text):
            done += self.fill(text[position : found.start()])
            items = [self.fill(found[1], number) for number in range(len(self._story.rows))]
            done += _joined(items, self._locale)
            position = found.end()
        return done + self.fill(text[position:])

    def fill(self, text: str, row: int | None = None) -> str:
        """The text with its slots filled, those of a row first."""
        self._row = row
        return self.vformat(text.replace("{#}", str((row or 0) + 1)), (), {})

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """The value of a slot and where it stands."""
        names = field_name.split(".")
        if self._row is not None and names[0] in self._story.rows[self._row]:
            path: Path = ("rows", self._row, names[0])
        else:
            path = tuple(names)
        return (path, self._story.at(path)), names[0]

    def format_field(self, value: tuple[Path, Value], format_spec: str) -> str:
        """The value as it is written."""
        path, held = value
        shown = show(held, format_spec, self._locale)
        self.uses.append(Use(path, format_spec, shown))
        return shown


def _joined(items: list[str], locale: Locale) -> str:
    if len(items) < 2:
        return "".join(items)
    return locale.comma.join(items[:-1]) + locale.last + items[-1]
