"""Citations: the brackets of an answer that name the chunks a sentence rests on.

Models are instructed to use the chunk's id in square brackets, ``[doc-417#2]``. Numbers
of chunks in their order, several at once, ranges, footnotes, links and a word for *source* in
round brackets are read as well.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from veridical.contracts.language import Language
from veridical.gate.languages.forms import any_of
from veridical.gate.languages.vocabulary import language_file
from veridical.gate.quotations.folded import is_letter
from veridical.gate.quotations.library import Library, key_of
from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import BRACKETS, LIST_MARKS, ROUND_BRACKETS, marks

_LONGEST = 200
_SHAPE = late_pattern(r"(?=[\w#:./-]{1,40}$)(?!\d{4,}$)[^\W_]*[\w#:./-]*\d[\w#:./-]*")
"""Text that can only name a chunk: one word with a digit, and no year."""
_RANGE = late_pattern(r"(\d{1,3})\s?[-\u2013]\s?(\d{1,3})")
_NOTE = late_pattern(r"\u2020.*$")
"""The note that some models write behind a number: 1†source."""
_LINK = late_pattern(r"\((?P<address>[^()\s]{1,500})\)")
_PARTS = late_pattern(rf"\s*[{re.escape(marks(',;') + LIST_MARKS)}&]\s*")
_MOST_IN_RANGE = 20


@dataclass(frozen=True, slots=True)
class Citation:
    """One pair of brackets."""

    start: int
    end: int
    chunks: tuple[int, ...]
    unknown: tuple[str, ...] = ()
    """Names that no chunk has."""


def find_citations(text: str, library: Library) -> list[Citation]:
    """All citations of a text in order; neighbours are one."""
    found = [
        cited for match in _brackets().finditer(text) if (cited := _read(text, match, library))
    ]
    return list(_joined(text, found))


def _read(text: str, match: re.Match[str], library: Library) -> Citation | None:
    start, end = match.span()
    inner = match[0][1:-1].strip()
    square = match[0][0] in _opening(BRACKETS)
    link = _LINK.match(text, end) if square else None
    label = _label().match(inner)
    if label is not None:
        inner = inner[label.end() :]
    named = library.by_name.get(key_of(inner))
    if named is not None and (square or label is not None or _SHAPE.match(inner)):
        return Citation(start, link.end() if link else end, named)
    if link is not None:
        address = library.by_name.get(key_of(link["address"]))
        if address is not None:
            return Citation(start, link.end(), address)
    if not square and label is None:
        return None
    attached = start > 0 and is_letter(text[start - 1])
    chunks: list[int] = []
    unknown: list[str] = []
    for part in _PARTS.split(inner):
        places = _places(part, library)
        if places:
            chunks += places
        elif _SHAPE.fullmatch(part.removeprefix("^")) and not attached:
            unknown.append(part)
        else:
            return None
    return Citation(
        start, link.end() if link else end, tuple(dict.fromkeys(chunks)), tuple(unknown)
    )


def _places(part: str, library: Library) -> Sequence[int]:
    """The chunks of one name or number, or of a range of numbers."""
    name = _NOTE.sub("", part.removeprefix("^")).strip()
    label = _label().match(name)
    if label is not None:
        name = name[label.end() :]
    named = library.by_name.get(key_of(name))
    if named is not None:
        return named
    many = len(library.shelved)
    between = _RANGE.fullmatch(name)
    if between is not None:
        first, last = int(between[1]), int(between[2])
        if 0 < first < last <= many and last - first < _MOST_IN_RANGE:
            return range(first - 1, last)
    if name.isdecimal() and len(name) <= 3 and 0 < int(name) <= many:
        return (int(name) - 1,)
    return ()


def _joined(text: str, found: Sequence[Citation]) -> Iterator[Citation]:
    if not found:
        return
    group = found[0]
    for one, other in pairwise(found):
        if text[one.end : other.start].strip(" ,;&"):
            yield group
            group = other
        else:
            chunks = tuple(dict.fromkeys((*group.chunks, *other.chunks)))
            group = Citation(group.start, other.end, chunks, (*group.unknown, *other.unknown))
    yield group


def _opening(pairs: Sequence[str]) -> str:
    return "".join(pair[0] for pair in pairs)


@cache
def _brackets() -> re.Pattern[str]:
    """Brackets with neither brackets nor line breaks inside."""
    every = (*BRACKETS, *ROUND_BRACKETS)
    none = re.escape("".join(every))
    return re.compile(
        "|".join(
            rf"{re.escape(pair[0])}[^{none}\n]{{1,{_LONGEST}}}{re.escape(pair[1])}"
            for pair in every
        )
    )


@cache
def _label() -> re.Pattern[str]:
    """A word for a source, in any language, with or without a colon."""
    words = [word for each in Language for word in language_file(each)["citation"]["labels"]]
    return re.compile(rf"(?:{any_of(words)})(?:\s*[{marks(':')}]\s*|\s+)", re.IGNORECASE)
