"""The language of a text, by its script, its small words and its endings."""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

from veridical.contracts.language import Language
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN

_HAN = late_pattern(f"[{HAN}]")
_WORD = late_pattern(r"[^\W\d_]+")
_QUOTED = late_pattern(r"[\"“„«「『][^\"“„«「『”»」』\n]{0,300}[\"”“»」』]")
"""No marks within others: a text of opening marks alone would be read again from each of them."""

_WORDS = tomllib.loads(files("veridical.reading").joinpath("language.toml").read_text("utf-8"))
_GERMAN, _ENGLISH = (frozenset(_WORDS[name].split()) for name in ("de", "en"))
_SHARED = _GERMAN & _ENGLISH
_GERMAN_SHAPE = late_pattern(
    r"[äöüß]|(?:ung|ungen|keit|heit|schaft|lich|liche|lichen|isch|igen|ieren|iert|stand|zahl|zahlen"
    r"|satz|konto|konten|betrag|steuer|kosten|rechnung|verluste?|enz|iere)$|^ge\w{4,}t$|sch|tz|pf"
)
_ENGLISH_SHAPE = late_pattern(
    r"(?:ing|tion|tions|ity|ness|ment|ments|ly|ous|able|ies|ed|ght|ance|ence)$|th|wh|sh|ck|ee|oo|ea|y"
)
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
