"""The language of an answer at a glance: enough to know how it writes numbers and nouns."""

from functools import lru_cache

from veridical.contracts.language import Language
from veridical.late_pattern import late_pattern
from veridical.reading.listed import listed

_GERMAN = listed("der die und ist im von sind ein eine")
_ENGLISH = listed("the of and is was were for")
_GERMAN_LETTER = late_pattern("[üäß]")


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
    if not _GERMAN.isdisjoint(text.split(" ")[1:-1]):
        return True
    return not text.isascii() and _GERMAN_LETTER.search(text) is not None


@lru_cache(maxsize=32)
def speaks_english(text: str) -> bool:
    """True when English small words are in the text."""
    return "The " in text or not _ENGLISH.isdisjoint(text.split(" ")[1:-1])
