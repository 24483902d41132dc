"""Facet heuristic: the coverage dimensions of a title and a snippet."""

import re
from functools import cache

from veridical.contracts.search_candidate import CoverageDimension, SearchCandidate
from veridical.word_file import word_file

COVERED = 0.5
"""From here on a dimension counts as covered."""
_STANDS_ALONE = 3
"""Up to so many letters a word must stand alone: ``log`` is not in ``catalog``."""
_LEFT_BY_EACH = 0.5
"""The share of the rest that each occurrence leaves uncovered."""
_DIGITS = 3

Coverage = dict[CoverageDimension, float]


def facet_keywords() -> dict[CoverageDimension, tuple[str, ...]]:
    """The words of each dimension, as the contract lists them."""
    return _table("keywords")


def coverage_of(candidate: SearchCandidate) -> Coverage:
    """The candidate's own coverage where it is known, else the estimate."""
    return candidate.facet_coverage or estimate(candidate.title, candidate.snippet)


def estimate(title: str, snippet: str) -> Coverage:
    """From 0 to 1 by how often words of a dimension occur; dimensions with none are left out."""
    text = f"{title}\n{snippet}".casefold()
    counts: dict[CoverageDimension, int] = {}
    for word, dimension in [each for each in _words() if each[0] in text]:
        if count := _occurrences(word, text):
            counts[dimension] = counts.get(dimension, 0) + count
    return {
        dimension: round(1 - _LEFT_BY_EACH**count, _DIGITS) for dimension, count in counts.items()
    }


def _occurrences(word: str, text: str) -> int:
    if len(word) > _STANDS_ALONE or not word.isascii():
        return text.count(word)
    return len(re.findall(rf"\b{word}s?\b", text))


@cache
def _words() -> tuple[tuple[str, CoverageDimension], ...]:
    tables = (facet_keywords(), *(_table(language) for language in ("german", "chinese")))
    return tuple(
        (word, dimension)
        for table in tables
        for dimension, words in table.items()
        for word in words
    )


@cache
def _table(name: str) -> dict[CoverageDimension, tuple[str, ...]]:
    data = word_file("veridical.search.score", "facets.toml")
    return {CoverageDimension(key): tuple(words) for key, words in data[name].items()}
