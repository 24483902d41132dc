"""Traces the values of a tool call to their sources and flags unknown ones before the call."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from veridical.gate.known_values import KnownValues, plain
from veridical.late_pattern import late_pattern

__all__ = ["KnownValues", "Untraced", "ValueKind", "trace_arguments"]

_EMAIL = late_pattern(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_URL = late_pattern(r"https?://[^\s\"'<>]+|www\.[^\s\"'<>]+", re.IGNORECASE)
_ISO = late_pattern(r"(\d{4})-(\d\d)-(\d\d)(?:[T ]\d\d:\d\d.*)?")
_DOTTED = late_pattern(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_NUMBER = late_pattern(r"[+-]?\d+(?:\.\d+)?")
_IDENTIFIER = late_pattern(
    r"(?<![\w@.])(?=[\w\-]*\d)(?=[\w\-]*[^\W\d_])[\w\-]{4,}(?![\w@])|(?<![\w.,'])\d{5,}(?![\w.,'])"
)
"""Letters with digits, or a long number."""
_NAMING_KEY = late_pattern(
    r"(?:^|[_a-z])(?:ids?|Ids?|ID|number|Number|code|Code|iban|ref|reference|key|uuid)$"
)
_BARE = late_pattern(r"(?=.*[A-Za-z0-9])[\w\-.]{4,}")
_COUNTS = "limit|offset|top|page|size|count|round|max|min|days|depth|first|last|timeout"
_COUNTING_KEY = late_pattern(
    rf"(?:^|_)(?:{_COUNTS})(?=_|[A-Z]|$)|(?<=[a-z])(?:{_COUNTS.title()})(?=_|[A-Z]|$)"
)
_STRUCTURE_KEY = late_pattern(
    r"(?:table_?name|fields?|op|operator|group_?by|order_?by|aggregate|direction|metrics|columns"
    r"|tool|file_?name)",
    re.IGNORECASE,
)
"""Keys of tables, fields and operators, which the query check covers."""
_SQL_KEYS = frozenset({"sql", "query", "where", "statement"})
_LITERAL = late_pattern(r"'((?:[^']|'')*)'")
_SQL_NUMBER = late_pattern(r"(?<![\w.\"])\d+(?:\.\d+)?(?![\w.\"])")
_SMALLEST = 100
_DEEPEST = 40


class ValueKind(StrEnum):
    """Kinds of argument values that need a source."""

    IDENTIFIER = "identifier"
    EMAIL = "email"
    URL = "url"
    DATE = "date"
    AMOUNT = "amount"


@dataclass(frozen=True, slots=True)
class Untraced:
    """A value that neither the user, nor the ontology, nor any result has."""

    path: str
    """The place in the arguments: ``passengers[0].id``."""
    value: str
    kind: ValueKind


def trace_arguments(arguments: Any, known: KnownValues) -> tuple[Untraced, ...]:
    """The values of a call without a source, in order. Never raises."""
    return tuple(_traced(arguments, "", "", known, 0))


def _traced(value: Any, path: str, key: str, known: KnownValues, depth: int) -> Iterator[Untraced]:
    if (
        depth > _DEEPEST
        or value is None
        or isinstance(value, bool)
        or _STRUCTURE_KEY.fullmatch(key)
    ):
        return
    if isinstance(value, Mapping):
        for name, inner in value.items():
            below = f"{path}.{name}" if path else str(name)
            yield from _traced(inner, below, str(name), known, depth + 1)
    elif isinstance(value, list | tuple):
        for at, inner in enumerate(value):
            yield from _traced(inner, f"{path}[{at}]", key, known, depth + 1)
    elif isinstance(value, int | float):
        if not _is_known_number(value, key, known):
            yield Untraced(path, str(value), ValueKind.AMOUNT)
    elif isinstance(value, str):
        for kind, untraced in _untraced(value.strip(), key, known):
            yield Untraced(path, untraced, kind)


def _untraced(text: str, key: str, known: KnownValues) -> Iterator[tuple[ValueKind, str]]:
    """The values in a text that have no source."""
    if not text:
        return
    day = _as_day(text)
    if day is not None:
        if not known.has_day(day):
            yield ValueKind.DATE, text
    elif _NUMBER.fullmatch(text):
        if not known.has_word(text) and not _is_known_number(float(text), key, known):
            named = _NAMING_KEY.search(key) is not None
            yield (ValueKind.IDENTIFIER if named else ValueKind.AMOUNT), text
    elif key in _SQL_KEYS or " " not in text:
        yield from _in_words(text, key, known)
    else:
        yield from _in_prose(text, known)


def _in_words(text: str, key: str, known: KnownValues) -> Iterator[tuple[ValueKind, str]]:
    if key in _SQL_KEYS:
        for literal in _LITERAL.findall(text):
            yield from _untraced(literal.strip("% "), "", known)
        for number in _SQL_NUMBER.findall(_LITERAL.sub(" ", text)):
            if not _is_known_number(float(number), "", known):
                yield ValueKind.AMOUNT, number
        return
    named = _NAMING_KEY.search(key) and _BARE.fullmatch(text) and not _is_word(text)
    if named and not known.has_word(text):
        yield ValueKind.IDENTIFIER, text
    else:
        yield from _in_prose(text, known)


def _in_prose(text: str, known: KnownValues) -> Iterator[tuple[ValueKind, str]]:
    """Unknown addresses and identifiers in running text; its other words are no values."""
    for kind, pattern in ((ValueKind.EMAIL, _EMAIL), (ValueKind.URL, _URL)):
        for found in pattern.findall(text):
            address = found.rstrip(".,;:!?)")
            if not known.has_word(address):
                yield kind, address
        text = pattern.sub(" ", text)
    for year, month, day in _ISO.findall(text):
        named = _day(int(year), int(month), int(day))
        if named is not None and not known.has_day(named):
            yield ValueKind.DATE, f"{year}-{month}-{day}"
    text = _ISO.sub(" ", text)
    for identifier in _IDENTIFIER.findall(text):
        if not known.has_word(identifier) and not _is_plain_number_known(identifier, known):
            yield ValueKind.IDENTIFIER, identifier


def _is_plain_number_known(text: str, known: KnownValues) -> bool:
    return text.isdecimal() and known.has_number(float(text))


def _is_known_number(value: float, key: str, known: KnownValues) -> bool:
    whole = value == int(value) if abs(value) < 1e15 else False
    if whole and (abs(value) < _SMALLEST or _COUNTING_KEY.search(key)):
        return True
    if whole and 1900 <= value <= 2100 and known.has_year(int(value)):
        return True
    return known.has_word(str(value)) or known.has_number(abs(value))


def _is_word(text: str) -> bool:
    """An enumeration's word: letters alone, in one case."""
    letters = plain(text)
    return letters.isalpha() and (text.islower() or (text.isupper() and len(text) <= 3))


def _as_day(text: str) -> date | None:
    found = _ISO.fullmatch(text)
    if found:
        return _day(int(found[1]), int(found[2]), int(found[3]))
    found = _DOTTED.fullmatch(text)
    return _day(int(found[3]), int(found[2]), int(found[1])) if found else None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
