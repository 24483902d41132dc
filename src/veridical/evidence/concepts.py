"""Business notions in several languages: which words mean the same, read once from TOML."""

import tomllib
from functools import cache
from importlib.resources import files

from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN, fold

_HAN = late_pattern(f"[{HAN}]")
_SHORTEST = 3
_MOST_NOTIONS = 3


@cache
def concepts() -> dict[str, tuple[str, ...]]:
    """The words of each notion, in all languages."""
    raw = tomllib.loads(files("veridical.evidence").joinpath("concepts.toml").read_text("utf-8"))
    return {
        name: tuple(word for words in languages.values() for word in words.split())
        for name, languages in raw.items()
    }


@cache
def _names() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, words in concepts().items():
        for word in words:
            found.setdefault(fold(word), set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


def concepts_in(run: str) -> frozenset[str]:
    """The notions of all words in a run of Chinese signs, apart from single signs."""
    by_word = _han_names()
    return frozenset(
        name
        for length in _han_lengths()
        for start in range(len(run) - length + 1)
        for name in by_word.get(run[start : start + length], ())
    )


@cache
def _han_names() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for name, words in concepts().items():
        for word in words:
            if _HAN.search(word) and len(word) > 1:
                found.setdefault(word, []).append(name)
    return {word: tuple(names) for word, names in found.items()}


@cache
def _han_lengths() -> frozenset[int]:
    return frozenset(map(len, _han_names()))


@cache
def value_words(value: str) -> tuple[str, ...]:
    """Words of other languages for a value that is one notion: ``open`` is ``offen``, ``未结``."""
    names = _names().get(fold(value).replace(" ", "_"), frozenset())
    if not names or len(names) > _MOST_NOTIONS:
        return ()
    words = [word for name in sorted(names) for word in concepts()[name]]
    return tuple(
        word
        for word in words
        if fold(word) != fold(value)
        and "_" not in word
        and (not word.isascii() or len(word) >= _SHORTEST)
        and len(word) > 1
    )
