"""LNG: words of another language than the sentence."""

from collections.abc import Iterator

from veridical.requirements.language import LANGUAGES
from veridical.requirements.morphology import is_compound_of, is_word_of
from veridical.requirements.rules.mark import Mark
from veridical.requirements.token import Token
from veridical.requirements.tokens import Tokens

_SHORT = 4


def find(tokens: Tokens) -> Iterator[Mark]:
    """Foreign words by list, in compounds, and by the dictionaries; quotations are exempt."""
    found = {hit.first: hit.end for hit in tokens.hits.get("FOREIGN", ())}
    products = {
        place for hit in tokens.hits.get("SOL", ()) for place in range(hit.first, hit.end)
    }
    for place, token in enumerate(tokens.all):
        if place in found or place in products or not token.is_word:
            continue
        if _is_foreign(tokens, place, token):
            found[place] = place + 1
    end = -1
    for first in sorted(found):
        if first >= end and first not in tokens.quoted:
            end = found[first]
            while end in found:
                end = found[end]
            yield Mark(first, end)


def _is_foreign(tokens: Tokens, place: int, token: Token) -> bool:
    sets = tokens.words.sets
    if token.low in sets["settled"]:
        return False
    if "-" in token.low:
        return not sets["foreign_parts"].isdisjoint(token.low.split("-"))
    if len(token.low) < _SHORT or token.text[1:] != token.low[1:]:
        return False  # short words are alike in both; an abbreviation is of no language
    if tokens.language == "en" and token.text[0].isupper() and not _is_thing(tokens, place):
        return False
    other = next(each for each in LANGUAGES if each != tokens.language)
    if _is_own(token, tokens.language):
        return False
    return is_word_of(token.low, other) or (
        tokens.language == "en" and token.text[0].isupper() and is_compound_of(token.low, other)
    )


def _is_thing(tokens: Tokens, place: int) -> bool:
    """Whether a German noun names a thing, and not a place or a person: an article stands before
    it, or it begins the sentence."""
    opens = any(place == each.start for each in tokens.sentences)
    return opens or tokens.is_in("determiners", place - 1)


def _is_own(token: Token, language: str) -> bool:
    return is_word_of(token.low, language) or is_word_of(token.text, language)
