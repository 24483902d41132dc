"""Chinese: words as a dictionary knows them, and every pair of neighbouring characters.

The dictionary gives words their weight; the pairs find what it does not know, such as names, and
what is written in traditional characters.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from rjieba import Jieba

from veridical.contracts.language import Language
from veridical.ontology.terms import HAN
from veridical.search.analysis.analyser import Analyser
from veridical.search.analysis.words import folded, stop_words, words_of

_RUN = re.compile(f"[{HAN}]+|[^{HAN}]+")
_HAN = re.compile(f"[{HAN}]")
_PAIR = "#"
"""No word has this character: a pair is another term than the word of the same characters."""


@cache
def _dictionary() -> Jieba:
    return Jieba()


def _split(text: str) -> tuple[Iterable[str], int]:
    terms: list[str] = []
    length = 0
    for run in _RUN.findall(folded(text)):
        if not _HAN.match(run):
            words = words_of(run)
            terms += words
            length += len(words)
            continue
        found = [*_words(run), *_pairs(run)]
        terms += found
        length += len(found)
    return terms, length


def _words(run: str) -> list[str]:
    stopped = stop_words(Language.ZH)
    return [word for word in _dictionary().cut(run) if word not in stopped]


def _pairs(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield _PAIR + run
    for place in range(len(run) - 1):
        yield _PAIR + run[place : place + 2]


CHINESE = Analyser(Language.ZH, "zh-1", _split)
