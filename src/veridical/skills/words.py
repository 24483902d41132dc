"""Where the words of a skill stand in a text: by their stems, in any order, close together.

A keyword is one word or several. ``review*`` stands for every word that begins so. Chinese is
compared sign by sign. The words of one keyword may stand in any order with a few others between
them, though never across the end of a sentence: "code review" is found in "review my old code".
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from veridical.ontology.terms import fold, stem

_LATIN_WEIGHT, _HAN_WEIGHT = 2, 1
"""A word of letters says about as much as two Chinese signs."""
_SLACK = 8
"""How much may stand between the words of one keyword, in weights."""
_SENTENCE = 1_000
_TOKEN = re.compile(r"[a-z0-9]+\*?|[㐀-䶿一-鿿豈-﫿]+|[.!?;。！？；](?=\s|$)|[。！？；\n]")
_PREFIX = "*"


@dataclass(frozen=True, slots=True)
class Told:
    """A text as its words: their stems, their full forms, and how far along each stands."""

    stems: tuple[str, ...]
    words: tuple[str, ...]
    reach: tuple[int, ...]
    weights: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """Which keywords a text holds, and how much of the text they cover."""

    words: tuple[str, ...] = ()
    places: frozenset[int] = frozenset()


@lru_cache(maxsize=512)
def told(text: str) -> Told:
    """The words of a text."""
    stems: list[str] = []
    words: list[str] = []
    reach: list[int] = []
    weights: list[int] = []
    along = 0
    for token in _TOKEN.findall(fold(text)):
        if not token[0].isalnum():
            along += _SENTENCE
            continue
        latin = token.isascii()
        for word in (token.rstrip(_PREFIX),) if latin else token:
            weight = _LATIN_WEIGHT if latin else _HAN_WEIGHT
            stems.append(stem(word) if latin else word)
            words.append(word)
            reach.append(along)
            weights.append(weight)
            along += weight
    return Told(tuple(stems), tuple(words), tuple(reach), tuple(weights))


def find(keywords: Iterable[str], text: Told) -> Found:
    """The keywords that stand in the text."""
    hits = {word: places for word in keywords if (places := _places(word, text))}
    return Found(tuple(hits), frozenset(place for places in hits.values() for place in places))


def weight_of(places: Iterable[int], text: Told) -> int:
    """How much of the text these places are."""
    return sum(text.weights[place] for place in places)


def _places(keyword: str, text: Told) -> frozenset[int]:
    """Where the keyword stands; empty where one of its pieces is missing or far away."""
    pieces = _pieces(keyword)
    spots = [tuple(_spots(piece, text)) for piece in pieces]
    if not spots or not all(spots):
        return frozenset()
    for start in spots[0]:
        near = [min(each, key=lambda spot: abs(spot - start)) for each in spots]
        places = frozenset(
            place + offset
            for place, piece in zip(near, pieces, strict=True)
            for offset in range(1 if piece.isascii() else len(piece))
        )
        extent = text.reach[max(places)] + text.weights[max(places)] - text.reach[min(places)]
        if extent - weight_of(places, text) <= _SLACK and len(set(near)) == len(near):
            return places
    return frozenset()


@lru_cache(maxsize=20_000)
def _pieces(keyword: str) -> tuple[str, ...]:
    """The words of a keyword: a stem, a beginning with its star, or a run of Chinese signs."""
    found = (token for token in _TOKEN.findall(fold(keyword)) if token[0].isalnum())
    return tuple(
        stem(token) if token.isascii() and not token.endswith(_PREFIX) else token for token in found
    )


def _spots(piece: str, text: Told) -> Iterator[int]:
    if piece.endswith(_PREFIX):
        beginning = piece.rstrip(_PREFIX)
        return (at for at, word in enumerate(text.words) if word.startswith(beginning))
    if piece.isascii():
        return (at for at, each in enumerate(text.stems) if each == piece)
    size = len(piece)
    return (
        at
        for at in range(len(text.stems) - size + 1)
        if "".join(text.words[at : at + size]) == piece
    )
