"""Snowball stems, remembered: a collection repeats its words."""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Protocol

from snowballstemmer import stemmer

from veridical.contracts.language import Language

_ALGORITHMS = {Language.EN: "english", Language.DE: "german"}


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 # the library's own spelling


@cache
def _stemmer(language: Language) -> _Stemmer:
    return stemmer(_ALGORITHMS[language])


@lru_cache(maxsize=200_000)
def stem(language: Language, word: str) -> str:
    """The stem of a folded word."""
    return _stemmer(language).stemWord(word)


def stems(language: Language, words: Iterable[str]) -> list[str]:
    """The stems of folded words, in their order."""
    return [stem(language, word) for word in words]
