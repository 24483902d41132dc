"""The language of an answer at a glance: enough to know how it writes numbers and nouns."""

import re
from functools import lru_cache

from veridical.contracts.language import Language

_GERMAN = re.compile(r" (?:der|die|und|ist|im|von|sind|eine?) |[üäß]")
_ENGLISH = re.compile(r" (?:the|of|and|is|was|were|for) |The ")


def tongue(text: str, language: Language | None = None) -> Language | None:
    """The language that is known or that small words give away; none when in doubt."""
    if language is not None:
        return language
    german, english = speaks_german(text), speaks_english(text)
    if german == english:
        return None
    return Language.DE if german else Language.EN


@lru_cache(maxsize=32)
def speaks_german(text: str) -> bool:
    """True when German words or letters are in the text."""
    return _GERMAN.search(text) is not None


@lru_cache(maxsize=32)
def speaks_english(text: str) -> bool:
    """True when English small words are in the text."""
    return _ENGLISH.search(text) is not None
