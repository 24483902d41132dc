"""A YAML text as plain values that know their lines: no tags, one document, bounded in size.

The types are those of YAML 1.2: ``no`` is a word, ``2026-01-31`` a text, a key always a text.
Hence a country code needs no quotation marks, and a file means the same as its JSON twin.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import yaml
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)

from veridical.ontology.file_errors import FileMistake, FileProblem

MOST_SIGNS: Final = 64_000_000
_DEEPEST: Final = 40
_MOST_REPEATED: Final = 100_000
"""The most values that aliases may add to the written ones."""
_STANDARD: Final = "tag:yaml.org,2002:"
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WORDS: Final[dict[str, Any]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER: Final = re.compile(r"[-+]?[0-9]{1,4000}")
_NUMBER: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_FROM_BASE: Final = re.compile(r"0(?:o[0-7]{1,4000}|x[0-9a-fA-F]{1,4000})")


class DocumentError(ValueError):
    """A text that is no document, with the position of the error."""

    def __init__(self, problem: FileProblem, line: int, **values: object) -> None:
        self.mistake = FileMistake(problem, line, values)
        super().__init__(f"{problem} at line {line}")


@dataclass(frozen=True, slots=True)
class Document:
    """The value of a text, with its lines."""

    value: Any
    lines: dict[tuple[int, str | int], int]
    """Lines by container and key or position: containers live as long as the value does."""

    def line(self, path: Sequence[str | int]) -> int:
        """The line of the value at this path, or of the nearest existing one around it."""
        here, line = self.value, 1
        for part in path:
            found = self.lines.get((id(here), part))
            if found is not None:
                here, line = here[part], found
        return line


def read_document(text: str) -> Document:
    """The document of this text. Raises ``DocumentError``."""
    if len(text) > MOST_SIGNS:
        raise DocumentError(FileProblem.LARGE, 1, most=MOST_SIGNS // 1_000_000)
    reader = _Reader(text)
    try:
        return Document(reader.document(), reader.lines)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        reason = error.problem or error.context or ""
        raise DocumentError(FileProblem.SYNTAX, line, reason=reason) from error
    except yaml.YAMLError as error:
        # The only one without a mark: a character that YAML does not have.
        position = getattr(error, "position", 0)
        reason = getattr(error, "reason", "")
        line = text.count("\n", 0, position) + 1
        raise DocumentError(FileProblem.SYNTAX, line, reason=reason) from error


def plain_value(text: str) -> Any:
    """The value of a word without quotation marks: itself, unless it is a number or the like."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text):
        return float(text)
    return int(text, 0) if _FROM_BASE.fullmatch(text) else text


class _Reader:
    """Takes the parser's events one by one, so that too deep input is never read to its end."""

    def __init__(self, text: str) -> None:
        self.lines: dict[tuple[int, str | int], int] = {}
        self._events: Iterator[Event] = iter(yaml.parse(text, Loader=_LOADER))
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._repeated = 0

    def document(self) -> Any:
        value, seen = None, False
        for event in self._events:
            if isinstance(event, DocumentStartEvent):
                if seen:
                    raise DocumentError(FileProblem.DOCUMENTS, _line(event))
                value, _ = self._node(next(self._events), 0)
                seen = True
            elif not isinstance(event, StreamStartEvent | StreamEndEvent | DocumentEndEvent):
                raise DocumentError(FileProblem.SYNTAX, _line(event), reason="")
        return value

    def _node(self, event: Event, depth: int) -> tuple[Any, int]:
        """The value that starts with this event, and its number of values."""
        if isinstance(event, AliasEvent):
            return self._alias(event)
        tag: str | None = getattr(event, "tag", None)
        if tag is not None:
            shown = tag.replace(_STANDARD, "!!")[:60]
            raise DocumentError(FileProblem.TAG, _line(event), tag=shown)
        if depth > _DEEPEST:
            raise DocumentError(FileProblem.DEEP, _line(event), most=_DEEPEST)
        if isinstance(event, ScalarEvent):
            plain = event.implicit[0] and not event.style
            made: tuple[Any, int] = (plain_value(event.value) if plain else event.value, 1)
        elif isinstance(event, SequenceStartEvent):
            made = self._list(depth)
        else:
            made = self._mapping(depth)
        if anchor := getattr(event, "anchor", None):
            self._anchors[anchor] = made
        return made

    def _alias(self, event: AliasEvent) -> tuple[Any, int]:
        known = self._anchors.get(event.anchor or "")
        if known is None:
            raise DocumentError(FileProblem.ALIAS, _line(event), name=event.anchor)
        self._repeated += known[1]
        if self._repeated > _MOST_REPEATED:
            raise DocumentError(FileProblem.REPEATED, _line(event), most=_MOST_REPEATED)
        return known

    def _list(self, depth: int) -> tuple[list[Any], int]:
        items: list[Any] = []
        size = 1
        while not isinstance(event := next(self._events), SequenceEndEvent):
            self.lines[id(items), len(items)] = _line(event)
            value, count = self._node(event, depth + 1)
            items.append(value)
            size += count
        return items, size

    def _mapping(self, depth: int) -> tuple[dict[str, Any], int]:
        entries: dict[str, Any] = {}
        size = 1
        while not isinstance(event := next(self._events), MappingEndEvent):
            if not isinstance(event, ScalarEvent) or event.tag is not None:
                raise DocumentError(FileProblem.KEY, _line(event))
            if event.value in entries:
                raise DocumentError(FileProblem.DOUBLED_KEY, _line(event), entry=event.value)
            self.lines[id(entries), event.value] = _line(event)
            entries[event.value], count = self._node(next(self._events), depth + 1)
            size += count
        return entries, size


def _line(event: Event) -> int:
    mark = event.start_mark
    return mark.line + 1 if mark else 1
