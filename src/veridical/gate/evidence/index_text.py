"""Text cells by their folded words, so that an answer's words are looked up, never the rows.

A key is a cell's words, folded and joined by single spaces; a Chinese character is a word of its
own. All cells are folded in one go: one pass over the joined text instead of one for each cell.
"""

from collections.abc import Sequence
from functools import lru_cache

from veridical.gate.lazy import lazy
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN, fold, stem

_BREAK = "\x00"
_GAPS = late_pattern(r"(?:[^\w\x00]|_)+")
_HAN = late_pattern(f"[{HAN}]")
_FIRST_WORD = late_pattern(r"\x00 ([^ ]+) ")
_SPACES = {code: " " for code in range(1, 128) if not chr(code).isalnum()}
_LONGEST_KEY = 80
_MANY_ASKED = 16
_ENDINGS = ("", "s", "e", "es", "n", "en", "er", "em", "ern", "y", "ies")

known_fold = lru_cache(maxsize=50_000)(fold)
"""The words of a language recur from answer to answer."""


class Texts:
    """The text cells of all sheets.

    Folding is done for all of them at once; where a key stands is looked up when it is asked, and
    worked out for all keys only once many were.
    """

    def __init__(self, cells: Sequence[str], codes: Sequence[int]) -> None:
        self._cells = cells
        self._codes = codes
        spellings = list(dict.fromkeys(cells))
        folded = keys_of(spellings) if spellings else []
        self._spelt = dict(zip(folded, spellings, strict=True))
        self._found: dict[str, list[int]] = {}
        self._longest: dict[str, int] = {}
        self._is_complete = False
        if len(self._spelt) < len(spellings):
            self._gather(spellings, folded)
        self._spelt.pop("", None)

    def __contains__(self, key: str) -> bool:
        return key in self._spelt

    def codes(self, key: str) -> Sequence[int] | None:
        """The cells that hold these folded words and no others; none where there is no such."""
        found = self._found.get(key)
        if found is None and not self._is_complete and key in self._spelt:
            if len(self._found) >= _MANY_ASKED:
                self.build()
                return self._found[key]
            found = self._found[key] = self._spelt_so(self._spelt[key])
        return found

    @lazy
    def first_words(self) -> frozenset[str]:
        """The first word of each key."""
        return frozenset(_FIRST_WORD.findall(self._joined))

    def longest(self, first: str) -> int:
        """The most words that a short key with this first word has; 0 where there is none."""
        most = self._longest.get(first)
        if most is None:
            most = 0
            joined, sought = self._joined, f"{_BREAK} {first} "
            begin = joined.find(sought) if first in self.first_words else -1
            while begin >= 0:
                end = joined.find(_BREAK, begin + 1)
                words = joined.count(" ", begin, end) - 1
                if words > most and end - begin <= _LONGEST_KEY + len("\0  "):
                    most = words
                begin = joined.find(sought, end)
            self._longest[first] = most
        return most

    def holding(self, key: str) -> int | None:
        """The first cell in which these folded words stand; none where there is no such cell."""
        exact = self.codes(key)
        if exact:
            return exact[0]
        joined = self._joined
        at = joined.find(f" {key} ")
        if at < 0:
            return None
        begin = joined.rfind(_BREAK, 0, at + 1) + 2
        found = self.codes(joined[begin : joined.find(_BREAK, at + 1) - 1])
        return found[0] if found else None

    def declined(self, key: str) -> int | None:
        """The first cell whose last word differs in its ending only."""
        root = stem(key)
        for ending in _ENDINGS:
            codes = self.codes(root + ending)
            if codes:
                return codes[0]
        return None

    def build(self) -> None:
        """Look up all keys at once, for texts that are asked again and again."""
        if not self._is_complete:
            self._gather(list(self._spelt.values()), list(self._spelt))
        longest = dict.fromkeys(self.first_words, 0)
        for key in self._spelt:
            first, words = key.partition(" ")[0], key.count(" ") + 1
            if words > longest[first] and len(key) <= _LONGEST_KEY:
                longest[first] = words
        self._longest = longest

    @lazy
    def _joined(self) -> str:
        return f" {_BREAK} ".join(("", *self._spelt, ""))

    def _spelt_so(self, text: str) -> list[int]:
        cells, codes = self._cells, self._codes
        found: list[int] = []
        at = -1
        for _ in range(cells.count(text)):
            at = cells.index(text, at + 1)
            found.append(codes[at])
        return found

    def _gather(self, spellings: Sequence[str], keys: Sequence[str]) -> None:
        """The cells of each key, those of its first spelling first."""
        places: dict[str, list[int]] = {text: [] for text in spellings}
        for text, code in zip(self._cells, self._codes, strict=True):
            if text in places:
                places[text].append(code)
        found: dict[str, list[int]] = {}
        for text, key in zip(spellings, keys, strict=True):
            if key in found:
                found[key] += places[text]
            else:
                found[key] = places[text]
        found.pop("", None)
        self._found = found
        self._is_complete = True


def stems_of(key: str) -> str:
    """A key with each word cut to its stem."""
    return " ".join(map(stem, key.split(" ")))


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
    if _has_loose_space(spaced):
        return [" ".join(key.split()) for key in keys]
    return keys


def _has_loose_space(spaced: str) -> bool:
    return (
        "  " in spaced
        or f" {_BREAK}" in spaced
        or f"{_BREAK} " in spaced
        or spaced[:1] == " "
        or spaced[-1:] == " "
    )


def _apart(texts: Sequence[str]) -> list[str]:
    """Plain letters are folded much faster where no other kind is among them."""
    plain = list(texts)
    others = [at for at, text in enumerate(texts) if not text.isascii()]
    for at in others:
        plain[at] = ""
    keys = keys_of(plain)
    for at in others:
        keys[at] = known_key(texts[at])
    return keys


def known_key(text: str) -> str:
    """The same for names, which recur from row to row and from answer to answer."""
    return _short_key(text) if len(text) <= _LONGEST_KEY else key_of(text)


_short_key = lru_cache(maxsize=20_000)(key_of)
