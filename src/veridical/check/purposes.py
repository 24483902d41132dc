"""What a question is about, by the words of the ontology's purposes."""

import re
from dataclasses import dataclass

from veridical.ontology.model import Purpose
from veridical.ontology.terms import fold, stem

_SHORT = 4
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Keyword:
    """One word or phrase of a purpose, as it is looked up."""

    written: str
    alone: bool
    """Whether it must stand alone: a short Latin word; a longer one may be part of a compound."""
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
