"""The search terms of a text: folded word stems, or pairs of characters in scripts without spaces.

Both sides of a comparison are folded alike, so that "Gläubiger", "Glaeubiger" and "glaubiger" meet,
and so do singular and plural in German and English.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_CAMEL = re.compile(r"(?<=[a-zäöüß0-9])(?=[A-ZÄÖÜ])|(?<=[A-Z])(?=[A-Z][a-z])")
_LATIN = re.compile(r"[a-z]+|[0-9]+")
HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Chinese characters, as a range within an expression."""
_HAN = re.compile(f"[{HAN}]+")
_DIGRAPHS = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("ß", "ss"))
_ENDINGS = ("ern", "ies", "en", "er", "es", "em", "e", "i", "n", "o", "s", "y")
_SHORTEST_STEM = 3
_PERHAPS_A_MARK = re.compile(rf"[^\0-\x7f{HAN}]")
"""No character is a mark that stands on another one, and a Chinese text has many of them."""
_SHORTEST_PART = 4


@lru_cache(maxsize=50_000)
def terms(text: str) -> tuple[str, ...]:
    """The terms of a text or of a name in camelCase or snake_case, in order."""
    folded = fold(split_name(text))
    words = (stem(word) for word in _LATIN.findall(folded))
    return (*words, *(pair for run in _HAN.findall(text) for pair in han_pairs(run)))


def split_name(text: str) -> str:
    """A name in camelCase as separate words."""
    return _CAMEL.sub(" ", text)


def fold(text: str) -> str:
    """Lower case, without accents, umlauts in one spelling."""
    lowered = text.casefold()
    if not lowered.isascii():
        lowered = unicodedata.normalize("NFKD", lowered)
        # few signs are different ones, so this is far faster than str.translate
        for sign in set(_PERHAPS_A_MARK.findall(lowered)):
            if unicodedata.combining(sign):
                lowered = lowered.replace(sign, "")
    for digraph, letter in _DIGRAPHS:
        lowered = lowered.replace(digraph, letter)
    return lowered


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The word without its ending of number or case."""
    if not word.endswith(_ENDINGS):
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)]
    return word


def parts(word: str) -> Iterator[str]:
    """The beginnings and ends of a compound: ``bankkonto`` yields ``bank`` and ``konto``."""
    for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_STEM + 1):
        yield word[:cut]
        yield word[-cut:]


def has_han(text: str) -> bool:
    """Whether any of it is written in Chinese characters."""
    return not text.isascii() and _HAN.search(text) is not None


def han_pairs(run: str) -> Iterator[str]:
    """Each two neighbouring characters; a single one stands for itself."""
    if len(run) == 1:
        yield run
    for start in range(len(run) - 1):
        yield run[start : start + 2]
