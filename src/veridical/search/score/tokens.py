"""Token sets, and how much two of them have in common."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from operator import add

from veridical.ontology.terms import HAN, fold, stem

_LATIN = re.compile("[a-z]+|[0-9]+")
_HAN = re.compile(f"([{HAN}]+)")
MOST_WORDS = 20_000
"""Words that are remembered, in every spelling that was met."""


class Stems(dict[str, tuple[str, ...]]):
    """The stems of what stands between two spaces, each made once. Texts are new, their words
    rarely are."""

    def __missing__(self, word: str) -> tuple[str, ...]:
        folded = fold(word)
        plain = folded.isascii() and folded.isalpha()  # most are one word and nothing else
        found = (stem(folded),) if plain else tuple(map(stem, _LATIN.findall(folded)))
        if len(self) >= MOST_WORDS:
            self.clear()
        self[word] = found
        return found


_stems = Stems()


@lru_cache(maxsize=1_024)
def tokens(text: str) -> frozenset[str]:
    """The distinct terms of a text: folded stems, and pairs of characters in Chinese."""
    return frozenset(_terms(text))


@lru_cache(maxsize=1_024)
def tokens_of_both(title: str, snippet: str) -> frozenset[str]:
    """The distinct terms of two texts: titles come again, snippets are new."""
    return frozenset(chain(tokens(title), _terms(snippet)))


def _terms(text: str) -> Iterator[str]:
    if text.isascii():
        return chain.from_iterable(map(_stems.__getitem__, text.split()))
    parts = _HAN.split(text)  # every second one is Chinese
    words = text.split() if len(parts) == 1 else " ".join(parts[::2]).split()
    pairs = (map(add, run, run[1:]) if len(run) > 1 else run for run in parts[1::2])
    return chain(*map(_stems.__getitem__, words), *pairs)


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """The shared part of both sets: 0 for nothing in common, 1 for the same (Jaccard)."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0
