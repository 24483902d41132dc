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
_LOOSE_SPACE = re.compile(r"  | \x00|\x00 ")
_SPACES = {code: " " for code in range(1, 128) if not chr(code).isalnum()}
_LONGEST_KEY = 80

known_fold = lru_cache(maxsize=50_000)(fold)
known_stem = lru_cache(maxsize=50_000)(stem)
"""The words of a language recur from answer to answer."""


@dataclass(slots=True)
class Texts:
    """The text cells of all sheets."""

    keys: dict[str, list[int]]
    """Folded text to the cells that hold it."""
    longest: dict[str, int]
    """The first word of each short key to the most words that a key with it has."""
    _folded: str = ""
    _stems: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def holding(self, key: str) -> int | None:
        """The first cell in which these folded words stand; none where there is no such cell."""
        exact = self.keys.get(key)
        if exact:
            return exact[0]
        if not self._folded:
            self._folded = f" {_BREAK} ".join(("", *self.keys, ""))
        at = self._folded.find(f" {key} ")
        if at < 0:
            return None
        begin = self._folded.rfind(_BREAK, 0, at + 1) + 2
        return self.keys[self._folded[begin : self._folded.find(_BREAK, at + 1) - 1]][0]

    def with_stems_of(self, key: str) -> list[str]:
        """The keys that have the same word stems."""
        if not self._stems and self.keys:
            for known in self.keys:
                if len(known) <= _LONGEST_KEY:
                    self._stems.setdefault(stems_of(known), []).append(known)
        return self._stems.get(stems_of(key), [])


def stems_of(key: str) -> str:
    """A key with each word cut to its stem."""
    return " ".join(map(known_stem, key.split(" ")))


def key_of(text: str) -> str:
    """The folded words of a text."""
    return keys_of((text,))[0]


def keys_of(texts: Sequence[str]) -> list[str]:
    """The folded words of each text."""
    joined = _BREAK.join(texts)
    if joined.count(_BREAK) >= len(texts) > 0:
        return [key_of(text.replace(_BREAK, " ")) for text in texts]
    if joined.isascii():
        spaced = fold(joined).translate(_SPACES)
    elif len(texts) > 1:
        return _apart(texts)
    else:
        spaced = _GAPS.sub(" ", _HAN.sub(r" \g<0> ", fold(joined)))
    keys = spaced.split(_BREAK)
    if _LOOSE_SPACE.search(f"{_BREAK}{spaced}{_BREAK}"):
        return [" ".join(key.split()) for key in keys]
    return keys


def _apart(texts: Sequence[str]) -> list[str]:
    """Plain letters are folded much faster where no other kind is among them."""
    plain = [text for text in texts if text.isascii()]
    known = dict(zip(plain, keys_of(plain), strict=True)) if plain else {}
    for text in texts:
        if text not in known:
            known[text] = key_of(text)
    return [known[text] for text in texts]


def index_texts(cells: Sequence[str], codes: Sequence[int]) -> Texts:
    """The index of these text cells."""
    keys: dict[str, list[int]] = {}
    for key, code in zip(keys_of(cells) if cells else (), codes, strict=True):
        known = keys.get(key)
        if known is None:
            keys[key] = [code]
        else:
            known.append(code)
    keys.pop("", None)
    longest: dict[str, int] = {}
    for key in keys:
        if len(key) <= _LONGEST_KEY:
            words = key.split(" ")
            first = words[0]
            if longest.get(first, 0) < len(words):
                longest[first] = len(words)
    return Texts(keys, longest)
