"""A mark of a rule: a range of tokens, and the checks that several rules share."""

from collections.abc import Iterator
from typing import NamedTuple

from veridical.requirements.lexicon import Hit
from veridical.requirements.measure import dimensions_of, measures
from veridical.requirements.tokens import Tokens

_NEAR = 8
"""Tokens between a vague word and the figure that settles it."""


class Mark(NamedTuple):
    """The tokens that a rule finds fault with; a variant has texts and a weight of its own."""

    first: int
    end: int
    variant: str = ""


def phrases(tokens: Tokens, rule: str, *groups: str) -> Iterator[Hit]:
    """The rule's phrases that stand in the text and in no name; of these groups, or of all."""
    for hit in tokens.hits.get(rule, ()):
        if (not groups or hit.group in groups) and not _is_name(tokens, hit):
            yield hit


def overlaps(tokens: Tokens, hit: Hit, *rules: str) -> bool:
    """True if a phrase of one of these rules covers the hit."""
    return any(
        other.first < hit.end and hit.first < other.end
        for rule in rules
        for other in phrases(tokens, rule)
    )


def in_main(tokens: Tokens, mark: Hit | Mark) -> bool:
    """True if the whole of it stands in a main clause."""
    return mark.first in tokens.main and mark.end - 1 in tokens.main


def is_quantified(tokens: Tokens, hit: Hit) -> bool:
    """True if a figure beside it settles what a vague word means: "fast, within 2 s"."""
    dimensions = dimensions_of(tokens.lows[hit.first : hit.end])
    for quantity in tokens.quantities:
        if not hit.end <= quantity.first <= hit.end + _NEAR:
            continue
        noted = tokens.low(hit.end) == "("  # secure (locked after 5 attempts)
        counts = noted and tokens.low(quantity.end)[:1].isalpha()
        if not measures(quantity, dimensions, counts=counts):
            continue
        if quantity.first == hit.end:  # periodic 30-second messages
            return True
        between = tokens.lows[hit.end : quantity.first]
        bounds = tokens.words.sets["settling"]
        if any(low == "(" or low in bounds for low in between):
            return True
    return tokens.low(hit.end) == "(" and names_standard(tokens, _bracket(tokens, hit.end))


def _bracket(tokens: Tokens, place: int) -> range:
    closes = (here for here in range(place, len(tokens.all)) if tokens.low(here) == ")")
    return range(place, next(closes, len(tokens.all)))


def names_standard(tokens: Tokens, places: range) -> bool:
    """True if a norm or a method is named in these places: ISO 27001, TLS 1.3, AES-256."""
    return any(
        tokens.all[place].text[:2].isupper()
        and (
            tokens.low(place + 1)[:1].isdigit()
            or any(letter.isdigit() for letter in tokens.low(place))
        )
        for place in places
        if tokens.all[place].is_word
    )


def _is_name(tokens: Tokens, hit: Hit) -> bool:
    return bool(tokens.names) and not tokens.names.isdisjoint(range(hit.first, hit.end))
