"""A mark of a rule: a range of tokens, and the checks that several rules share."""

from collections.abc import Iterator
from typing import NamedTuple

from veridical.requirements.lexicon import Hit
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


def marked(tokens: Tokens, rule: str, *groups: str) -> Iterator[Mark]:
    """The same phrases as marks."""
    return (Mark(hit.first, hit.end) for hit in phrases(tokens, rule, *groups))


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
    for quantity in tokens.quantities:
        if not quantity.unit or not hit.end <= quantity.first <= hit.end + _NEAR:
            continue
        if quantity.first == hit.end:  # periodic 30-second messages
            return True
        between = tokens.lows[hit.end : quantity.first]
        bounds = tokens.words.sets["settling"]
        if any(low == "(" or low in bounds for low in between):
            return True
    return False


def _is_name(tokens: Tokens, hit: Hit) -> bool:
    return bool(tokens.names) and not tokens.names.isdisjoint(range(hit.first, hit.end))
