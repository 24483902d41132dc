"""LNG: words of another language than the sentence."""

from collections.abc import Iterator
from functools import cache

from veridical.requirements.language import LANGUAGES
from veridical.requirements.lexicon import lexicon
from veridical.requirements.morphology import is_compound_of, is_word_of
from veridical.requirements.rules.mark import Mark
from veridical.requirements.tokens import Tokens

_SHORT = 4


def find(tokens: Tokens) -> Iterator[Mark]:
    """Foreign words by list, in compounds, and by the dictionaries; quotations are exempt."""
    found = {
        hit.first: hit.end
        for hit in tokens.hits.get("FOREIGN", ())
        if hit.end > hit.first + 1 or not tokens.is_in("settled", hit.first)
    }
    for place, token in enumerate(tokens.all):
        if _is_foreign(token.text, tokens.language) and _is_meant(tokens, place):
            found.setdefault(place, place + 1)
    end = -1
    for first in sorted(found):
        if first >= end and first not in tokens.quoted:
            end = found[first]
            while end in found:
                end = found[end]
            yield Mark(first, end)


@cache
def _is_foreign(text: str, language: str) -> bool:
    """True if only the other language has this word, or one of its parts."""
    low, sets = text.lower(), lexicon(language).sets
    if low in sets["settled"]:
        return False
    if "-" in low:
        return not sets["foreign_parts"].isdisjoint(low.split("-"))
    if len(low) < _SHORT or not low.isalpha() or text[1:] != low[1:]:
        return False  # short words are alike in both; an abbreviation is of no language
    if is_word_of(low, language) or is_word_of(text, language):
        return False
    other = next(each for each in LANGUAGES if each != language)
    capital = text != low
    return is_word_of(low, other) or (capital and language == "en" and is_compound_of(low, other))


def _is_meant(tokens: Tokens, place: int) -> bool:
    """True if it is a word of the sentence: no product, no cut compound ("Installations-"), and
    in English no name of a place or a person, which no article stands before."""
    if any(hit.first <= place < hit.end for hit in tokens.hits.get("SOL", ())):
        return False
    if tokens.language == "de":
        return tokens.text[tokens.all[place].end : tokens.all[place].end + 1] != "-"
    opens = any(place == each.start for each in tokens.sentences)
    named = tokens.all[place].text[0].isupper() and not opens
    return not named or tokens.is_in("determiners", place - 1)
