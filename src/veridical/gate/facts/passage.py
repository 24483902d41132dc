"""The running text inside a record: reviews, descriptions, remarks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

from veridical.gate.facts.word import words

_FEWEST_WORDS = 5


@dataclass(frozen=True, slots=True)
class Passages:
    """What the texts of a record talk about."""

    roots: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    forms: frozenset[str]
    """The words as they are written, in lower case."""

    def mention(self, phrase: tuple[str, ...]) -> bool:
        """Whether the words of a phrase stand together somewhere."""
        if len(phrase) == 1:
            return phrase[0] in self.roots
        return all(pair in self.pairs for pair in pairwise(phrase))


def read_passages(record: object) -> Passages:
    """All texts of the record that are longer than a name."""
    spoken: set[str] = set()
    pairs: set[tuple[str, str]] = set()
    forms: set[str] = set()
    for text in texts(record):
        each = tuple(word for word in words(text) if not word.is_mark)
        if len(each) >= _FEWEST_WORDS:
            found = tuple(word.root for word in each)
            forms.update(word.low for word in each)
            spoken.update(found)
            pairs.update(pairwise(found))
    return Passages(frozenset(spoken), frozenset(pairs), frozenset(forms))


def texts(node: object) -> Iterator[str]:
    """Every string of a record."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, Mapping):
        for value in cast("Mapping[str, Any]", node).values():
            yield from texts(value)
    elif isinstance(node, list | tuple):
        for value in cast("list[Any]", node):
            yield from texts(value)
