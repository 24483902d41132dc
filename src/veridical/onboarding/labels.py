"""Labels of columns from their names: ``due_date`` is a due date, ``kunden_nr`` a Kunden-Nr."""

import re
from functools import cache, lru_cache
from typing import Any

from veridical.ontology.terms import split_name
from veridical.word_file import word_file

_BETWEEN = re.compile(r"[\s_.\-]+")
_REMEMBERED = 16_384


@lru_cache(_REMEMBERED)
def drafted_label(name: str) -> str:
    """The display name of a column; empty if it equals its name."""
    words = [each for each in _BETWEEN.split(split_name(name)) if each]
    if not words or not any(each.isascii() for each in words):
        return ""
    spelt = [_spelt(each, loud=name.isupper()) for each in words]
    label = _german(spelt) if is_german(name) else " ".join(spelt)
    return "" if label == name else label


@lru_cache(_REMEMBERED)
def is_german(name: str) -> bool:
    """True if one of its words is a German noun, or ends with one, and is no English word."""
    also = set(_loaded()["german"]["also_english"])
    words = (each.casefold() for each in _BETWEEN.split(split_name(name)))
    return any(_is_noun(word) and word not in also for word in words)


def with_umlauts(word: str) -> str:
    """A German word with its umlauts, where they are known."""
    for written, meant in _loaded()["umlauts"].items():
        word = word.replace(written, meant)
        word = word.replace(written.capitalize(), meant.capitalize())
    return word


def _spelt(word: str, *, loud: bool) -> str:
    """The words in lower case; abbreviations keep their capitals: VAT."""
    is_short = word.isupper() and not loud and len(word) > 1
    return word if is_short else word.casefold() if word.isascii() else word


def _german(words: list[str]) -> str:
    """Nouns with a capital, and as one word if the first has the joint of a compound."""
    label = ""
    before = ""
    short = _loaded()["short"]
    for word in words:
        if label and word.casefold() in short:
            label += f"-{short[word.casefold()]}"
            continue
        noun = _is_noun(word.casefold())
        joins = noun and before.endswith(tuple(_loaded()["german"]["joints"]))
        part = with_umlauts(word if joins or not (noun or not label) else _capital(word))
        label += part if joins or not label else f" {part}"
        before = word.casefold()
    return label


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]


def _is_noun(word: str) -> bool:
    return word.endswith(_nouns())


@cache
def _nouns() -> tuple[str, ...]:
    written = _loaded()["german"]["nouns"]
    return (*written, *filter(lambda each: not each.isascii(), map(with_umlauts, written)))


def _loaded() -> dict[str, Any]:
    return word_file("veridical.onboarding", "labels.toml")
