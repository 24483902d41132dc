"""The proof of a rewrite: every word and figure in it is the author's, or of the template."""

import re
from collections.abc import Container, Iterable
from functools import cache

from veridical.messages import message_pieces
from veridical.requirements.lexicon import lexicon
from veridical.requirements.quantity import number_of
from veridical.requirements.token import Token, tokenise

_PLACEHOLDER = re.compile(r"\[[^\[\]]*\]")
TEMPLATES = (
    "story",
    "story_own",
    "story_bare",
    "benefit",
    "scenario",
    "scenario_state",
    "scenario_event",
    "scenario_both",
    "clause_first",
)
"""The messages that rewrites are written with, by their names in ``requirements.toml``."""


def invented(rewrite: str, source: str, answers: Iterable[str], language: str) -> tuple[str, ...]:
    """The words and numbers of a rewrite that neither the source nor an answer has.

    What stands in square brackets is a question and claims nothing; unless the author wrote it.
    """
    given = [token for text in (source, *answers) for token in tokenise(text)]
    words = {token.low for token in given} | _template_words(language)
    words |= lexicon(language).sets["imperatives"]  # "should" that is binding is "shall"
    numbers = {number_of(token, language) for token in given if token.is_number}
    return tuple(
        token.text
        for token in tokenise(_PLACEHOLDER.sub(" ", rewrite))
        if not _is_given(token, words, numbers, language)
    )


def _is_given(
    token: Token, words: Container[str], numbers: Container[object], language: str
) -> bool:
    if token.is_number:
        value = number_of(token, language)
        return token.low in words or (value is not None and value in numbers)
    return not token.is_word or token.low in words


@cache
def _template_words(language: str) -> frozenset[str]:
    return frozenset(
        token.low
        for template in TEMPLATES
        for piece, _ in message_pieces(f"requirements.{template}", language)
        for token in tokenise(piece)
    )
