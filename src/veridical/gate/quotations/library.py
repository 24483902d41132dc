"""The chunks behind an answer, folded once, with their names in citations and a search."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from veridical.contracts.chunk import Chunk
from veridical.contracts.input_budget import keep_time
from veridical.contracts.language import Language
from veridical.evidence.moment import Moment, find_moments
from veridical.gate.languages.vocabulary import vocabulary
from veridical.gate.quotations.boundary import is_whole
from veridical.gate.quotations.folded import Folded, fold
from veridical.gate.text.figures import Figure, find_figures
from veridical.gate.text.passage import Span
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN
from veridical.reading.language import language_of
from veridical.reading.plain_text import PlainText, plain_text

_WORD = late_pattern(rf"[^\W{HAN}]+|[{HAN}]")
_CAPITAL = late_pattern(r"(?<=[a-z,] )[A-Z][^\W\d_]+")
_SMALL = late_pattern(r"(?<!\w)[a-z][^\W\d_]+")
_LINE = late_pattern(r"[^\n]+")
PARTING = "\0"
_MOST_PLACES = 200
"""Limit of places for one wording within one chunk."""
_LANGUAGE_SAMPLE = 2_000
"""Characters that a chunk's language is read from."""


class FoldedSpan(NamedTuple):
    """A stretch of a chunk's folded text."""

    chunk: int
    start: int
    end: int


class Spot(NamedTuple):
    """A stretch of a chunk's own text; an empty one stands for its title."""

    chunk: int
    start: int
    end: int


@dataclass(frozen=True)
class Shelved:
    """One chunk with the values derived from it on first use."""

    chunk: Chunk

    @cached_property
    def folded(self) -> Folded:
        """Its text as quotations are compared with it."""
        return fold(self.chunk.text)

    @cached_property
    def language(self) -> Language:
        """The language that it is written in."""
        return self.chunk.language or language_of(self.chunk.text[:_LANGUAGE_SAMPLE], Language.EN)

    @cached_property
    def _lines(self) -> tuple[PlainText, tuple[re.Match[str], ...]]:
        """Its text with plain digits, as figures and times are read, and the lines of that."""
        plain = plain_text(self.chunk.text)
        return plain, tuple(_LINE.finditer(plain.text))

    @cached_property
    def figures(self) -> tuple[tuple[Figure, Span], ...]:
        """Its figures and where they stand; those within times as well."""
        plain, lines = self._lines
        words = vocabulary(self.language)
        return tuple(
            (figure, plain.span(line.start() + figure.start, line.start() + figure.end))
            for line in lines
            for figure in find_figures(line[0], words, ())
        )

    @cached_property
    def moments(self) -> tuple[tuple[Moment, Span], ...]:
        """The times that it names and where; those of its title and its date stand nowhere."""
        plain, lines = self._lines
        found = [
            (each.moment, plain.span(line.start() + each.start, line.start() + each.end))
            for line in lines
            for each in find_moments(line[0])
        ]
        dated = (*find_moments(self.chunk.title), *find_moments(self.chunk.date))
        return (*found, *((each.moment, (0, 0)) for each in dated))

    @cached_property
    def full_text(self) -> str:
        """Its text, title, source and id, folded, in lower case."""
        chunk = self.chunk
        return fold(f"{chunk.text}\n{chunk.title}\n{chunk.source}\n{chunk.id}").text.casefold()

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of its full text."""
        return frozenset(words_of(self.full_text))


@dataclass(frozen=True)
class Library:
    """All chunks, in the order in which they were given."""

    shelved: tuple[Shelved, ...]

    @cached_property
    def by_name(self) -> dict[str, tuple[int, ...]]:
        """The chunks by their exact names in citations: id, title, source."""
        found: dict[str, list[int]] = {}
        for field in range(3):
            taken = set(found)
            for at, each in enumerate(self.shelved):
                name = key_of((each.chunk.id, each.chunk.title, each.chunk.source)[field])
                if name and name not in taken:
                    found.setdefault(name, []).append(at)
        return {name: tuple(places) for name, places in found.items()}

    @cached_property
    def capitalised(self) -> frozenset[str]:
        """The words that stand within a sentence with a capital, and nowhere without."""
        capital = {word for each in self.shelved for word in _CAPITAL.findall(each.chunk.text)}
        small = {word for each in self.shelved for word in _SMALL.findall(each.chunk.text)}
        return frozenset(word for word in capital if word.lower() not in small)

    @cached_property
    def joined(self) -> tuple[str, tuple[int, ...]]:
        """All folded texts in one, and where each begins: one search instead of many."""
        starts = accumulate((len(each.folded.text) + 1 for each in self.shelved), initial=0)
        return PARTING.join(each.folded.text for each in self.shelved), tuple(starts)

    def find(self, wording: str, chunks: Sequence[int], start: int = 0) -> Iterator[FoldedSpan]:
        """Where folded words stand as a whole, with either case of their first letter."""
        if not wording:
            return
        spellings = {wording, wording[0].swapcase() + wording[1:]}
        if len(chunks) == len(self.shelved) > 1:
            for begin, end in _whole(self.joined[0], spellings, start):
                yield self.place(begin, end)
            return
        for at in chunks:
            for begin, end in _whole(self.shelved[at].folded.text, spellings, start):
                yield FoldedSpan(at, begin, end)

    def place(self, start: int, end: int) -> FoldedSpan:
        """A stretch of the joined texts, as one of its chunk."""
        starts = self.joined[1]
        at = min(bisect_right(starts, start) - 1, len(self.shelved) - 1)
        return FoldedSpan(at, start - starts[at], end - starts[at])

    def next(self, wording: str, chunk: int, start: int) -> FoldedSpan | None:
        """The first place from here on."""
        return min(self.find(wording, (chunk,), start), default=None)

    def spot(self, place: FoldedSpan) -> Spot:
        """The same stretch of the chunk itself."""
        return Spot(place.chunk, *self.shelved[place.chunk].folded.span(place.start, place.end))

    def words_at(self, spot: Spot) -> str:
        """The words of the chunk itself."""
        return self.shelved[spot.chunk].chunk.text[spot.start : spot.end]

    @property
    def everywhere(self) -> range:
        """All chunks."""
        return range(len(self.shelved))


def _whole(text: str, spellings: set[str], start: int) -> Iterator[tuple[int, int]]:
    """Where one of the spellings stands and no word is cut apart."""
    for spelling in spellings:
        keep_time()
        begin, looks = text.find(spelling, start), 0
        while begin >= 0 and looks < _MOST_PLACES:
            end = begin + len(spelling)
            if is_whole(text, begin, end):
                yield begin, end
            begin = text.find(spelling, begin + 1)
            looks += 1


def shelve(chunks: Sequence[Chunk]) -> Library:
    """The library of these chunks."""
    return Library(tuple(map(Shelved, chunks)))


def words_of(text: str) -> list[str]:
    """The words of a text; a sign of Chinese is one."""
    return _WORD.findall(text)


def key_of(name: str) -> str:
    """A name as citations are compared."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
