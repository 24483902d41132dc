"""The running text inside a record: reviews, descriptions, remarks, and all the words it uses."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

from veridical.contracts.input_budget import keep_time
from veridical.gate.records.clock import find_hours
from veridical.gate.records.word import Word, words
from veridical.ontology.terms import split_name

_FEWEST_WORDS = 5
_BEGINNING = 5
_DESCRIPTION = 60
_CURRENCIES = "$€£¥"
_LONG_TEXT = 10_000


@dataclass(frozen=True, slots=True)
class Passages:
    """What a record talks about; ``roots``, ``pairs``, ``forms`` are of its longer texts alone."""

    roots: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    forms: frozenset[str]
    """The words as they are written, in lower case."""
    used: frozenset[str]
    """Roots and forms of all words anywhere in the record, keys too."""
    beginnings: frozenset[str]
    length: int
    """How many words the longer texts have together."""
    minutes: frozenset[int]
    """The times of day that they tell."""

    @property
    def is_description(self) -> bool:
        """Whether there is enough running text that silence about something tells anything."""
        return self.length >= _DESCRIPTION

    def mention(self, phrase: tuple[str, ...]) -> bool:
        """Whether the words of a phrase stand together somewhere in the texts."""
        if len(phrase) == 1:
            return phrase[0] in self.roots
        return all(pair in self.pairs for pair in pairwise(phrase))

    def knows(self, word: Word) -> bool:
        """Whether the record uses the word, or another that begins like it."""
        low = word.low
        if word.root in self.used or low in self.used:
            return True
        return len(low) >= _BEGINNING and low[:_BEGINNING] in self.beginnings

    def touches(self, phrase: tuple[str, ...]) -> bool:
        """Whether the record uses the words of a phrase at all."""
        return all(
            word in self.used or (len(word) >= _BEGINNING and word[:_BEGINNING] in self.beginnings)
            for word in phrase
        )


def read_passages(record: object) -> Passages:
    """All words of a record, and the texts that are longer than a name."""
    spoken: set[str] = set()
    pairs: set[tuple[str, str]] = set()
    forms: set[str] = set()
    used: set[str] = set()
    length = 0
    minutes: set[int] = set()
    for text in texts(record):
        keep_time(now=len(text) > _LONG_TEXT)
        each = tuple(word for word in words(text) if not word.is_mark)
        found = tuple(word.root for word in each)
        used.update(found, (word.low for word in each), map("".join, pairwise(found)))
        if len(each) >= _FEWEST_WORDS:
            forms.update(word.low for word in each)
            forms.update(sign for sign in _CURRENCIES if sign in text)
            spoken.update(found)
            length += len(each)
            keep_time(now=len(text) > _LONG_TEXT)
            minutes.update(minute for span in find_hours(text) for minute in span.ends)
            pairs.update(pairwise(found))
    beginnings = {word[:_BEGINNING] for word in used if len(word) >= _BEGINNING}
    return Passages(
        frozenset(spoken),
        frozenset(pairs),
        frozenset(forms),
        frozenset(used),
        frozenset(beginnings),
        length,
        frozenset(minutes),
    )


def texts(node: object) -> Iterator[str]:
    """Every key and every string of a record."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, Mapping):
        for key, value in cast("Mapping[str, Any]", node).items():
            yield split_name(str(key))
            yield from texts(value)
    elif isinstance(node, list | tuple):
        for value in cast("list[Any]", node):
            yield from texts(value)
