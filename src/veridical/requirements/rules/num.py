"""NUM: a quality that is demanded without a figure."""

from collections.abc import Iterator
from functools import cache

from veridical.requirements.lexicon import Hit, lexicon
from veridical.requirements.rules.mark import Mark, phrases
from veridical.requirements.tokens import Tokens

_AFTER, _BEFORE = 8, 3
"""Tokens between a quality and the figure that settles it."""


def find(tokens: Tokens) -> Iterator[Mark]:
    """Quality nouns with what qualifies them, where no figure settles them."""
    end = -1
    hits = (*phrases(tokens, "NUM"), *_qualified(tokens))
    for hit in sorted(hits, key=lambda each: (each.first, -each.end)):
        if hit.first < end or _is_settled(tokens, hit):
            continue
        lead = _lead(tokens, hit.first)
        if lead is None and (hit.group == "heads" or not _is_demanded(tokens, hit)):
            continue
        end = hit.end
        yield Mark(hit.first if lead is None else lead, hit.end)


def _qualified(tokens: Tokens) -> Iterator[Hit]:
    """Nouns that are qualities only beside a word that says how much: a short boot time."""
    for place, low in enumerate(tokens.lows):
        if not _is_head(low, tokens.language) or place in tokens.names:
            continue
        if tokens.language != "de" or tokens.is_noun(place):
            yield Hit(place, place + 1, "heads")


@cache
def _is_head(low: str, language: str) -> bool:
    words = lexicon(language)
    if low in words.sets["not_quality"]:
        return False
    if language == "de":  # the last part of a compound decides
        return low.endswith(words.endings["quality_heads"])
    return low in words.sets["quality_heads"]


def _lead(tokens: Tokens, first: int) -> int | None:
    """The word that says how much, right before the noun; in English one noun may stand between."""
    if tokens.is_in("quality_leads", first - 1):
        return first - 1
    between = tokens.low(first - 1)
    if (
        tokens.language == "en"
        and between.isalpha()
        and between not in tokens.words.sets["phrase_ends"]
        and between not in tokens.words.sets["not_quality"]
        and tokens.is_in("quality_leads", first - 2)
    ):
        return first - 2
    return None


def _is_settled(tokens: Tokens, hit: Hit) -> bool:
    """True if a figure stands behind the noun, or right before it: 99.5 % availability."""
    sentence = tokens.sentence_of(hit.first)
    return any(
        each.unit
        and each.first in sentence
        and (
            hit.end <= each.first <= hit.end + _AFTER
            or (
                each.end <= hit.first <= each.end + _BEFORE
                and not any(True for _ in tokens.at("prepositions", range(each.end, hit.first)))
            )
        )
        for each in tokens.quantities
    )


def _is_demanded(tokens: Tokens, hit: Hit) -> bool:
    """Bare, and no part of a name: not after a comparative or superlative, before no other noun;
    behind an article only where it is to be ensured."""
    if tokens.has_any("shows"):
        return False  # something to show, log or measure
    taken = {
        place
        for rule in ("CMP", "SUP")
        for other in phrases(tokens, rule)
        for place in range(other.first, other.end)
    }
    before, after = tokens.low(hit.first - 1), hit.end
    ensured = tokens.has_any("ensures")
    article = ensured and before in tokens.words.sets["articles_of_quality"]
    named = before in tokens.words.sets["names_quality"] and not article
    if hit.first - 1 in taken or named:
        return False
    if tokens.language == "de":
        return not tokens.is_noun(after)
    follows = tokens.low(after)
    return not follows or not follows[0].isalpha() or follows in tokens.words.sets["phrase_ends"]
