"""Two plain legs over the judged set: BM25, and the cosine of character trigrams.

They stand in for a store so that the stages behind it can be measured without one.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache

from benchmarks.search.own.collection import Page, collection
from veridical.contracts.search_candidate import LegRank, SearchCandidate
from veridical.ontology.terms import fold, terms

_K1, _B = 0.9, 0.4
Vector = dict[str, float]


def candidates_for(question: str, depth: int) -> list[SearchCandidate]:
    """The best pages of each leg with their ranks, each page once."""
    lexical, grams = _lexical(question, depth), _trigram(question, depth)
    pages = {page.id: page for page in collection().pages}
    return [
        _candidate(pages[name], {"lexical": lexical.get(name), "trigram": grams.get(name)})
        for name in sorted(lexical.keys() | grams.keys())
    ]


def _candidate(page: Page, legs: dict[str, LegRank | None]) -> SearchCandidate:
    return SearchCandidate(
        id=page.id,
        title=page.title,
        snippet=page.text,
        url=page.url,
        detected_date=page.date,
        legs={name: place for name, place in legs.items() if place is not None},
    )


def _lexical(question: str, depth: int) -> dict[str, LegRank]:
    counts, frequencies, mean = _index()
    asked = set(terms(question))

    def score(words: Counter[str]) -> float:
        length = _K1 * (1 - _B + _B * words.total() / mean)
        return sum(
            math.log1p((len(counts) - frequencies[word] + 0.5) / (frequencies[word] + 0.5))
            * words[word]
            * (1 + _K1)
            / (words[word] + length)
            for word in asked
            if word in words
        )

    return _ranked(((name, score(words)) for name, words in counts.items()), depth)


@cache
def _index() -> tuple[dict[str, Counter[str]], Counter[str], float]:
    counts = {page.id: Counter(terms(f"{page.title} {page.text}")) for page in collection().pages}
    frequencies = Counter(word for words in counts.values() for word in words)
    return counts, frequencies, sum(each.total() for each in counts.values()) / len(counts)


def _trigram(question: str, depth: int) -> dict[str, LegRank]:
    vectors, weigh = _vectors()
    asked = weigh(question)
    scores = (
        (name, sum(share * vector.get(gram, 0.0) for gram, share in asked.items()))
        for name, vector in vectors.items()
    )
    return _ranked(scores, depth)


@cache
def _vectors() -> tuple[dict[str, Vector], Callable[[str], Vector]]:
    counts = {page.id: _grams(f"{page.title} {page.text}") for page in collection().pages}
    frequencies = Counter(gram for grams in counts.values() for gram in grams)

    def weighed(grams: Counter[str]) -> Vector:
        vector = {
            gram: (1 + math.log(count)) * math.log(len(counts) / frequencies[gram])
            for gram, count in grams.items()
            if gram in frequencies
        }
        norm = math.sqrt(sum(value * value for value in vector.values())) or 1.0
        return {gram: value / norm for gram, value in vector.items()}

    return {name: weighed(grams) for name, grams in counts.items()}, lambda text: weighed(
        _grams(text)
    )


def _grams(text: str) -> Counter[str]:
    """Three letters, or two signs of Chinese."""
    folded = f" {fold(text)} "
    size = 3 if folded.isascii() else 2
    return Counter(folded[start : start + size] for start in range(len(folded) - size + 1))


def _ranked(scores: Iterable[tuple[str, float]], depth: int) -> dict[str, LegRank]:
    best = sorted((each for each in scores if each[1] > 0), key=lambda each: (-each[1], each[0]))
    return {
        name: LegRank(rank=place, score=score)
        for place, (name, score) in enumerate(best[:depth], 1)
    }
