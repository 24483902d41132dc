"""Token sets, and how much two of them have in common."""

import re
from functools import lru_cache
from operator import add

from veridical.ontology.terms import HAN, fold, stem

_LATIN = re.compile("[a-z]+|[0-9]+")
_HAN = re.compile(f"[{HAN}]+")


@lru_cache(maxsize=1_024)
def tokens(text: str) -> frozenset[str]:
    """The distinct terms of a text: folded stems, and pairs of characters in Chinese."""
    words = map(stem, _LATIN.findall(fold(text)))
    if text.isascii() or not (runs := _HAN.findall(text)):
        return frozenset(words)
    found = set(words)
    for run in runs:
        found.update(map(add, run, run[1:]) if len(run) > 1 else run)
    return frozenset(found)


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """The shared part of both sets: 0 for nothing in common, 1 for the same (Jaccard)."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0
