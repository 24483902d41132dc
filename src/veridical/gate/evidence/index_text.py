"""Text cells by their folded words, so that an answer's words are looked up, never the rows.

A key is a cell's words, folded and joined by single spaces; a Chinese character is a word of its
own. All cells are folded in one go: one pass over the joined text instead of one for each cell.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from veridical.ontology.terms import fold, stem

_BREAK = "\x00"
_GAPS = re.compile(r"(?:[^\w\x00]|_)+")
_HAN = re.compile(r"[㐀-䶿一-鿿豈-﫿]")
_LONGEST_KEY = 80

known_fold = lru_cache(maxsize=50_000)(fold)
known_stem = lru_cache(maxsize=50_000)(stem)
"""The words of a language recur from answer to answer."""


@dataclass(frozen=True, slots=True)
class Texts:
    """The text cells of all sheets."""

    keys: dict[str, list[int]]
    """Folded text to the cells that hold it."""
    longest: dict[str, int]
    """The first word of each short key to the most words that a key with it has."""
    cells: Sequence[str]
    codes: Sequence[int]
    folded: str
    """All cells, folded, each after a break and a space, for what is only part of a cell."""
    stems: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def holding(self, key: str) -> int | None:
        """The first cell in which these folded words stand; none where there is no such cell."""
        exact = self.keys.get(key)
        if exact:
            return exact[0]
        at = self.folded.find(f" {key} ")
        if at < 0:
            return None
        return self.codes[self.folded.count(_BREAK, 0, at + 1) - 1]

    def with_stems_of(self, key: str) -> list[str]:
        """The keys that have the same word stems."""
        if not self.stems and self.keys:
            for known in self.keys:
                if len(known) <= _LONGEST_KEY:
                    self.stems.setdefault(stems_of(known), []).append(known)
        return self.stems.get(stems_of(key), [])


def stems_of(key: str) -> str:
    """A key with each word cut to its stem."""
    return " ".join(map(known_stem, key.split(" ")))


def key_of(text: str) -> str:
    """The folded words of a text."""
    return keys_of((text,))[0]


def keys_of(texts: Sequence[str]) -> list[str]:
    """The folded words of each text."""
    joined = fold(_BREAK.join(texts))
    if not joined.isascii():
        joined = _HAN.sub(r" \g<0> ", joined)
    keys = _GAPS.sub(" ", joined).split(_BREAK)
    if len(keys) != len(texts):
        return [keys_of((text.replace(_BREAK, " "),))[0] for text in texts]
    return [key.strip() for key in keys]


def index_texts(cells: Sequence[str], codes: Sequence[int]) -> Texts:
    """The index of these text cells."""
    folded = keys_of(cells) if cells else []
    keys: dict[str, list[int]] = {}
    for key, code in zip(folded, codes, strict=True):
        if key in keys:
            keys[key].append(code)
        else:
            keys[key] = [code]
    keys.pop("", None)
    longest: dict[str, int] = {}
    for key in keys:
        if len(key) <= _LONGEST_KEY:
            first, _, _ = key.partition(" ")
            words = key.count(" ") + 1
            if longest.get(first, 0) < words:
                longest[first] = words
    blob = f" {_BREAK} ".join(folded)
    return Texts(keys, longest, cells, codes, f"{_BREAK} {blob} ")
