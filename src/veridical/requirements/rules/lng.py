"""LNG: words of another language than the sentence."""

from collections.abc import Iterator

from veridical.requirements.lexicon import Lexicon
from veridical.requirements.rules.mark import Mark
from veridical.requirements.token import Token
from veridical.requirements.tokens import Tokens

_SHORT = 5


def find(tokens: Tokens) -> Iterator[Mark]:
    """Foreign words by list, in compounds, and by how they are built; quotations are exempt."""
    found = {hit.first: hit.end for hit in tokens.hits.get("FOREIGN", ())}
    for place, token in enumerate(tokens.all):
        if place not in found and token.is_word and _is_foreign(token, tokens):
            found[place] = place + 1
    end = -1
    for first in sorted(found):
        if first >= end and first not in tokens.quoted:
            end = found[first]
            while end in found:
                end = found[end]
            yield Mark(first, end)


def _is_foreign(token: Token, tokens: Tokens) -> bool:
    parts = tokens.words.sets["foreign_parts"]
    if "-" in token.low and not parts.isdisjoint(token.low.split("-")):
        return True
    return _is_built_otherwise(token, tokens.language, tokens.words)


def _is_built_otherwise(token: Token, language: str, words: Lexicon) -> bool:
    if len(token.low) <= _SHORT or token.text.isupper():
        return False
    if not words.sets["foreign_letters"].isdisjoint(token.low):
        return True
    as_written = token.text[0].isupper() if language == "en" else token.text.islower()
    return as_written and token.low.endswith(words.endings["foreign_endings"])
