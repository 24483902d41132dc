"""Text cells by their folded words, so that an answer's words are looked up, never the rows.

A key is a cell's words, folded and joined by single spaces; a Chinese character is a word of its
own. All cells are folded in one go: one pass over the joined text instead of one for each cell.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from veridical.ontology.terms import fold, stem

_BREAK = "\x00"
_GAPS = re.compile(r"(?:[^\w\x00]|_)+")
_HAN = re.compile(r"[㐀-䶿一-鿿豈-﫿]")
_LOOSE_SPACE = re.compile(r"  | \x00|\x00 ")
_SPACES = {code: " " for code in range(1, 128) if not chr(code).isalnum()}
_LONGEST_KEY = 80
_ENDINGS = ("", "s", "e", "es", "n", "en", "er", "em", "ern", "y", "ies")

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

    def declined(self, key: str) -> int | None:
        """The first cell whose last word differs in its ending only."""
        root = known_stem(key)
        for ending in _ENDINGS:
            codes = self.keys.get(root + ending)
            if codes:
                return codes[0]
        return None


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
    known: dict[str, str] = {}
    plain = [text for text in texts if text.isascii()]
    if plain:
        known.update(zip(plain, keys_of(plain), strict=True))
    return [known[text] if text in known else key_of(text) for text in texts]


def index_texts(cells: Sequence[str], codes: Sequence[int]) -> Texts:
    """The index of these text cells."""
    places: dict[str, list[int]] = {}
    for text, code in zip(cells, codes, strict=True):
        if text in places:
            places[text].append(code)
        else:
            places[text] = [code]
    keys: dict[str, list[int]] = {}
    longest: dict[str, int] = {}
    known = longest.get
    for key, found in zip(keys_of(list(places)) if places else (), places.values(), strict=True):
        if key in keys:
            keys[key] += found
            continue
        keys[key] = found
        if len(key) <= _LONGEST_KEY:
            first, _, rest = key.partition(" ")
            words = rest.count(" ") + 2 if rest else 1
            if known(first, 0) < words:
                longest[first] = words
    keys.pop("", None)
    longest.pop("", None)
    return Texts(keys, longest)
