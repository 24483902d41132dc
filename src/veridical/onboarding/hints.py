"""The kinds that the words of a name hint at. The words are data: ``words.toml``."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from veridical.onboarding.names import singular, words_of
from veridical.word_file import word_file

_LATIN = re.compile(r"[a-z0-9]")
_REMEMBERED = 262_144
_SAME = "same"
_COMPOUND = 5
"""Letters of a noun that is recognised at the end of a longer one."""


def hints_at(name: str, kind: str) -> bool:
    """True if a word of the name hints at this kind."""
    return words_hint_at(words_of(name), kind)


@lru_cache(_REMEMBERED)
def words_hint_at(words: tuple[str, ...], kind: str) -> bool:
    """True if some of these words, in a row, hint at this kind."""
    if any(_has(words, each) for each in words_hinting(kind)):
        return True
    return any(word.endswith(_compound_ends(kind)) for word in words)


def ends_with(words: tuple[str, ...], kind: str) -> bool:
    """True if the last word hints at this kind."""
    return bool(words) and words_hint_at(words[-1:], kind)


def counts_things(words: tuple[str, ...]) -> bool:
    """True if a name ends with several things that are no codes: ``code scans`` are scans."""
    last = words[-1] if words else ""
    return singular(last) != last and not words_hint_at((singular(last),), "code")


def is_value_of(text: str, kind: str) -> bool:
    """True if a whole value is one of the words of this kind."""
    return words_of(text) in words_hinting(kind)


@cache
def same_things() -> tuple[frozenset[str], ...]:
    """Groups of nouns that name the same thing."""
    return tuple(frozenset(map(singular, group)) for group in _words()[_SAME].values())


def without_end(word: str, kind: str) -> str:
    """A word of a script without blanks, without its ending of this kind."""
    if _LATIN.search(word):
        return word
    ends = sorted(
        (each[0] for each in words_hinting(kind) if len(each) == 1), key=len, reverse=True
    )
    return next(
        (word.removesuffix(end) for end in ends if word.endswith(end) and word != end), word
    )


def _has(words: tuple[str, ...], phrase: Sequence[str]) -> bool:
    if len(phrase) == 1 and not _LATIN.search(phrase[0]):
        return any(phrase[0] in word for word in words)
    size = len(phrase)
    return any(words[start : start + size] == phrase for start in range(len(words) - size + 1))


@cache
def words_hinting(kind: str) -> frozenset[tuple[str, ...]]:
    """All hints at a kind, as words in a row."""
    written = (words_of(text) for texts in _words()[kind].values() for text in texts)
    found = set(written)
    # A phrase is also written as one word: "unit price" and "unitprice".
    return frozenset(found | {("".join(each),) for each in found})


@cache
def _compound_ends(kind: str) -> tuple[str, ...]:
    """German nouns grow at the front: ``Lagerbestand`` is a ``Bestand``."""
    written = (words_of(text) for text in _words()[kind].get("de", ()))
    return tuple(each[0] for each in written if len(each) == 1 and len(each[0]) >= _COMPOUND)


def _words() -> dict[str, dict[str, list[str]]]:
    return word_file("veridical.onboarding")
