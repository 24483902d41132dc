"""Finds a skill's keywords in a text: by their stems, in any order, close together.

A keyword is one word or several. ``review*`` stands for every word that begins so, ``*karte`` for
every word that ends so, ``check|audit`` for either word. Words joined by a hyphen stand side by
side; the others may stand in any order with some between them, though never across the end of a
sentence: ``code review`` is found in "review my old code". Chinese is compared sign by sign, and
each run of signs is one word.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from veridical.ontology.terms import HAN, fold, stem
from veridical.reading.punctuation import wide_marks

_LATIN_WEIGHT, _HAN_WEIGHT = 2, 1
"""A word of letters says about as much as two Chinese signs."""
_SLACK = 16
"""How much may stand between the words of one keyword, in weights."""
_SENTENCE = 1_000
_TOKEN = re.compile(rf"\*?[^\W_{HAN}]+\*?|[{HAN}]|[.!?](?=\s|$)|[{wide_marks('.!?')}\n]")
_HAN_SIGN = re.compile(f"[{HAN}]")
_STAR = "*"
_EITHER = "|"

Run = tuple[str, ...]
"""Tokens that stand side by side: stems, beginnings with their star, Chinese signs."""


@dataclass(frozen=True, slots=True)
class TokenizedText:
    """A tokenized text: words as written, folded and stemmed, with their positions and weights."""

    written: tuple[str, ...]
    words: tuple[str, ...]
    stems: tuple[str, ...]
    reach: tuple[int, ...]
    weights: tuple[int, ...]
    by_stem: Mapping[str, list[int]]
    by_word: Mapping[str, list[int]]


@dataclass(frozen=True, slots=True)
class Found:
    """The keywords found in a text, and their positions."""

    words: tuple[str, ...] = ()
    places: frozenset[int] = frozenset()


@lru_cache(maxsize=512)
def tokenized(text: str) -> TokenizedText:
    """The text, tokenized."""
    written: list[str] = []
    reach: list[int] = []
    weights: list[int] = []
    along = 0
    for token in _TOKEN.findall(text):
        word = token.strip(_STAR)
        if not word[0].isalnum():
            along += _SENTENCE
            continue
        written.append(word)
        reach.append(along)
        weights.append(_HAN_WEIGHT if _HAN_SIGN.match(word) else _LATIN_WEIGHT)
        along += weights[-1]
    words = tuple(map(fold, written))
    stems = tuple(map(stem, words))
    return TokenizedText(
        tuple(written), words, stems, tuple(reach), tuple(weights), _index(stems), _index(words)
    )


def find(keywords: Iterable[str], text: TokenizedText) -> Found:
    """The keywords that stand in the text, in the words of the text."""
    hits = [places for word in keywords if (places := _places(word, text))]
    wordings = dict.fromkeys(_wording(places, text) for places in hits)
    return Found(tuple(wordings), frozenset(place for places in hits for place in places))


def weight_of(places: Iterable[int], text: TokenizedText) -> int:
    """The share of the text at these places."""
    return sum(text.weights[place] for place in places)


def _places(keyword: str, text: TokenizedText) -> frozenset[int]:
    """Where the keyword stands; empty where one of its pieces is missing or far away."""
    spots: list[list[range]] = []
    for piece in _pieces(keyword):
        found = [spot for run in piece for spot in _spots(run, text)]
        if not found:
            return frozenset()
        spots.append(found)
    for first in spots[0] if spots else ():
        places = frozenset(place for spot in _nearest(first, spots[1:], text) for place in spot)
        if places and _gaps(places, text) <= _SLACK:
            return places
    return frozenset()


def _gaps(places: frozenset[int], text: TokenizedText) -> int:
    """The weight of the text between these places."""
    extent = text.reach[max(places)] + text.weights[max(places)] - text.reach[min(places)]
    return extent - weight_of(places, text)


def _nearest(first: range, others: list[list[range]], text: TokenizedText) -> list[range]:
    """This spot, and of each other piece the one that is closest and not yet taken."""
    chosen = [first]
    start = text.reach[first.start]
    for spots in others:
        free = [spot for spot in spots if not any(_overlap(spot, each) for each in chosen)]
        if not free:
            return []
        chosen.append(min(free, key=lambda spot: abs(text.reach[spot.start] - start)))
    return chosen


def _overlap(one: range, other: range) -> bool:
    return one.start < other.stop and other.start < one.stop


@lru_cache(maxsize=20_000)
def _pieces(keyword: str) -> tuple[tuple[Run, ...], ...]:
    """The words of a keyword, each with its alternatives."""
    pieces = (
        tuple(run for each in part.split(_EITHER) if (run := _run(each)))
        for part in keyword.split()
    )
    return tuple(piece for piece in pieces if piece)


def _run(text: str) -> Run:
    tokens = (token for token in _TOKEN.findall(text) if token.strip(_STAR)[:1].isalnum())
    return tuple(fold(token) if _STAR in token else stem(fold(token)) for token in tokens)


def _spots(run: Run, text: TokenizedText) -> Iterator[range]:
    for start in _starts(run[0], text):
        stop = start + len(run)
        if stop <= len(text.words) and all(
            _fits(token, text.words[place], text.stems[place])
            for token, place in zip(run, range(start, stop), strict=True)
        ):
            yield range(start, stop)


def _starts(token: str, text: TokenizedText) -> Iterable[int]:
    if _STAR not in token:
        return text.by_stem.get(token, ())
    return (
        place
        for word, places in text.by_word.items()
        if _fits(token, word, word)
        for place in places
    )


def _fits(token: str, word: str, its_stem: str) -> bool:
    if _STAR not in token:
        return token == its_stem
    bare = token.strip(_STAR)
    if token.startswith(_STAR):
        return bare in word if token.endswith(_STAR) else word.endswith(bare)
    return word.startswith(bare)


def _index(forms: tuple[str, ...]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, form in enumerate(forms):
        found.setdefault(form, []).append(place)
    return found


def _wording(places: frozenset[int], text: TokenizedText) -> str:
    """The words at these places as the text has them, three dots where others stand between."""
    ordered = sorted(places)
    wording = text.written[ordered[0]]
    for before, place in pairwise(ordered):
        joint = "" if text.weights[place] == _HAN_WEIGHT == text.weights[before] else " "
        gap = joint if place == before + 1 else " … "
        wording += f"{gap}{text.written[place]}"
    return wording
