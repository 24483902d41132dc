"""What a question is about, by the words of the ontology's purposes."""

import re

from veridical.ontology.model import Purpose

PurposeIndex = tuple[tuple[str, tuple[tuple[str, bool], ...]], ...]
"""Purpose, then its words, each with whether it must stand alone."""

_SHORT = 4
_WORD = re.compile(r"\w+")


def index_purposes(purposes: tuple[Purpose, ...]) -> PurposeIndex:
    """A short Latin word must stand alone; a longer one may be part of a compound."""
    return tuple(
        (
            purpose.name,
            tuple(
                (word.casefold(), len(word) < _SHORT and word.isascii())
                for words in purpose.keywords.values()
                for word in words
            ),
        )
        for purpose in purposes
    )


def purposes_of(index: PurposeIndex, question: str) -> frozenset[str]:
    """The purposes whose words the question contains, in any language."""
    if not question or not index:
        return frozenset()
    folded = question.casefold()
    words = frozenset(_WORD.findall(folded))
    return frozenset(
        name
        for name, keywords in index
        if any(word in (words if alone else folded) for word, alone in keywords)
    )
