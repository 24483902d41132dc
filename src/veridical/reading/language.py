"""The language of a text, by its script, its small words and its endings."""

import re
from functools import lru_cache

from veridical.contracts.language import Language
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN
from veridical.reading.punctuation import CLOSING, OPENING
from veridical.word_file import word_file

_HAN = late_pattern(f"[{HAN}]")
_WORD = late_pattern(r"[^\W\d_]+")
_QUOTED = late_pattern(rf"[{OPENING}][^{OPENING}{CLOSING}\n]{{0,300}}[{CLOSING}]")
"""No marks within others: a text of opening marks alone would be read again from each of them."""

_WORDS = word_file("veridical.reading", "language.toml")
_GERMAN, _ENGLISH = (frozenset(_WORDS[name].split()) for name in ("de", "en"))
_SHARED = _GERMAN & _ENGLISH
_GERMAN_SHAPE, _ENGLISH_SHAPE = (late_pattern(_WORDS["shapes"][name]) for name in ("de", "en"))
_SMALL_WORD, _SHAPE = 3, 1


def small_words(language: Language) -> frozenset[str]:
    """The small words of a language, if it has any that are written apart."""
    return {Language.DE: _GERMAN, Language.EN: _ENGLISH}.get(language, frozenset())


def language_of(text: str, fallback: Language) -> Language:
    """The language of a text; the fallback if the text gives no hint.

    Quoted text counts only if nothing else does.
    """
    return _detected(_QUOTED.sub(" ", text)) or _detected(text) or fallback


def _detected(text: str) -> Language | None:
    words = _WORD.findall(text.casefold())
    if not text.isascii():
        words = [word for word in words if not _HAN.search(word)]
        han = len(_HAN.findall(text))
        if han and han >= len(words):
            return Language.ZH
    german = english = 0
    for word in words:
        in_german, in_english = _weights(word)
        german += in_german
        english += in_english
    # few English sentences start with "was", and those that do have other small words
    german += _SMALL_WORD * (words[:1] == ["was"])
    if german == english:
        return None
    return Language.DE if german > english else Language.EN


@lru_cache(maxsize=4096)
def _weights(word: str) -> tuple[int, int]:
    """The weights of a word for German and for English."""
    return _weight(word, _GERMAN, _GERMAN_SHAPE), _weight(word, _ENGLISH, _ENGLISH_SHAPE)


def _weight(word: str, small_words: frozenset[str], shape: re.Pattern[str]) -> int:
    if word in small_words:
        return 0 if word in _SHARED else _SMALL_WORD
    return _SHAPE if shape.search(word) else 0
