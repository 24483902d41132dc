"""The language of a requirement: German or English, by stop words, then by how words are built."""

from collections.abc import Sequence
from functools import cache

from veridical.requirements.lexicon import word_file
from veridical.requirements.morphology import is_word_of
from veridical.requirements.token import Token

_FEWEST = 4
"""Words from which on a text without a stop word is looked up in dictionaries."""
_KNOWN = 0.5
"""The share of a text's words that one of the dictionaries must have."""
_FOREIGN = 1 / 3
"""The share of letters of another script: one of Chinese says as much as several of ours."""
LANGUAGES = ("en", "de")
"""The languages of requirements; the first is the default."""


def language_of(tokens: Sequence[Token]) -> str:
    """The language that most stop words are of; in a fragment, most endings and letters."""
    for score in (_stop_words, _shapes):
        scores = {language: score(tokens, language) for language in LANGUAGES}
        best = max(LANGUAGES, key=lambda language: scores[language])
        if list(scores.values()).count(scores[best]) == 1:
            return best
    return LANGUAGES[0]


def is_readable(tokens: Sequence[Token]) -> bool:
    """True if the text may be in a language of requirements; false for Chinese, or French."""
    words = [token for token in tokens if token.is_word]
    letters = [letter for token in words for letter in token.low if letter.isalpha()]
    foreign = sum(letter > _LAST_LATIN for letter in letters)
    if foreign > _FOREIGN * len(letters):
        return False
    if len(words) < _FEWEST or any(
        token.low in own_words(each) for token in words for each in LANGUAGES
    ):
        return True
    known = max(sum(is_word_of(token.text, each) for token in words) for each in LANGUAGES)
    return known >= _KNOWN * len(words)


_LAST_LATIN = "\u024f"


def _stop_words(tokens: Sequence[Token], language: str) -> int:
    known = own_words(language)
    return sum(token.low in known for token in tokens)


@cache
def own_words(language: str) -> frozenset[str]:
    """The stop words that no other language has."""
    others = (word for other in LANGUAGES if other != language for word in word_file(other)["stop"])
    return frozenset(word_file(language)["stop"]) - frozenset(others)


def _shapes(tokens: Sequence[Token], language: str) -> int:
    shape = word_file(language)["shape"]
    endings, letters = tuple(shape["endings"]), frozenset(shape["letters"])
    return sum(
        token.is_word
        and len(token.low) > 4
        and (token.low.endswith(endings) or not letters.isdisjoint(token.low))
        for token in tokens
    )
