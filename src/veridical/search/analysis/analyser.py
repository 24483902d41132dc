"""Analysers: the terms of a text in its language, the same for stored texts and questions.

German: a question about "Schutz der Daten" must find "Datenschutz". A compound begins with its
modifier and ends with its head, so the first and the last letters of every word are terms as well:
two terms a word instead of the half dozen of n-grams, and no dictionary that knows no trade.
Chinese: the words of a dictionary have their weight; every pair of neighbouring characters finds
what it does not know, such as names, and what is written in traditional characters.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Protocol
from unicodedata import normalize

from rjieba import Jieba
from snowballstemmer import stemmer

from veridical.contracts.language import Language
from veridical.ontology.terms import HAN
from veridical.word_file import word_file

LONGEST_TERM = 64
"""Characters. Longer runs of letters are data in disguise, and never searched for."""


@dataclass(frozen=True, slots=True)
class AnalysedText:
    """The data that the index keeps of a text."""

    frequencies: Mapping[str, int]
    length: int
    """In words: parts of words that are terms too do not make a text longer."""


@dataclass(frozen=True, slots=True)
class Analyser:
    """The terms of one language."""

    language: Language
    version: str
    """Changes whenever the same text gives other terms: an index of another version must be built
    anew."""
    split: Callable[[str], tuple[Iterable[str], int]]
    """The terms of a text, repeated as often as they stand there, and its length."""

    def analyse(self, text: str) -> AnalysedText:
        """The terms of this text with their frequencies."""
        terms, length = self.split(text)
        counted = Counter(terms)
        for term in [term for term in counted if len(term) > LONGEST_TERM]:
            del counted[term]
        return AnalysedText(counted, max(length, 1))


_WORD = re.compile(r"[^\W_]+")


def folded(text: str) -> str:
    """The text in lower case and in the compatible form: wide digits and ligatures are plain."""
    return normalize("NFKC", text).lower()


def words_of(text: str) -> list[str]:
    """The runs of letters and digits of a folded text."""
    return _WORD.findall(text)


@cache
def stop_words(language: Language) -> frozenset[str]:
    """The words that say nothing about what a text is about."""
    return frozenset(word_file("veridical.search.analysis", "stop_words.toml")[language].split())


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


_RUN = re.compile(f"[{HAN}]+|[^{HAN}]+")
_HAN = re.compile(f"[{HAN}]")
_HAN_RUN = re.compile(f"([{HAN}]+)")
_PAIR = "#"
"""No word has this character: a pair is another term than the word of the same characters."""


def question_words(question: str) -> str:
    """The question with Chinese apart from what is beside it without a space, such as the names
    and numbers by which a Chinese question finds a text of another language."""
    return _HAN_RUN.sub(r" \1 ", question)


@cache
def _dictionary() -> Jieba:
    return Jieba()


def _chinese_terms(text: str) -> tuple[Iterable[str], int]:
    terms: list[str] = []
    length = 0
    for run in _RUN.findall(folded(text)):
        if not _HAN.match(run):
            words = words_of(run)
            terms += words
            length += len(words)
            continue
        found = [*_chinese_words(run), *_pairs(run)]
        terms += found
        length += len(found)
    return terms, length


def _chinese_words(run: str) -> list[str]:
    stopped = stop_words(Language.ZH)
    return [word for word in _dictionary().cut(run) if word not in stopped]


def _pairs(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield _PAIR + run
    for place in range(len(run) - 1):
        yield _PAIR + run[place : place + 2]


CHINESE = Analyser(Language.ZH, "zh-1", _chinese_terms)


_POSSESSIVE = re.compile(r"['’]s\b")


def _english_terms(text: str) -> tuple[Iterable[str], int]:
    stopped = stop_words(Language.EN)
    words = words_of(_POSSESSIVE.sub("", folded(text)))
    kept = [word for word in words if word not in stopped]
    return stems(Language.EN, kept), len(kept)


ENGLISH = Analyser(Language.EN, "en-1", _english_terms)


_EDGE = 5
"""Letters. Shorter edges are shared by words that have nothing to do with each other."""
_BEGINS, _ENDS = "^", "$"
"""No word has these characters, so an edge is never taken for a word."""
_PLAIN = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss"})


def _german_terms(text: str) -> tuple[Iterable[str], int]:
    stopped = stop_words(Language.DE)
    words = [word for word in words_of(folded(text)) if word not in stopped]
    return [term for word in words for term in _terms_of_word(word)], len(words)


@lru_cache(maxsize=200_000)
def _terms_of_word(word: str) -> tuple[str, ...]:
    plain, root = word.translate(_PLAIN), stem(Language.DE, word).translate(_PLAIN)
    begins = (_BEGINS + plain[:_EDGE],) if len(plain) >= _EDGE else ()
    ends = (_ENDS + root[-_EDGE:],) if len(root) >= _EDGE else ()
    return (root, *begins, *ends)


GERMAN = Analyser(Language.DE, "de-1", _german_terms)


ANALYSERS: Mapping[Language, Analyser] = MappingProxyType(
    {each.language: each for each in (ENGLISH, GERMAN, CHINESE)}
)
