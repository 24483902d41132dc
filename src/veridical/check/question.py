"""The subject of a question: the purposes whose words it contains, and the noun that it counts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from veridical.ontology.model import Purpose
from veridical.ontology.terms import HAN, fold, split_name, stem
from veridical.reading.punctuation import marks
from veridical.word_file import word_file

_SHORT = 4
_WORD = re.compile(r"\w+")
_CLAUSE = re.compile(rf"[^{marks('.,;:?!')}]*")
_HAN_NAME = re.compile(f"[{HAN}]+")
_MOST_WORDS = 4
"""Adjectives may stand before the noun; what comes later is something else."""
_FIRST_WORDS = 2
_REMEMBERED = 1_000
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Keyword:
    """One word or phrase of a purpose, as it is looked up."""

    written: str
    alone: bool
    """True if it must stand alone: a short Latin word; a longer one may be part of a compound."""
    stems: str
    """A phrase by the stems of its words, so that each may be inflected; empty for one word."""


PurposeIndex = tuple[tuple[str, tuple[Keyword, ...]], ...]
"""Each purpose with its words."""


def index_purposes(purposes: tuple[Purpose, ...]) -> PurposeIndex:
    """The words of all languages, ready to be looked up."""
    return tuple(
        (
            purpose.name,
            tuple(_keyword(word) for words in purpose.keywords.values() for word in words),
        )
        for purpose in purposes
    )


def purposes_of(index: PurposeIndex, question: str) -> frozenset[str]:
    """The purposes whose words the question contains, in any language."""
    if not question or not index:
        return frozenset()
    folded = question.casefold()
    words = frozenset(_WORD.findall(folded))
    stems = _stems(folded)
    return frozenset(
        name
        for name, keywords in index
        if any(
            each.written in (words if each.alone else folded)
            or (each.stems and each.stems in stems)
            for each in keywords
        )
    )


def _keyword(word: str) -> Keyword:
    is_phrase = len(_WORD.findall(word)) > 1
    folded = word.casefold()
    return Keyword(folded, len(word) < _SHORT and word.isascii(), _stems(folded) * is_phrase)


def _stems(text: str) -> str:
    """The words of a text by their stems, with a blank around each."""
    return "".join(f" {stem(fold(word))} " for word in _WORD.findall(text))


class Counted(NamedTuple):
    """The words of which one is what a question counts, and Chinese text that begins with it."""

    words: tuple[str, ...] = ()
    """The words in order: the first that is a table's name is counted."""
    texts: tuple[str, ...] = ()
    distinct: bool = False
    """True if the question wants each once: how many different ones."""


class _Cues(NamedTuple):
    asks: re.Pattern[str]
    passed: frozenset[str]
    distinct: frozenset[str]
    ends: frozenset[str]
    plurals: frozenset[str]


@lru_cache(_REMEMBERED)
def counted_in(question: str) -> Counted:
    """The noun that a question counts, or else its first words."""
    cues = _cues()
    found = [_CLAUSE.match(question, each.end()) for each in cues.asks.finditer(question)]
    clauses = [each[0] for each in found if each]
    most = _MOST_WORDS if clauses else _FIRST_WORDS
    clauses = clauses or [_first_clause(question)]
    words = tuple(word for clause in clauses for word in _noun_words(clause, cues, most))
    distinct = any(_wants_each_once(clause, cues) for clause in clauses)
    return Counted(words, tuple(clause for clause in clauses if not clause.isascii()), distinct)


def _wants_each_once(clause: str, cues: _Cues) -> bool:
    first = _WORD.findall(clause.casefold())[:_FIRST_WORDS]
    return any(
        word == each or (not each.isascii() and word.startswith(each))
        for word in first
        for each in cues.distinct
    )


def is_counted(counted: Counted, table: str) -> bool:
    """True if a table has the name of the counted noun: ``Orders`` by the orders of a question."""
    return place_of(counted, table) is not None


def place_of(counted: Counted, table: str) -> int | None:
    """The place of a table's name among the counted words; none if it is missing."""
    han = _HAN_NAME.findall(table)
    if han:
        near = [(name, text[: len(name) + _MOST_WORDS]) for name in han for text in counted.texts]
        return min((text.find(name) for name, text in near if name in text), default=None)
    noun = (_WORD.findall(fold(split_name(table).replace("_", " "))) or [""])[-1]
    places = (place for place, word in enumerate(counted.words) if _is_same(word, noun))
    return next(places, None)


def names_whole(counted: Counted, table: str) -> bool:
    """True if all words of a table's name are counted: ``order_lines`` by "order lines"."""
    words = _WORD.findall(fold(split_name(table).replace("_", " ")))
    return all(any(_is_same(each, word) for each in counted.words) for word in words)


def _first_clause(question: str) -> str:
    found = _CLAUSE.match(question.lstrip())
    return found[0] if found else ""


def _noun_words(clause: str, cues: _Cues, most: int) -> Iterator[str]:
    for word in _WORD.findall(clause.casefold())[:most]:
        if word in cues.ends:
            return
        if word not in cues.passed:
            yield fold(word)


def _is_same(word: str, noun: str) -> bool:
    """But for the ending of a plural: ``riders`` and ``rider``. By their stems, rides would be the
    same as riders."""
    short, long = sorted((word, noun), key=len)
    if len(short) < _SHORTEST:
        return False
    ends = [long[len(short) :]] if long.startswith(short) else []
    if short.endswith("y") and long.startswith(short[:-1]):
        ends.append(long[len(short) - 1 :])
    return word == noun or any(each in _cues().plurals for each in ends)


@cache
def _cues() -> _Cues:
    languages = word_file("veridical.check", "counted_noun.toml").values()
    asks = sorted((each for lists in languages for each in lists["asks"]), key=len, reverse=True)
    latin = "|".join(re.escape(each) for each in asks if each.isascii())
    other = "|".join(re.escape(each) for each in asks if not each.isascii())
    distinct, passed, ends, plurals = (
        frozenset(word for lists in languages for word in lists[name])
        for name in ("distinct", "passed", "ends", "plurals")
    )
    asking = re.compile(rf"\b(?:{latin})\b|{other}", re.IGNORECASE)
    return _Cues(asking, passed | distinct, distinct, ends, plurals)
