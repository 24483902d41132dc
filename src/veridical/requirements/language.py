"""The language of a requirement: German or English, by stop words, then by how words are built."""

from collections.abc import Sequence
from functools import cache

from veridical.requirements.lexicon import word_file
from veridical.requirements.token import Token

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


def _stop_words(tokens: Sequence[Token], language: str) -> int:
    known = _own_words(language)
    return sum(token.low in known for token in tokens)


@cache
def _own_words(language: str) -> frozenset[str]:
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
